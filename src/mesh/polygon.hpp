// Cutting a polygon of any outline into triangles.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace rebound::mesh {

/// `corners` are points in order, nearly in one plane; concave outlines are right. The corners.size() - 2 triangles
/// hold indices into `corners` and turn the same way as the outline. `simple` (if given) tells whether the outline,
/// laid flat, did not cross itself: when false the triangles still cover it, but may overlap.
std::vector<Triangle> triangulate_polygon(const std::vector<Eigen::Vector3d>& corners, bool* simple = nullptr);

/// Twice the vector area (Newell): the normal of the plane nearest to the outline.
Eigen::Vector3d polygon_normal(const std::vector<Eigen::Vector3d>& corners);

}  // namespace rebound::mesh
