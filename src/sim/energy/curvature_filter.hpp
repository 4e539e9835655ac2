// Matrices whose negative eigenvalues count as a solver asks for.
#pragma once

#include "sim/energy/curvature.hpp"
#include "sim/linear/small_pairs.hpp"

namespace rebound::sim {

/// A symmetric matrix with its eigenvalues as they count.
template <int rows>
requires(rows == 2 || rows == 3) Eigen::Matrix<double, rows, rows> counted(const Eigen::Matrix<double, rows, rows>& A,
                                                                           Curvature curvature) {
  if (curvature == Curvature::exact) return A;
  FixedPairs<rows> pairs = symmetric_pairs(A);
  if (!(pairs.values[0] < 0)) return A;
  for (double& value : pairs.values) value = counted(value, curvature);
  return pairs.vectors * pairs.values.asDiagonal() * pairs.vectors.transpose();
}

/// The same of a larger one.
SmallMatrix counted(const SmallMatrix& A, Curvature curvature);

}  // namespace rebound::sim
