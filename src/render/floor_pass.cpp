#include "render/floor_pass.hpp"

#include <algorithm>
#include <cmath>

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

/// How strong lines `spacing` apart are, where lines `wanted` apart are just far enough: grows over two decades.
float line_strength(float spacing, float wanted) {
  const float decades = std::log10(spacing / wanted);
  return 0.4f * std::clamp(decades, 0.0f, 1.0f) + 0.6f * std::clamp(decades - 1, 0.0f, 1.0f);
}

/// The coordinate from the nearest multiple of `period`, so that floats keep their digits far from the origin.
float within(double coordinate, double period) { return static_cast<float>(std::remainder(coordinate, period)); }

Vec3 srgb(const Color& color) { return {color.r, color.g, color.b}; }

}  // namespace

FloorPass::FloorPass(bool fine_shadows)
    : floor_program_({"floor.vert.glsl", "floor.frag.glsl"}),
      shadow_program_({"floor.vert.glsl",
                       "floor_shadow.frag.glsl",
                       {},
                       fine_shadows ? std::vector<std::string>{"FINE"} : std::vector<std::string>{}}) {}

void FloorPass::draw_floor(const View& view, const PlaneView& plane) {
  const Theme& theme = *view.theme;
  const Pool pool = pool_of(view.camera, plane);
  const PlaneFrame frame = frame_of(plane);
  const GridScale scale = grid_scale(view.camera);
  const Vec3 spacing(scale.minor, scale.major, 10 * scale.major);

  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  // From below, the floor is glass: one looks through it at what stands there.
  glDepthMask(pool.seen_from_above ? GL_TRUE : GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  floor_program_.use();
  floor_program_.set("ground", srgb(theme.ground));
  floor_program_.set("line_color", Vec4(theme.grid_line.r, theme.grid_line.g, theme.grid_line.b, theme.grid_line.a));
  floor_program_.set("spacing", spacing);
  floor_program_.set("strength", Vec3(spacing.unaryExpr([&](float s) { return line_strength(s, scale.wanted); })));
  floor_program_.set("half_size", Vec2(pool.radius, pool.radius));
  floor_program_.set("grid_origin", Vec2(within(frame.u.dot(pool.centre), spacing.z()),
                                         within(frame.v.dot(pool.centre), spacing.z())));
  floor_program_.set("opacity", pool.seen_from_above ? 1.0f : 0.25f);
  floor_program_.set("line_width", view.pixel_ratio);
  draw_rectangle(floor_program_, pool.centre, pool.radius * frame.u, pool.radius * frame.v);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

void FloorPass::draw_shadow(const View& view, const PlaneView& plane, const Box& casters, const Vec3& to_light,
                            const ContactWindow* contact) {
  const Pool pool = pool_of(view.camera, plane);
  if (!pool.seen_from_above) return;
  const PlaneFrame frame = frame_of(plane);
  const float slope = plane.normal.dot(to_light);
  const Vec3 foot = pool.centre;
  Eigen::AlignedBox2f footprint;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner = casters.corner(static_cast<Box::CornerType>(i));
    const float height = std::max(plane.normal.dot(corner) - plane.offset, 0.0f);
    for (const Vec3& p : {corner, Vec3(corner - to_light * (height / std::max(slope, 0.05f)))}) {
      footprint.extend(Vec2(frame.u.dot(p - foot), frame.v.dot(p - foot)));
    }
  }
  const float margin = 0.1f * casters.diagonal().norm() + (contact ? contact->height : 0.0f);
  footprint.min().array() -= margin;
  footprint.max().array() += margin;
  footprint.clamp(Eigen::AlignedBox2f(Vec2::Constant(-pool.radius), Vec2::Constant(pool.radius)));
  if (footprint.isEmpty()) return;

  glEnable(GL_BLEND);
  glBlendFunc(GL_ZERO, GL_SRC_COLOR);
  glDepthMask(GL_FALSE);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(-1.0f, -8.0f);
  shadow_program_.use();
  shadow_program_.set("shadow_map", ShadowPass::compare_unit);
  shadow_program_.set("shadow_depth", ShadowPass::depth_unit);
  shadow_program_.set("contact_map", ShadowPass::contact_unit);
  shadow_program_.set("normal", plane.normal);
  shadow_program_.set("shadow", srgb(view.theme->shadow));
  shadow_program_.set("contact_from_world", contact ? contact->map_from_world : Mat4(Mat4::Identity()));
  shadow_program_.set("contact_strength", contact ? 0.85f : 0.0f);
  shadow_program_.set("fade_centre", pool.centre);
  shadow_program_.set("fade_radius", pool.radius);
  const Vec2 centre = footprint.center();
  const Vec2 half = 0.5f * footprint.sizes();
  draw_rectangle(shadow_program_, foot + centre.x() * frame.u + centre.y() * frame.v, half.x() * frame.u,
                 half.y() * frame.v);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

void FloorPass::draw_rectangle(Program& program, const Vec3& origin, const Vec3& side_u, const Vec3& side_v) {
  program.set("origin", origin);
  program.set("side_u", side_u);
  program.set("side_v", side_v);
  glBindVertexArray(no_attributes_.id());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glBindVertexArray(0);
}

}  // namespace rebound::render
