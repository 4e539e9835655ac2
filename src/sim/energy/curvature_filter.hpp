// Matrices whose negative eigenvalues count as a solver asks for.
#pragma once

#include <Eigen/Eigenvalues>

#include "sim/energy/curvature.hpp"

namespace rebound::sim {

/// A symmetric matrix with its eigenvalues as they count.
template <class Matrix>
Matrix counted(const Matrix& A, Curvature curvature) {
  if (curvature == Curvature::exact) return A;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  if (!(eigen.eigenvalues()[0] < 0)) return A;
  auto values = eigen.eigenvalues().eval();
  for (double& value : values) value = counted(value, curvature);
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace rebound::sim
