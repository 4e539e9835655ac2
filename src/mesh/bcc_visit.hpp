// The template of bcc.hpp; include that.
#pragma once

#include <Eigen/Geometry>

#include "mesh/bcc.hpp"

namespace rebound::mesh {

/// Cells.
constexpr double kLongestWhole = 3;

template <typename Visit>
bool visit_tets(const std::array<Eigen::Vector3d, 3>& triangle, Visit&& visit) {
  // A triangle within one tet (they are convex) meets no other: most triangles of a fine surface.
  const BccKey first = key_of(locate(triangle[0]));
  if (first == key_of(locate(triangle[1])) && first == key_of(locate(triangle[2]))) return visit(first);
  // A long one is halved, so that only tets along it are tried, not all in the box around it.
  int longest = 0;
  double length2 = 0;
  for (int k = 0; k < 3; ++k)
    if (const double side2 = (triangle[(k + 1) % 3] - triangle[k]).squaredNorm(); side2 > length2) {
      length2 = side2;
      longest = k;
    }
  if (length2 > kLongestWhole * kLongestWhole) {
    const Eigen::Vector3d &a = triangle[longest], &b = triangle[(longest + 1) % 3], &c = triangle[(longest + 2) % 3];
    const Eigen::Vector3d middle = (a + b) / 2;
    return visit_tets({a, middle, c}, visit) && visit_tets({middle, b, c}, visit);
  }
  const Eigen::Vector3d normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
  const Eigen::Vector3d low = triangle[0].cwiseMin(triangle[1]).cwiseMin(triangle[2]),
                        high = triangle[0].cwiseMax(triangle[1]).cwiseMax(triangle[2]);
  for (int axis = 0; axis < 3; ++axis) {
    const BccRange range = faces_near(axis, low, high);
    BccTet tet{{}, axis, 0};
    for (tet.cell[2] = range.begin[2]; tet.cell[2] <= range.end[2]; ++tet.cell[2])
      for (tet.cell[1] = range.begin[1]; tet.cell[1] <= range.end[1]; ++tet.cell[1])
        for (tet.cell[0] = range.begin[0]; tet.cell[0] <= range.end[0]; ++tet.cell[0]) {
          if (!block_meets_plane(tet, triangle[0], normal)) continue;
          for (tet.edge = 0; tet.edge < 4; ++tet.edge)
            if (tet_meets_triangle(tet, triangle) && !visit(key_of(tet))) return false;
        }
  }
  return true;
}

}  // namespace rebound::mesh
