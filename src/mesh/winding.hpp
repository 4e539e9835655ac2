// How often a surface winds around a point: 1 inside, 0 outside, something between where the surface is open.
#pragma once

#include <vector>

#include "mesh/bvh.hpp"

namespace rebound::mesh {

/// The generalised winding number, far triangles taken together as one dipole. Source: Barill, Dickson, Schmidt, Levin,
/// Jacobson, "Fast winding numbers for soups and clouds", 2018 (first order). Refers to the tree: keep it alive.
class Winding {
 public:
  explicit Winding(const Bvh& bvh);

  /// At `p`; off by at most some hundredths, so that 0.5 divides inside from outside.
  double at(const Eigen::Vector3d& p) const;

  /// The sum over all triangles.
  double exact_at(const Eigen::Vector3d& p) const;

 private:
  struct Dipole {
    Eigen::Vector3d centre, area;
    double radius = 0;  ///< of a ball about the centre that holds the node
  };

  const Bvh* bvh_;
  std::vector<Dipole> dipoles_;
};

/// The same surface with its long triangles halved until no edge is longer than `longest` metres (or
/// there are `most` triangles): needles around a common tip would all be near to every point.
Surface halve_long_triangles(const Surface& surface, double longest, std::size_t most);

}  // namespace rebound::mesh
