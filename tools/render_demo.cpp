// Renders generated shapes off screen, for the eye: both themes, both pixel densities.
//   render_demo [FOLDER]
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>

#include "render/chart.hpp"
#include "render/offscreen.hpp"
#include "render/renderer.hpp"
#include "render/shapes.hpp"

namespace {

using namespace rebound::render;

/// A box standing up, bent over to one side.
Shape bent_bar() {
  Shape bar = make_box({0.34f, 1.3f, 0.34f}, 12);
  for (std::size_t i = 0; i < bar.positions.size(); i += 3) {
    Eigen::Map<Vec3> p(bar.positions.data() + i);
    const float height = p.y() + 0.65f;
    const float angle = 0.85f * height * height / 1.69f;
    const Vec3 spine(0.55f * height * angle, height - 0.30f * height * angle * angle, 0);
    const Vec3 across(std::cos(angle), -std::sin(angle), 0);
    p = spine + p.x() * across + Vec3(0, 0, p.z());
  }
  return bar;
}

/// A sphere with soft lumps.
Shape blob() {
  Shape shape = make_sphere(0.5f, 28);
  for (std::size_t i = 0; i < shape.positions.size(); i += 3) {
    Eigen::Map<Vec3> p(shape.positions.data() + i);
    const Vec3 d = p.normalized();
    const float lumps = std::sin(4.2f * d.x() + 0.6f) * std::sin(3.7f * d.y() + 0.3f) + 0.6f * std::sin(4.4f * d.z());
    p = (0.5f + 0.07f * lumps) * d.cwiseProduct(Vec3(1.08f, 0.92f, 1.08f));
  }
  return shape;
}

Shape waving_cloth() {
  Shape cloth = make_sheet(1.2f, 1.2f, 60, 60);
  for (std::size_t i = 0; i < cloth.positions.size(); i += 3) {
    Eigen::Map<Vec3> p(cloth.positions.data() + i);
    const float hang = p.z() + 0.6f;
    const float wave =
        0.09f * hang * std::sin(7.5f * p.x() + 2.5f * hang) + 0.05f * hang * std::cos(4 * hang + 3 * p.x());
    p = Vec3(p.x(), -0.92f * hang, 0.25f * hang * hang + wave);
  }
  return cloth;
}

void move(Shape& shape, const Vec3& offset) {
  for (std::size_t i = 0; i < shape.positions.size(); i += 3) Eigen::Map<Vec3>(shape.positions.data() + i) += offset;
}

struct Scene {
  Shape blob_shape = blob();
  Shape bar_shape = bent_bar();
  Shape cloth_shape = waving_cloth();
  Shape box_shape = make_box({0.42f, 0.42f, 0.42f}, 4);
  BodyMesh blob_mesh, bar_mesh, cloth_mesh, box_mesh, ghost_mesh;

  Scene()
      : blob_mesh((move(blob_shape, {-0.72f, 0.47f, 0.25f}), blob_shape.positions), blob_shape.triangles),
        bar_mesh((move(bar_shape, {0.30f, 0, -0.1f}), bar_shape.positions), bar_shape.triangles),
        cloth_mesh((move(cloth_shape, {-0.25f, 1.55f, -0.95f}), cloth_shape.positions), cloth_shape.triangles),
        box_mesh((move(box_shape, {0.15f, 0.21f, 0.85f}), box_shape.positions), box_shape.triangles),
        ghost_mesh((move(box_shape, {0.3f, 0.1f, 0}), box_shape.positions), box_shape.triangles) {
    std::vector<float> strain;
    for (std::size_t i = 0; i < bar_shape.positions.size(); i += 3) {
      strain.push_back(std::abs(std::sin(2.2f * bar_shape.positions[i + 1])));
    }
    bar_strain = strain;
  }
  std::vector<float> bar_strain;

  View view(const Theme& theme, float pixel_ratio) {
    View v;
    v.theme = &theme;
    v.pixel_ratio = pixel_ratio;
    v.planes = {{}};
    v.bodies.push_back({&blob_mesh, theme.series[0]});
    v.bodies.push_back({&bar_mesh, theme.series[1]});
    v.bodies.push_back({&cloth_mesh, theme.series[2]});
    v.bodies.push_back({.mesh = &box_mesh, .color = theme.series[3], .wireframe = true});
    v.add_pin({-0.85f, 1.55f, -0.95f});
    v.add_pin({0.35f, 1.55f, -0.95f});
    v.add_grab({-0.62f, 0.88f, 0.5f}, {-0.25f, 1.28f, 0.75f});
    TrailView trail;
    for (int i = 0; i <= 60; ++i) {
      const float t = static_cast<float>(i) / 60;
      trail.points.push_back({1.2f - 0.35f * t * t, 0.35f + 0.95f * t - 0.35f * t * t, 0.55f * std::cos(3 * t) - 0.1f});
    }
    trail.color = theme.series[1];
    v.trails.push_back(trail);
    return v;
  }
};

/// The same stage with the overlays: a heat map, a ghost of where a body was, a line to an attachment.
View overlays(Scene& scene, const Theme& theme, float pixel_ratio) {
  View v = scene.view(theme, pixel_ratio);
  scene.bar_mesh.set_scalars(scene.bar_strain);
  v.bodies[3].wireframe = false;
  v.bodies[0].wireframe = true;
  v.bodies.push_back({.mesh = &scene.ghost_mesh, .color = theme.series[3], .opacity = 0.3f});
  v.add_attachment({0.36f, 0.42f, 1.06f}, {0.75f, 0.8f, 1.2f});
  return v;
}

double render_ms(Renderer& renderer, const View& view, const RenderTarget& target, int repeats) {
  target.bind();
  renderer.draw(view, target.viewport());
  glFinish();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) {
    renderer.draw(view, target.viewport());
    glFinish();
  }
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / repeats;
}

/// A decaying and a growing oscillation, as under a pane of a comparison.
Chart example_chart(const Theme& theme) {
  Chart chart;
  chart.title = "Energy";
  chart.x_unit = "s";
  chart.y_unit = "J";
  chart.curves = {{"total", theme.text, {}, {}, 2.0f},
                  {"kinetic", theme.series[0], {}, {}, 1.5f},
                  {"elastic", theme.series[1], {}, {}, 1.5f}};
  for (int i = 0; i <= 400; ++i) {
    const double t = 0.02 * i;
    const double total = 1800 * std::exp(-0.05 * t);
    const double share = 0.5 + 0.5 * std::cos(3.1 * t);
    for (const auto& [curve, value] :
         {std::pair{0, total}, std::pair{1, total * share}, std::pair{2, total * (1 - share)}}) {
      chart.curves[static_cast<std::size_t>(curve)].x.push_back(t);
      chart.curves[static_cast<std::size_t>(curve)].y.push_back(value);
    }
  }
  return chart;
}

/// A pane of a recorded video: the picture, its name, its chart.
Image pane(Scene& scene, Renderer& renderer, const Theme& theme, Font& font) {
  const RenderTarget target(640, 480);
  View view = scene.view(theme, 1);
  view.camera.resize(target.width(), target.height());
  view.camera.home(view.bounds());
  view.camera.finish();
  target.bind();
  renderer.draw(view, target.viewport());
  Image image(640, 660);
  copy_into(image, target.read(), 0, 0);
  font.draw(image, "Implicit midpoint, stabilised", 18, 32, 18, theme.text);
  draw_chart(image, {0, 480, 640, 180}, example_chart(theme), theme, font);
  return image;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  OffscreenContext context;
  gl::report_driver_messages();
  std::printf("%s\n", gl::renderer_name().c_str());
  Scene scene;
  Font font = Font::find();
  const auto picture = [&](const std::string& name, const RenderSettings& settings, View view, int scale) {
    Renderer renderer(settings);
    const RenderTarget target(1280 * scale, 720 * scale);
    view.camera.resize(target.width(), target.height());
    view.camera.home(view.bounds());
    view.camera.finish();
    const double ms = render_ms(renderer, view, target, 3);
    const std::string path = folder + "/" + name + ".png";
    write_png(target.read(), path);
    std::printf("%-28s %7.2f ms\n", path.c_str(), ms);
  };
  const RenderSettings fast{Antialiasing::none, ShadowQuality::fast};
  const RenderSettings smoothed{Antialiasing::fxaa, ShadowQuality::fast};
  for (const auto& [theme, name] : {std::pair{&dark_theme(), "dark"}, std::pair{&light_theme(), "light"}}) {
    const std::string prefix = name;
    scene.bar_mesh.set_scalars({});
    picture(prefix + "_fast_1x", fast, scene.view(*theme, 1), 1);
    picture(prefix + "_fxaa_1x", smoothed, scene.view(*theme, 1), 1);
    picture(prefix + "_fine_1x", RenderSettings::finest(), scene.view(*theme, 1), 1);
    picture(prefix + "_fine_2x", RenderSettings::finest(), scene.view(*theme, 2), 2);
    picture(prefix + "_overlays_1x", RenderSettings::finest(), overlays(scene, *theme, 1), 1);
    Renderer renderer(RenderSettings::finest());
    write_png(pane(scene, renderer, *theme, font), folder + "/" + prefix + "_pane.png");
  }
}
