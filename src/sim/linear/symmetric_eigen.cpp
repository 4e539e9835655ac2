#include "sim/linear/symmetric_eigen.hpp"

namespace rebound::sim {

// A = Q T Q^T, T = Z diag(values) Z^T, so the vectors are Q Z.
SymmetricEigen::Pairs SymmetricEigen::of(const Tall& A) {
  const auto size = static_cast<std::size_t>(A.rows());
  if (by_size_.size() <= size) by_size_.resize(size + 1);
  if (!by_size_[size]) by_size_[size] = std::make_unique<OfSize>();
  OfSize& at = *by_size_[size];
  // Eigen's iteration counts on numbers of the size of one.
  const double largest = A.cwiseAbs().maxCoeff(), scale = largest > 0 ? largest : 1;
  at.tridiagonal.compute(A / scale);
  at.diagonal = at.tridiagonal.diagonal();
  at.off = at.tridiagonal.subDiagonal();
  at.solver.computeFromTridiagonal(at.diagonal, at.off);
  at.vectors = at.solver.eigenvectors();
  if (size > 1) at.tridiagonal.matrixQ().applyThisOnTheLeft(at.vectors, at.row);
  at.values = scale * at.solver.eigenvalues();
  return {at.values, at.vectors};
}

}  // namespace rebound::sim
