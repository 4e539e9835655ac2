// Matrices whose negative eigenvalues count as a solver asks for.
#pragma once

#include <Eigen/Eigenvalues>

#include "sim/energy/curvature.hpp"
#include "sim/linear/small_pairs.hpp"

namespace rebound::sim {

/// A symmetric matrix with its eigenvalues as they count.
template <int rows>
  requires(rows == 2 || rows == 3)
Eigen::Matrix<double, rows, rows> counted(const Eigen::Matrix<double, rows, rows>& A, Curvature curvature) {
  if (curvature == Curvature::exact) return A;
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, rows, rows>> eigen;
  // Of two rows the closed form is exact enough; of three it is not where two eigenvalues are close.
  if constexpr (rows == 2)
    eigen.computeDirect(A);
  else
    eigen.compute(A);
  if (!(eigen.eigenvalues()[0] < 0)) return A;
  auto values = eigen.eigenvalues().eval();
  for (double& value : values) value = counted(value, curvature);
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

/// The same of a larger one.
SmallMatrix counted(const SmallMatrix& A, Curvature curvature);

}  // namespace rebound::sim
