// What bodies bump into, each shape in its own frame, as the signed distance of a point from it.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <variant>

#include "sim/base/types.hpp"

namespace rebound::sim {

class SurfaceDistance;

/// The half-space below y = 0.
struct Plane {
  bool operator==(const Plane&) const = default;
};
/// About the origin.
struct Sphere {
  double radius = 1;  ///< m
  bool operator==(const Sphere&) const = default;
};
/// Centred at the origin.
struct Box {
  Vec3 half{0.5, 0.5, 0.5};  ///< m, half its size
  bool operator==(const Box&) const = default;
};
/// All points within `radius` of the stretch of the y axis from -half_length to half_length.
struct Capsule {
  double radius = 0.5;       ///< m
  double half_length = 0.5;  ///< m
  bool operator==(const Capsule&) const = default;
};
/// Around the y axis.
struct Torus {
  double radius = 1;   ///< m, of the ring's centre line
  double tube = 0.25;  ///< m, below `radius`
  bool operator==(const Torus&) const = default;
};
/// What a closed surface of triangles encloses.
struct TriangleSolid {
  std::shared_ptr<const SurfaceDistance> surface;  ///< never null
  bool operator==(const TriangleSolid&) const = default;
};

using Shape = std::variant<Plane, Sphere, Box, Capsule, Torus, TriangleSolid>;

/// Where a shape is nearest to a point.
struct Nearest {
  double distance;  ///< m, < 0 inside
  Vec3 normal;      ///< unit, outward, the gradient of the distance; where that has several, one of them
  Vec3 point;       ///< of the surface, m
};

Nearest nearest(const Shape& shape, const Vec3& p);

/// Is p outside, at a glance that costs far less than the nearest point? No answer but `true` means anything.
bool clearly_outside(const Shape& shape, const Vec3& p);

/// The box around a shape, m; a plane's is infinite.
Eigen::AlignedBox3d bounds(const Shape& shape);

}  // namespace rebound::sim
