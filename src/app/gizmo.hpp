// Arrows and rings about the place of an obstacle, by which it is moved along an axis of the world or turned about one.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "render/camera.hpp"

namespace rebound::app {

using render::Vec2;
using render::Vec3;

/// What of it lies under the mouse, or is held.
struct GizmoPart {
  bool turns = false;  ///< a ring, not an arrow
  int axis = 0;        ///< x, y or z

  bool operator==(const GizmoPart&) const = default;
};

/// All that there is to hold.
inline constexpr std::array kGizmoParts{GizmoPart{false, 0}, GizmoPart{false, 1}, GizmoPart{false, 2},
                                        GizmoPart{true, 0},  GizmoPart{true, 1},  GizmoPart{true, 2}};

/// As large on every screen, wherever it stands.
class Gizmo {
 public:
  /// centre: m, in front of the camera; pixel_ratio: framebuffer pixels a point.
  Gizmo(const render::Camera& camera, const Vec3& centre, float pixel_ratio);

  /// Its line in the picture, pixels: the two ends of an arrow, from the centre on; or a closed ring.
  std::vector<Vec2> line(const GizmoPart& part) const;
  /// Arrows before rings, where both are in reach.
  std::optional<GizmoPart> pick(const Vec2& pixel) const;

  /// How far along the axis a drag goes, m; 0 where one looks along it.
  double moved(int axis, const Vec2& from, const Vec2& to) const;
  /// How far about the axis, rad, by the right hand; within half a turn.
  double turned(int axis, const Vec2& from, const Vec2& to) const;

 private:
  Vec2 seen(const Vec3& offset) const { return camera_.project(centre_ + offset).pixel; }

  const render::Camera& camera_;
  Vec3 centre_;
  float ratio_;
  float point_;  ///< m
};

}  // namespace rebound::app
