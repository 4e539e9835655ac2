// The lowest eigenpairs of small symmetric matrices, one after the other, in memory that is kept: LAPACK's divide and
// conquer. On a matrix of 112 rows, half of whose vectors are wanted, that takes a third of what Eigen's QR takes.
#pragma once

#include <vector>

#include "sim/linear/tall_products.hpp"

namespace rebound::sim {

class SymmetricEigen {
 public:
  struct Pairs {
    Eigen::Map<const Eigen::VectorXd> values;   ///< all of them, ascending; not numbers if A is not finite
    Eigen::Map<const Eigen::MatrixXd> vectors;  ///< orthonormal columns: of the lowest
  };
  /// A: not empty; its lower triangle is read. The vectors of the `wanted` lowest. The pairs stand until the next call.
  Pairs of(const Tall& A, Eigen::Index wanted);
  /// Room for matrices of so many rows.
  void reserve(Eigen::Index rows);

 private:
  MatrixSpace reduced_, vectors_, numbers_;
  std::vector<int> integers_;
};

}  // namespace rebound::sim
