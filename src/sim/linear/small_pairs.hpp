// Eigenpairs of small symmetric matrices. One type for all sizes: each size that Eigen's solver is compiled for takes
// ten seconds of a first build.
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

}  // namespace rebound::sim
