// Where shadows are looked at from: the light's window on the casters, and the floor's. Pure geometry.
#pragma once

#include "render/view.hpp"

namespace rebound::render {

/// Takes every point to one place beside the map, where nothing casts a shadow.
Mat4 beside_the_map();

/// The light's view of what casts shadows.
struct ShadowWindow {
  Mat4 map_from_world = beside_the_map();  ///< to [0, 1] in each direction
  Vec3 size = Vec3::Ones();                ///< width, height, depth range: metres
  float texel = 1;                         ///< metres
};

/// Covers `casters` in steps, so that shadow edges do not crawl while a body moves. `to_light` has length 1.
ShadowWindow fit_shadow_window(const Box& casters, const Vec3& to_light, int resolution);

/// Two directions that span a plane; with its normal they make a right-handed frame.
struct PlaneFrame {
  Vec3 u;
  Vec3 v;
};
PlaneFrame frame_of(const PlaneView& plane);

/// The rectangle of a floor that shadows can reach, seen from below.
struct FloorWindow {
  Mat4 map_from_world = Mat4::Identity();  ///< x, y: where a point's shadow falls, 0..1; z: its height, 1 at `height`
  Vec3 centre = Vec3::Zero();              ///< metres
  Vec2 half_size = Vec2::Ones();           ///< along the plane's frame, metres
  float height = 1;                        ///< metres above the floor within which a caster darkens it by being near
};

FloorWindow fit_floor_window(const Box& casters, const PlaneView& plane, const Vec3& to_light);

/// From [0, 1] in each direction to OpenGL's [-1, 1].
Mat4 to_clip(const Mat4& to_unit_cube);

}  // namespace rebound::render
