// What lies under the mouse.
#pragma once

#include <optional>

#include "render/geometry.hpp"

namespace rebound::render {

/// Where a ray meets a surface.
struct Hit {
  int triangle = -1;
  Vec3 barycentric = Vec3::Zero();  ///< weights of the triangle's three vertices; they sum to 1
  float distance = 0;               ///< metres from the ray's origin

  /// Of the triangle's vertices, the one nearest to the hit by weight: 0, 1 or 2.
  int nearest_corner() const;
};

/// The nearest triangle that `ray` meets, from either side. Watertight: no ray slips between neighbours.
/// Triangles with a vertex that is not finite are never hit. Linear in the number of triangles.
std::optional<Hit> pick(const Ray& ray, PositionSpan positions, std::span<const Triangle> triangles);

}  // namespace rebound::render
