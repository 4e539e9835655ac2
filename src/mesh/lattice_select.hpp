// Which tets of a lattice belong to a body.
#pragma once

#include <vector>

#include "mesh/bcc.hpp"
#include "mesh/mesh.hpp"
#include "mesh/progress.hpp"
#include "mesh/winding.hpp"

namespace rebound::mesh {

/// Where the lattice lies: p = origin + cell * (its lattice coordinates).
struct LatticePlace {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  double cell = 1;  ///< m

  Eigen::Vector3d to_lattice(const Eigen::Vector3d& p) const { return (p - origin) / cell; }
  Eigen::Vector3d to_world(const Eigen::Vector3d& p) const { return origin + cell * p; }
};

/// Sorted keys, and which of them the surface passes through (the others lie wholly inside).
struct LatticeSelection {
  LatticePlace place;
  std::vector<BccKey> tets;
  std::vector<char> touched;
  bool too_many = false;  ///< given up beyond the limit
};

/// What is inside a surface.
struct LatticeInside {
  const Winding& winding;                    ///< above 1/2 inside
  std::vector<Eigen::AlignedBox3d> regions;  ///< hold everything inside
  /// The winding number changes nowhere but at these triangles. Null: the surface is open, and it changes elsewhere.
  const Surface* closed_skin;
};

/// Chooses tets for one surface at any cell size.
class LatticeSelector {
 public:
  /// All references must outlive this.
  LatticeSelector(const Surface& shown, LatticeInside inside);

  /// All tets that `shown` touches or that lie inside; gives up beyond `limit` tets. Throws Cancelled.
  LatticeSelection select(double cell, std::int64_t limit, const Progress& progress) const;

  /// Metres, of the longest side of the box around `shown`.
  double extent() const { return box_.sizes().maxCoeff(); }

 private:
  bool add_touched(LatticeSelection& selection, std::int64_t limit, const Progress& progress) const;
  bool add_inside(LatticeSelection& selection, std::int64_t limit, const Progress& progress) const;
  std::vector<Eigen::AlignedBox3d> boxes_to_search(double cell, std::int64_t most) const;
  std::vector<BccKey> inner_by_blocks(const LatticeSelection& selection, const std::vector<Eigen::AlignedBox3d>& boxes,
                                      const Progress& progress) const;
  std::vector<BccKey> inner_by_cubes(const LatticeSelection& selection, std::vector<BccKey> walls,
                                     const std::vector<Eigen::AlignedBox3d>& boxes, std::int64_t limit,
                                     const Progress& progress) const;
  bool is_inside(const LatticePlace& place, const Eigen::Vector3d& p) const;
  void add_untouched(const LatticeSelection& selection, BccKey block, std::vector<BccKey>& inner) const;

  const Surface* shown_;
  LatticeInside inside_;
  bool skin_is_shown_;  ///< what it touches need not be sought twice
  Eigen::AlignedBox3d box_;
};

}  // namespace rebound::mesh
