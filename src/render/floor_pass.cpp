#include "render/floor_pass.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "render/shadow_pass.hpp"

namespace rebound::render {

namespace {

/// The disc of a plane that is drawn: round what the camera looks at.
struct Pool {
  Vec3 centre;
  float radius;
  bool seen_from_above;
};

Pool pool_of(const Camera& camera, const PlaneView& plane) {
  const Vec3& target = camera.pose().target;
  const float target_height = plane.normal.dot(target) - plane.offset;
  const float eye_height = plane.normal.dot(camera.eye()) - plane.offset;
  return {target - target_height * plane.normal, 7 * camera.pose().distance + 3 * std::abs(eye_height), eye_height > 0};
}

/// The coordinate from the nearest multiple of `period`, so that floats keep their digits far from the origin.
float within(double coordinate, double period) { return static_cast<float>(std::remainder(coordinate, period)); }

Vec3 srgb(const Color& color) { return {color.r, color.g, color.b}; }

ProgramSources sources(const char* fragment, bool fine, std::vector<std::string> defines) {
  if (fine) defines.push_back("FINE");
  return {"floor.vert.glsl", fragment, {}, std::move(defines)};
}

}  // namespace

void set_background(Program& program, const Theme& theme, const Viewport& area) {
  program.set("background_top", srgb(theme.background_top));
  program.set("background_bottom", srgb(theme.background_bottom));
  program.set("background_area", Vec4(static_cast<float>(area.x), static_cast<float>(area.y),
                                      1 / static_cast<float>(area.width), 1 / static_cast<float>(area.height)));
}

FloorPass::FloorPass(bool fine)
    : floor_program_(sources("floor.frag.glsl", fine, {"GRID"})),
      glass_program_(sources("floor.frag.glsl", fine, {"GRID", "GLASS"})),
      shadow_program_(sources("floor_shadow.frag.glsl", fine, {})) {}

bool FloorPass::is_opaque(const View& view, const PlaneView& plane) {
  return pool_of(view.camera, plane).seen_from_above;
}

void FloorPass::draw_opaque(const View& view, const PlaneView& plane, const Viewport& area) {
  const Pool pool = pool_of(view.camera, plane);
  floor_program_.use();
  set_background(floor_program_, *view.theme, area);
  set_grid(floor_program_, view, plane);
  draw_rectangle(floor_program_, plane, pool.centre, Vec2::Constant(pool.radius));
}

void FloorPass::draw_blended(const View& view, const PlaneView& plane) {
  const Pool pool = pool_of(view.camera, plane);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(pool.seen_from_above ? GL_TRUE : GL_FALSE);
  glass_program_.use();
  glass_program_.set("opacity", pool.seen_from_above ? 1.0f : 0.25f);
  set_grid(glass_program_, view, plane);
  draw_rectangle(glass_program_, plane, pool.centre, Vec2::Constant(pool.radius));
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

void FloorPass::set_grid(Program& program, const View& view, const PlaneView& plane) {
  const Theme& theme = *view.theme;
  const Pool pool = pool_of(view.camera, plane);
  const PlaneFrame frame = frame_of(plane);
  const GridScale scale = grid_scale(view.camera, view.pixel_ratio);
  // Slopes and walls are a shade darker, so that one sees where planes meet.
  const float upward = std::max(plane.normal.y(), 0.0f);
  const Vec3 ground = (0.62f + 0.38f * upward * upward) * srgb(theme.ground);
  const Vec3 solid = 0.45f * srgb(theme.obstacle) + 0.55f * ground;
  const Vec3 marked = 0.25f * srgb(theme.grab) + 0.75f * solid;
  program.set("ground", plane.is_paper    ? srgb(theme.paper)
                        : plane.is_marked ? marked
                        : plane.is_solid  ? solid
                                          : ground);
  program.set("line_color", Vec4(theme.grid_line.r, theme.grid_line.g, theme.grid_line.b, theme.grid_line.a));
  program.set("minor_strength", scale.minor_strength);
  program.set("line_reach", 0.5f * view.pixel_ratio + 0.5f);
  program.set("half_steps", Vec2(Vec2::Constant(pool.radius / scale.minor)));
  program.set("centre_steps",
              Vec2(Vec2(within(frame.u.dot(pool.centre), scale.major), within(frame.v.dot(pool.centre), scale.major)) /
                   scale.minor));
}

void FloorPass::draw_shadow(const View& view, const PlaneView& plane, const FloorWindow& window) {
  const Pool pool = pool_of(view.camera, plane);
  if (!pool.seen_from_above) return;
  glEnable(GL_BLEND);
  glBlendFunc(GL_ZERO, GL_SRC_COLOR);
  glDepthMask(GL_FALSE);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(0.0f, -16.0f);
  shadow_program_.use();
  shadow_program_.set("shadow_map", ShadowMap::compare_unit);
  shadow_program_.set("shadow_depth", ShadowMap::depth_unit);
  shadow_program_.set("mask", FloorMask::unit);
  shadow_program_.set("normal", plane.normal);
  shadow_program_.set("shadow", srgb(view.theme->shadow));
  shadow_program_.set("fade_centre", pool.centre);
  shadow_program_.set("fade_radius", pool.radius);
  draw_rectangle(shadow_program_, plane, window.centre, window.half_size);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

void FloorPass::draw_rectangle(Program& program, const PlaneView& plane, const Vec3& centre, const Vec2& half_size) {
  const PlaneFrame frame = frame_of(plane);
  program.set("origin", centre);
  program.set("side_u", Vec3(half_size.x() * frame.u));
  program.set("side_v", Vec3(half_size.y() * frame.v));
  glBindVertexArray(no_attributes_.id());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glBindVertexArray(0);
}

}  // namespace rebound::render
