// Products of tall matrices, by the BLAS that CHOLMOD is linked with: several times as fast as code for every processor.
//
// With workers, rows are taken a block at a time and sums over them are added in the blocks' order: the same bytes on any
// number of threads.
#pragma once

#include <Eigen/Core>
#include <span>

#include "sim/base/workers.hpp"

namespace rebound::sim {

using Tall = Eigen::Ref<const Eigen::MatrixXd>;

/// A B.
Eigen::MatrixXd product(const Tall& A, const Tall& B);
/// A^T B.
Eigen::MatrixXd transposed_product(const Tall& A, const Tall& B);
/// C -= A B.
void subtract_product(const Tall& A, const Tall& B, Eigen::MatrixXd& C);

/// C := beta C + sum_k A_k B_k; all A_k have the rows of C. None of A_k, B_k may be C.
struct TallFactor {
  Tall A, B;
};
void set_products(Eigen::MatrixXd& C, double beta, std::span<const TallFactor> terms, Workers& workers);

/// Each A_k^T B_k; of A_k = B_k half is worked out.
std::vector<Eigen::MatrixXd> transposed_products(std::span<const TallFactor> pairs, Workers& workers);

}  // namespace rebound::sim
