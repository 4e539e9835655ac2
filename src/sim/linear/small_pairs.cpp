#include "sim/linear/small_pairs.hpp"

#include <Eigen/Eigenvalues>

namespace rebound::sim {

SmallPairs symmetric_pairs(const SmallMatrix& A) {
  const Eigen::SelfAdjointEigenSolver<SmallMatrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

FixedPairs<3> symmetric_pairs(const Eigen::Matrix3d& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

FixedPairs<2> symmetric_pairs(const Eigen::Matrix2d& A) {
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver;
  solver.computeDirect(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::Vector3d symmetric_values(const Eigen::Matrix3d& A) {
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver;
  return solver.computeDirect(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::Vector2d symmetric_values(const Eigen::Matrix2d& A) {
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver;
  return solver.computeDirect(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace rebound::sim
