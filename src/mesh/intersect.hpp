// Whether triangles meet, decided exactly for coordinates of single precision, and to 113 bits for all others.
#pragma once

#include <Eigen/Core>
#include <array>

namespace rebound::mesh {

/// The sign (-1, 0, 1) of (b - a) x (c - a) . (d - a).
int orientation(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, const Eigen::Vector3d& d);

/// Whether the segment p-q and the triangle a-b-c share a point, ends and edges included. The triangle must have area.
bool segment_meets_triangle(const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Eigen::Vector3d& a,
                            const Eigen::Vector3d& b, const Eigen::Vector3d& c);

/// Whether two triangles (each with area) share more than the `shared` corners (0 to 2) that stand first in both, in
/// the same order.
bool triangles_cross(const std::array<Eigen::Vector3d, 3>& first, const std::array<Eigen::Vector3d, 3>& second,
                     int shared);

}  // namespace rebound::mesh
