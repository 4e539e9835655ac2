#include "render/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "render/floor_pass.hpp"
#include "render/scene_target.hpp"
#include "render/shader.hpp"
#include "render/shadow_pass.hpp"
#include "render/stroke_pass.hpp"

namespace rebound::render {

namespace {

constexpr GLuint frame_binding = 0;

/// Each plane with shadows costs two more drawings of all casters.
constexpr std::size_t max_shaded_planes = 4;

/// Mirrors shaders/frame.glsl (std140: every member is a multiple of 16 bytes).
struct FrameUniforms {
  Mat4 view_projection;
  Mat4 shadow_from_world;
  Vec4 eye;
  Vec4 to_light;
  Vec4 key_light;
  Vec4 sky_light;
  Vec4 bounce_light;
  Vec4 rim_light;
  Vec4 viewport;
  Vec4 shadow_size;
  Vec4 floor_plane;
  Vec4 floor_reach;
};
static_assert(sizeof(FrameUniforms) == 2 * 64 + 10 * 16);

/// From the upper left, a little in front: the light of a studio.
Vec3 light_direction() { return Vec3(-0.52f, 0.80f, 0.30f).normalized(); }

Vec4 with_w(const Vec3& v, float w) { return {v.x(), v.y(), v.z(), w}; }

/// What may cast shadows on what is seen: bodies that have flown off must not stretch the map over kilometres.
Box shadow_casters(const View& view) {
  Box box;
  for (const BodyView& body : view.bodies) {
    if (body.casts_shadow && body.opacity >= 1) box.extend(body.mesh->bounds());
  }
  const float reach = 6 * view.camera.pose().distance;
  const Vec3& target = view.camera.pose().target;
  return box.intersection(Box(target.array() - reach, target.array() + reach));
}

int shadow_resolution(ShadowQuality quality) { return quality == ShadowQuality::fine ? 2048 : 512; }

std::vector<std::string> quality_defines(ShadowQuality quality) {
  if (quality == ShadowQuality::fine) return {"FINE"};
  return {};
}

/// One of the body program's variants.
ProgramSources body_sources(ShadowQuality quality, bool wireframe, bool heat) {
  ProgramSources sources{"body.vert.glsl", "body.frag.glsl", {}, quality_defines(quality)};
  if (quality != ShadowQuality::off) sources.defines.push_back("SHADOWS");
  if (heat) sources.defines.push_back("HEAT");
  if (wireframe) {
    sources.defines.push_back("WIREFRAME");
    sources.geometry = "wireframe.geom.glsl";
  }
  return sources;
}

/// What one call of draw() works out once for all of its passes.
struct Frame {
  Vec3 to_light;
  Box casters;
  ShadowWindow shadow;
  std::vector<FloorWindow> floors;  ///< of the first planes, those that have a mask
};

void make_heat_texture(GLuint texture) {
  constexpr int size = 256;
  std::array<Vec3, size> texels;
  for (std::size_t i = 0; i < size; ++i) texels[i] = linear(heat_color(static_cast<float>(i) / (size - 1)));
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB16F, size, 1, 0, GL_RGB, GL_FLOAT, texels.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, 0);
}

}  // namespace

struct Renderer::Parts {
  explicit Parts(const RenderSettings& chosen)
      : settings(chosen),
        background({"fullscreen.vert.glsl", "background.frag.glsl", {}, quality_defines(chosen.shadows)}),
        shadows(shadow_resolution(chosen.shadows)),
        floor(chosen.shadows == ShadowQuality::fine),
        target(chosen.antialiasing) {
    make_heat_texture(heat_map.id());
    glBindBuffer(GL_UNIFORM_BUFFER, frame_buffer.id());
    glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameUniforms), nullptr, GL_STREAM_DRAW);
    glBindBuffer(GL_UNIFORM_BUFFER, 0);
  }

  Frame prepare(const View& view);
  void send_uniforms(const View& view, const Frame& frame, const Viewport& viewport);
  void draw_background(const Theme& theme, const Viewport& area);
  void draw_body(const View& view, const BodyView& body_view);
  void draw_ghosts(const View& view);
  void draw_scene(const View& view, const Frame& frame, const Viewport& area);

  RenderSettings settings;
  Program background;
  std::array<std::optional<Program>, 4> bodies;  ///< compiled when first used
  ShadowMap shadows;
  std::vector<FloorMask> masks;
  FloorPass floor;
  StrokePass strokes;
  SceneTarget target;
  gl::Buffer frame_buffer;
  gl::Texture heat_map;
  gl::VertexArray no_attributes;
};

Frame Renderer::Parts::prepare(const View& view) {
  Frame frame;
  frame.to_light = light_direction();
  frame.casters = shadow_casters(view);
  if (settings.shadows == ShadowQuality::off || frame.casters.isEmpty()) return frame;
  frame.shadow = fit_shadow_window(frame.casters, frame.to_light, shadows.resolution());
  shadows.draw(view, frame.shadow);
  for (std::size_t i = 0; i < std::min(view.planes.size(), max_shaded_planes); ++i) {
    if (i == masks.size()) masks.emplace_back(settings.shadows == ShadowQuality::fine ? 256 : 112);
    frame.floors.push_back(fit_floor_window(frame.casters, view.planes[i], frame.to_light));
    masks[i].draw(view, frame.floors[i]);
  }
  return frame;
}

void Renderer::Parts::send_uniforms(const View& view, const Frame& frame, const Viewport& viewport) {
  const Theme& theme = *view.theme;
  FrameUniforms u;
  u.view_projection = view.camera.view_projection();
  u.shadow_from_world = frame.shadow.map_from_world;
  u.shadow_size = with_w(frame.shadow.size, frame.shadow.texel);
  u.eye = with_w(view.camera.eye(), 1);
  u.to_light = with_w(frame.to_light, 0);
  u.key_light = with_w(theme.key_strength * Vec3(1.0f, 0.955f, 0.89f), 0);
  u.sky_light = with_w(theme.ambient_strength * linear(theme.sky_light), 0);
  u.bounce_light = with_w(theme.ambient_strength * linear(theme.bounce_light), 0);
  u.rim_light = with_w(linear(theme.rim_light), 0);
  u.viewport = Vec4(static_cast<float>(viewport.width), static_cast<float>(viewport.height), 0, 0);
  u.floor_plane = with_w(Vec3::UnitY(), 0);
  u.floor_reach.setZero();
  if (!view.planes.empty()) {
    const PlaneView& plane = view.planes.front();
    u.floor_plane = with_w(plane.normal, plane.offset);
    u.floor_reach.x() = frame.casters.isEmpty() ? 0.0f : 0.16f * frame.casters.diagonal().norm();
  }
  glBindBuffer(GL_UNIFORM_BUFFER, frame_buffer.id());
  glBufferData(GL_UNIFORM_BUFFER, sizeof u, &u, GL_STREAM_DRAW);
  glBindBuffer(GL_UNIFORM_BUFFER, 0);
  glBindBufferBase(GL_UNIFORM_BUFFER, frame_binding, frame_buffer.id());
}

void Renderer::Parts::draw_background(const Theme& theme, const Viewport& area) {
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_FALSE);
  background.use();
  set_background(background, theme, area);
  glBindVertexArray(no_attributes.id());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
}

void Renderer::Parts::draw_body(const View& view, const BodyView& body_view) {
  const bool heat = body_view.shows_heat && body_view.mesh->has_scalars();
  std::optional<Program>& variant = bodies[(body_view.wireframe ? 1 : 0) + (heat ? 2 : 0)];
  if (!variant) variant.emplace(body_sources(settings.shadows, body_view.wireframe, heat));
  Program& program = *variant;
  program.use();
  program.set("shadow_map", ShadowMap::compare_unit);
  program.set("shadow_depth", ShadowMap::depth_unit);
  program.set("heat_map", 0);
  program.set("base", with_w(linear(body_view.color), body_view.opacity));
  program.set("heat_range", Vec2(body_view.heat_low, body_view.heat_high));
  if (body_view.wireframe) {
    const Color& wire = view.theme->wire;
    program.set("wire", Vec4(wire.r, wire.g, wire.b, wire.a));
    program.set("wire_width", view.pixel_ratio);
  }
  // Front sides first: they hide the back sides of a closed body, which then cost next to nothing.
  glEnable(GL_CULL_FACE);
  for (const GLenum hidden : {GL_BACK, GL_FRONT}) {
    glCullFace(hidden);
    body_view.mesh->draw();
  }
  glCullFace(GL_BACK);
  glDisable(GL_CULL_FACE);
}

void Renderer::Parts::draw_ghosts(const View& view) {
  for (const BodyView& ghost : view.bodies) {
    if (ghost.opacity >= 1) continue;
    // Depth first, so that of a ghost only the side that faces the eye shines through.
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    draw_body(view, ghost);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthFunc(GL_LEQUAL);
    draw_body(view, ghost);
    glDepthFunc(GL_LESS);
    glDisable(GL_BLEND);
  }
}

void Renderer::Parts::draw_scene(const View& view, const Frame& frame, const Viewport& area) {
  glClear(GL_DEPTH_BUFFER_BIT);
  glBindTexture(GL_TEXTURE_2D, heat_map.id());
  if (settings.shadows != ShadowQuality::off) shadows.bind();

  // From front to back as far as one can tell, so that what is hidden is not shaded.
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  for (const BodyView& body_view : view.bodies) {
    if (body_view.opacity >= 1) draw_body(view, body_view);
  }
  const bool stands_on_floor = !view.planes.empty() && floor.is_opaque(view, view.planes.front());
  if (stands_on_floor) floor.draw_opaque(view, view.planes.front(), area);
  draw_background(*view.theme, area);
  // The picture is opaque now, and what is blended over it leaves it so.
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
  for (std::size_t i = stands_on_floor ? 1 : 0; i < view.planes.size(); ++i) floor.draw_blended(view, view.planes[i]);
  for (std::size_t i = 0; i < frame.floors.size(); ++i) {
    masks[i].bind();
    floor.draw_shadow(view, view.planes[i], frame.floors[i]);
  }
  draw_ghosts(view);
  strokes.draw(view);
  unbind_shadows();
  glBindTexture(GL_TEXTURE_2D, 0);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

RenderSettings RenderSettings::for_current_context() {
  if (gl::is_software()) return {Antialiasing::none, ShadowQuality::fast};
  return finest();
}

Renderer::Renderer(const RenderSettings& settings) : parts_(std::make_unique<Parts>(settings)) {}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

const RenderSettings& Renderer::settings() const { return parts_->settings; }

void Renderer::set_settings(const RenderSettings& settings) {
  if (settings != parts_->settings) parts_ = std::make_unique<Parts>(settings);
}

void Renderer::draw(const View& given, const Viewport& viewport) {
  if (viewport.empty()) return;
  View view = given;
  view.camera.resize(viewport.width, viewport.height);

  const gl::KeepFramebuffer keep;
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_BLEND);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthMask(GL_TRUE);
  glActiveTexture(GL_TEXTURE0);

  const Frame frame = parts_->prepare(view);
  parts_->send_uniforms(view, frame, viewport);
  parts_->target.begin(viewport, keep.draw());
  if (parts_->settings.antialiasing == Antialiasing::none) {
    // Clearing minds the scissor, not the viewport; other panes keep their pixels.
    glEnable(GL_SCISSOR_TEST);
    glScissor(viewport.x, viewport.y, viewport.width, viewport.height);
  }
  parts_->draw_scene(view, frame, parts_->target.area(viewport));
  glDisable(GL_SCISSOR_TEST);
  parts_->target.end(viewport, keep.draw());
  glDisable(GL_DEPTH_TEST);
  glUseProgram(0);
}

}  // namespace rebound::render
