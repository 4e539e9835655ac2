#include "sim/linear/small_pairs.hpp"

#include <Eigen/Eigenvalues>

namespace rebound::sim {

SmallPairs symmetric_pairs(const SmallMatrix& A) {
  const Eigen::SelfAdjointEigenSolver<SmallMatrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace rebound::sim
