// F = U diag(s) V^T with two rotations: what isotropic materials are written in.
#pragma once

#include <Eigen/Core>

namespace rebound::sim {

struct SignedSvd {
  Eigen::Matrix3d U, V;  ///< det U = det V = +1
  Eigen::Vector3d s;     ///< s1 >= s2 >= |s3|; s3 has the sign of det F
};

/// By Jacobi's rotations of the columns of F [Hestenes58]: small singular values keep their digits, and a flat or
/// collapsed F has its directions as well. If F is not finite, nor is s.
SignedSvd signed_svd(const Eigen::Matrix3d& F);

}  // namespace rebound::sim
