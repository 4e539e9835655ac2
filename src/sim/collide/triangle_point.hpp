// The point of a triangle that is nearest to another point.
#pragma once

#include <Eigen/Geometry>
#include <array>

#include "sim/base/types.hpp"

namespace rebound::sim {

using Corners = std::array<Vec3, 3>;

struct TrianglePoint {
  Vec3 weights;  ///< of the corners, in [0, 1], their sum 1; 0 for a corner that has no part in it
  Vec3 at;       ///< m
  double squared_distance;
};

/// By the regions of space in which a corner, an edge or the face is nearest.
TrianglePoint nearest_in_triangle(const Corners& corners, const Vec3& p);

/// Twice the area along the side from which the corners run counter-clockwise, m^2.
inline Vec3 area_normal(const Corners& c) { return (c[1] - c[0]).cross(c[2] - c[0]); }

}  // namespace rebound::sim
