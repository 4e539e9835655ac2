// Eigenpairs of small matrices, compiled once: each size of Eigen's solvers takes up to twenty seconds of a first
// build, so the larger ones share a type.
#pragma once

#include <Eigen/Core>

namespace rebound::sim {

inline constexpr int kMostSmall = 12;
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostSmall, kMostSmall>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMostSmall, 1>;

struct SmallPairs {
  SmallVector values;   ///< ascending
  SmallMatrix vectors;  ///< orthonormal columns
};

/// A: of at most twelve rows; its lower triangle is read.
SmallPairs symmetric_pairs(const SmallMatrix& A);

template <int rows>
struct FixedPairs {
  Eigen::Vector<double, rows> values;         ///< ascending
  Eigen::Matrix<double, rows, rows> vectors;  ///< orthonormal columns
};

/// The same of three rows, and of two by the closed form. Of three that is not exact enough where two values are close.
FixedPairs<3> symmetric_pairs(const Eigen::Matrix3d& A);
FixedPairs<2> symmetric_pairs(const Eigen::Matrix2d& A);
/// Eigenvalues alone, ascending, by a closed form: good to a share of the largest.
Eigen::Vector3d symmetric_values(const Eigen::Matrix3d& A);
Eigen::Vector2d symmetric_values(const Eigen::Matrix2d& A);

}  // namespace rebound::sim
