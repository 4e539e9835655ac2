// All eigenpairs of small symmetric matrices, one after the other, in memory that is kept.
#pragma once

#include <Eigen/Eigenvalues>
#include <memory>
#include <vector>

#include "sim/linear/tall_products.hpp"

namespace rebound::sim {

class SymmetricEigen {
 public:
  struct Pairs {
    const Eigen::VectorXd& values;   ///< ascending
    const Eigen::MatrixXd& vectors;  ///< orthonormal columns
  };
  /// A: not empty. The pairs stand until the next call. Memory is asked for where A has a size for the
  /// first time; of more than 48 rows Eigen asks for some by itself.
  Pairs of(const Tall& A);

 private:
  struct OfSize {
    Eigen::Tridiagonalization<Eigen::MatrixXd> tridiagonal;
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    Eigen::VectorXd diagonal, off, values;
    Eigen::MatrixXd vectors;
    Eigen::RowVectorXd row;
  };
  std::vector<std::unique_ptr<OfSize>> by_size_;
};

}  // namespace rebound::sim
