// Volume, centre and second moment of what a surface encloses: what a rigid body is made of, at a density of one.
#pragma once

#include <Eigen/Core>

#include "mesh/mesh.hpp"

namespace rebound::mesh {

/// Of x over the enclosed volume.
struct SolidMoments {
  double volume = 0;                                 ///< m^3, the integral of 1
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< m, that of x over the volume
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();  ///< m^5, that of (x - centre) (x - centre)^T
};

/// Exact for the polyhedron, up to rounding: the sum over tetrahedra from one point to each triangle, with their signs.
/// Meaningful for closed surfaces whose triangles face outwards. Without volume all but that is 0.
SolidMoments moments_of(const Surface& surface);

}  // namespace rebound::mesh
