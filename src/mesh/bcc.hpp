// The body-centred cubic lattice of tets, in units of its cell.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

namespace rebound::mesh {

/// A tet of the lattice, by the square face of a cubic cell that it stands on both sides of: the cell above the face,
/// the axis the face is perpendicular to, and one of the face's four edges. Two corners are the middles of the cells
/// below and above, two are the ends of the edge.
struct BccTet {
  std::array<int, 3> cell{};  ///< each in [0, 2^20)
  int axis = 0;               ///< 0..2
  int edge = 0;               ///< 0..3: on the +u, +v, -u, -v side, where u, v follow the axis in turn
};

/// One number a tet; their order runs along x, then y, then z.
using BccKey = std::uint64_t;
constexpr int kMostBccCells = 1 << 20;

BccKey key_of(const BccTet& tet);
BccTet tet_of(BccKey key);

/// Twice the coordinates of the four corners (odd: a cell's middle), in an order that makes the volume positive.
std::array<std::array<int, 3>, 4> doubled_corners(const BccTet& tet);

/// The tet that holds `p`.
BccTet locate(const Eigen::Vector3d& p);

/// Calls visit(key) for every tet that the triangle meets, touching included, for some more than once, until it answers
/// false; false then.
template <typename Visit>
bool visit_tets(const std::array<Eigen::Vector3d, 3>& triangle, Visit&& visit);

/// The eight-sided block of the four tets of one face against a triangle's plane, and one tet against the triangle.
bool block_meets_plane(const BccTet& tet, const Eigen::Vector3d& on_plane, const Eigen::Vector3d& normal);
bool tet_meets_triangle(const BccTet& tet, const std::array<Eigen::Vector3d, 3>& triangle);

/// The faces perpendicular to `axis` whose blocks may reach into the box from `low` to `high`: cells, both ends
/// included.
struct BccRange {
  std::array<int, 3> begin{}, end{};
};
BccRange faces_near(int axis, const Eigen::Vector3d& low, const Eigen::Vector3d& high);

}  // namespace rebound::mesh

#include "mesh/bcc_visit.hpp"
