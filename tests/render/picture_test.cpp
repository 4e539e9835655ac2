// Pictures of known scenes, drawn off screen.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <optional>
#include <random>

#include "render/offscreen.hpp"
#include "render/renderer.hpp"
#include "render/shader.hpp"
#include "render/shapes.hpp"

namespace rebound::render {
namespace {

/// A context for each test, which is skipped only where EGL itself is missing.
class Picture : public testing::Test {
 protected:
  void SetUp() override {
    try {
      context.emplace();
    } catch (const GlError& missing) {
      GTEST_SKIP() << missing.what();
    }
  }
  void TearDown() override {
    if (context) {
      EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    }
  }
  std::optional<OffscreenContext> context;
};

constexpr RenderSettings plain{Antialiasing::none, ShadowQuality::fast};

/// A ball of radius 0.5 m on the floor.
Shape ball_on_floor() {
  Shape shape = make_sphere(0.5f, 16);
  for (std::size_t i = 1; i < shape.positions.size(); i += 3) shape.positions[i] += 0.5f;
  return shape;
}

View view_of(const BodyMesh& mesh) {
  View view;
  view.bodies.push_back({&mesh, view.theme->series[0]});
  view.planes.push_back({});
  view.camera.resize(320, 240);
  view.camera.set_pose({Vec3(0, 0.5f, 0), 0.6f, 0.35f, 4.5f});
  return view;
}

Image draw(Renderer& renderer, const View& view, int width = 320, int height = 240) {
  const RenderTarget target(width, height);
  target.bind();
  renderer.draw(view, target.viewport());
  return target.read();
}

int brightness(const Image& image, const Vec2& at) {
  const std::uint8_t* p = image.pixel(static_cast<int>(at.x()), static_cast<int>(at.y()));
  return p[0] + p[1] + p[2];
}

class EveryQuality : public Picture, public testing::WithParamInterface<RenderSettings> {};

TEST_P(EveryQuality, ShowsBodyBackgroundAndShadow) {
  const Shape ball = ball_on_floor();
  const BodyMesh mesh(ball.positions, ball.triangles);
  Renderer renderer(GetParam());
  const View view = view_of(mesh);
  const Image image = draw(renderer, view);

  const std::uint8_t* middle = image.pixel(160, 120);
  EXPECT_GT(middle[0], middle[1] + 40) << "coral is mostly red";
  EXPECT_GT(middle[0], middle[2] + 40);
  EXPECT_EQ(middle[3], 255);

  const std::uint8_t* corner = image.pixel(2, 2);
  EXPECT_NEAR(corner[0], 255 * view.theme->background_top.r, 12);
  EXPECT_NEAR(corner[2], 255 * view.theme->background_top.b, 12);

  // The light comes from the left and a little in front: the shadow falls to the right and behind.
  const Vec2 in_shadow = view.camera.project(Vec3(0.55f, 0, -0.3f)).pixel;
  const Vec2 in_light = view.camera.project(Vec3(-0.95f, 0, 0.55f)).pixel;
  if (GetParam().shadows != ShadowQuality::off) {
    EXPECT_LT(brightness(image, in_shadow), brightness(image, in_light) - 25);
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, EveryQuality,
                         testing::Values(RenderSettings{Antialiasing::none, ShadowQuality::off},
                                         RenderSettings{Antialiasing::none, ShadowQuality::fast},
                                         RenderSettings{Antialiasing::fxaa, ShadowQuality::fast},
                                         RenderSettings{Antialiasing::msaa4, ShadowQuality::fine}));

TEST_F(Picture, TheSameViewGivesTheSameBytes) {
  const Shape ball = ball_on_floor();
  const BodyMesh mesh(ball.positions, ball.triangles);
  Renderer first(RenderSettings::finest()), second(RenderSettings::finest());
  EXPECT_EQ(draw(first, view_of(mesh)).rgba, draw(second, view_of(mesh)).rgba);
}

TEST_F(Picture, PanesDoNotTouchEachOther) {
  const Shape ball = ball_on_floor();
  const BodyMesh mesh(ball.positions, ball.triangles);
  for (const Antialiasing antialiasing : {Antialiasing::none, Antialiasing::fxaa, Antialiasing::msaa4}) {
    Renderer renderer({antialiasing, ShadowQuality::fast});
    const RenderTarget target(640, 240);
    target.bind();
    glClearColor(1, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    renderer.draw(view_of(mesh), {320, 0, 300, 240});
    const Image image = target.read();
    for (const int x : {0, 319, 620, 639}) {
      EXPECT_EQ(image.pixel(x, 100)[0], 255);
      EXPECT_EQ(image.pixel(x, 100)[1], 0);
    }
    const Image alone = draw(renderer, view_of(mesh), 300, 240);
    EXPECT_NEAR(image.pixel(470, 120)[0], alone.pixel(150, 120)[0], 2);
  }
}

TEST_F(Picture, RandomViewportsGiveNoErrors) {
  const Shape ball = ball_on_floor();
  BodyMesh mesh(ball.positions, ball.triangles);
  const std::vector<float> scalars(mesh.vertex_count(), 0.5f);
  View view = view_of(mesh);
  view.bodies.push_back({.mesh = &mesh, .color = view.theme->series[1], .opacity = 0.4f, .wireframe = true});
  view.add_grab(Vec3(0, 1, 0), Vec3(0, 2, 1));
  view.add_pin(Vec3(0.5f, 0.5f, 0));
  view.add_attachment(Vec3::Zero(), Vec3::Ones());
  view.trails.push_back({{Vec3(0, 0, 0), Vec3(1, 1, 1), Vec3(1, 2, 1), Vec3(1, 2, 1)}, view.theme->series[2]});
  std::mt19937 random(5);
  std::uniform_int_distribution<int> size(0, 400), position(-20, 60), yes(0, 1);
  for (const Antialiasing antialiasing : {Antialiasing::none, Antialiasing::fxaa, Antialiasing::msaa4}) {
    Renderer renderer({antialiasing, ShadowQuality::fast});
    const RenderTarget target(400, 400);
    target.bind();
    renderer.draw(view, {0, 0, 0, 0});
    renderer.draw(view, {0, 0, 1, 1});
    renderer.draw(view, {0, 0, 1, 300});
    renderer.draw(view, {5, 5, -3, 10});
    for (int i = 0; i < 70; ++i) {
      mesh.set_scalars(yes(random) ? std::span<const float>(scalars) : std::span<const float>());
      view.camera.orbit(Vec2(static_cast<float>(size(random)), static_cast<float>(position(random))));
      renderer.draw(view, {position(random), position(random), size(random), size(random)});
      ASSERT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR)) << i;
    }
  }
}

TEST_F(Picture, TrailsFadeUnlessTheyAreToldNotTo) {
  View view;
  view.camera.resize(320, 240);
  view.camera.set_pose({Vec3::Zero(), 0, 0, 4});
  view.trails.push_back({{Vec3(-0.8f, 0, 0), Vec3::Zero(), Vec3(0.8f, 0, 0)}, view.theme->series[0], 6});
  Renderer renderer(plain);
  const Vec2 begin = view.camera.project(Vec3(-0.75f, 0, 0)).pixel, end = view.camera.project(Vec3(0.75f, 0, 0)).pixel;
  const Image fading = draw(renderer, view);
  view.trails[0].fades = false;
  const Image even = draw(renderer, view);
  EXPECT_LT(brightness(fading, begin), brightness(fading, end) - 100);
  EXPECT_EQ(brightness(even, begin), brightness(even, end));
  EXPECT_NEAR(brightness(even, end), brightness(fading, end), 40);
}

TEST_F(Picture, APageHasAColourOfItsOwn) {
  View view;
  view.camera.resize(320, 240);
  view.camera.set_pose({Vec3::Zero(), 0, 0, 4});
  view.planes.push_back({Vec3::UnitZ(), -0.5f, true});
  for (const Theme* theme : {&dark_theme(), &light_theme()}) {
    view.theme = theme;
    Renderer renderer(plain);
    view.planes[0].is_paper = true;
    const Image page = draw(renderer, view);
    view.planes[0].is_paper = false;
    const Image wall = draw(renderer, view);
    // Between the lines of the grid.
    const Vec2 gap = view.camera.project(Vec3(0.03f, 0.03f, -0.5f)).pixel;
    const std::uint8_t* p = page.pixel(static_cast<int>(gap.x()), static_cast<int>(gap.y()));
    EXPECT_NEAR(p[0], 255 * theme->paper.r, 12);
    EXPECT_NEAR(p[2], 255 * theme->paper.b, 12);
    EXPECT_NE(brightness(page, gap), brightness(wall, gap));
  }
}

TEST_F(Picture, BearsPositionsThatAreNotFinite) {
  Shape ball = ball_on_floor();
  BodyMesh mesh(ball.positions, ball.triangles);
  Renderer renderer(plain);
  const Image sound = draw(renderer, view_of(mesh));
  for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30f}) {
    std::vector<float> positions = ball.positions;
    positions[30] = wrong;
    mesh.update(positions);
    const Image image = draw(renderer, view_of(mesh));
    EXPECT_NEAR(image.pixel(2, 2)[0], sound.pixel(2, 2)[0], 3) << "the rest of the picture stays";
    std::fill(positions.begin(), positions.end(), wrong);
    mesh.update(positions);
    draw(renderer, view_of(mesh));
  }
}

TEST_F(Picture, TheEmptyViewIsTheBackground) {
  Renderer renderer(plain);
  const Image image = draw(renderer, View());
  EXPECT_NEAR(image.pixel(160, 238)[1], 255 * dark_theme().background_bottom.g, 3);
}

TEST_F(Picture, GhostsLetThroughAndCastNoShadow) {
  const Shape ball = ball_on_floor();
  const BodyMesh mesh(ball.positions, ball.triangles);
  Renderer renderer(plain);
  View view = view_of(mesh);
  const Image solid = draw(renderer, view);
  view.bodies[0].opacity = 0.3f;
  const Image ghost = draw(renderer, view);
  view.bodies.clear();
  const Image empty = draw(renderer, view);
  EXPECT_LT(ghost.pixel(160, 120)[0], solid.pixel(160, 120)[0]);
  EXPECT_GT(ghost.pixel(160, 120)[0], empty.pixel(160, 120)[0] + 10);
  const Vec2 in_shadow = view.camera.project(Vec3(0.75f, 0, -0.6f)).pixel;
  EXPECT_NEAR(brightness(ghost, in_shadow), brightness(empty, in_shadow), 6);
}

TEST_F(Picture, WithoutCastersEverythingIsLit) {
  const Shape ball = ball_on_floor();
  const BodyMesh mesh(ball.positions, ball.triangles);
  View view = view_of(mesh);
  view.planes.clear();
  view.bodies[0].casts_shadow = false;
  for (const ShadowQuality quality : {ShadowQuality::fast, ShadowQuality::fine}) {
    Renderer with({Antialiasing::none, quality}), without({Antialiasing::none, ShadowQuality::off});
    EXPECT_NEAR(brightness(draw(with, view), Vec2(150, 100)), brightness(draw(without, view), Vec2(150, 100)), 6);
  }
}

TEST_F(Picture, TheHeatMapColoursByScalars) {
  const Shape ball = ball_on_floor();
  BodyMesh mesh(ball.positions, ball.triangles);
  Renderer renderer(plain);
  mesh.set_scalars(std::vector<float>(mesh.vertex_count(), 0.0f));
  const Image cold = draw(renderer, view_of(mesh));
  mesh.set_scalars(std::vector<float>(mesh.vertex_count(), 0.8f));
  const Image hot = draw(renderer, view_of(mesh));
  EXPECT_GT(cold.pixel(160, 120)[2], cold.pixel(160, 120)[0]);
  EXPECT_GT(hot.pixel(160, 120)[0], hot.pixel(160, 120)[2] + 40);
}

TEST_F(Picture, DrawingLeavesTheFramebufferAndViewport) {
  const Shape ball = ball_on_floor();
  const BodyMesh mesh(ball.positions, ball.triangles);
  Renderer renderer(RenderSettings::finest());
  const RenderTarget target(64, 64);
  target.bind();
  GLint before = 0, after = 0, viewport[4];
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
  glViewport(1, 2, 33, 44);
  renderer.draw(view_of(mesh), target.viewport());
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &after);
  glGetIntegerv(GL_VIEWPORT, viewport);
  EXPECT_EQ(before, after);
  EXPECT_EQ(viewport[3], 44);
  EXPECT_FALSE(glIsEnabled(GL_DEPTH_TEST));
  EXPECT_FALSE(glIsEnabled(GL_BLEND));
  EXPECT_FALSE(glIsEnabled(GL_SCISSOR_TEST));
}

TEST_F(Picture, MissingShadersAreNamed) {
  try {
    Program({"no_such.glsl", "body.frag.glsl"});
    FAIL();
  } catch (const GlError& error) {
    EXPECT_NE(std::string(error.what()).find("no_such.glsl"), std::string::npos);
  }
}

}  // namespace
}  // namespace rebound::render
