// Products of tall matrices, by kernels that are several times as fast as code for every processor.
//
// With workers, rows are taken a block at a time and sums over them are added in the blocks' order: the same bytes on
// any number of threads.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "sim/base/matrix_space.hpp"
#include "sim/base/workers.hpp"

namespace rebound::sim {

using Tall = Eigen::Ref<const Eigen::MatrixXd>;

/// C := beta C + alpha A B, and with A^T. C is neither A nor B.
void set_product(double beta, Eigen::Ref<Eigen::MatrixXd> C, double alpha, const Tall& A, const Tall& B);
void set_transposed_product(double beta, Eigen::Ref<Eigen::MatrixXd> C, double alpha, const Tall& A, const Tall& B);

struct TallFactor {
  Tall A, B;
  bool symmetric = false;  ///< A^T B is known to be: half of it is worked out
};
/// C := beta C + sum_k A_k B_k; all A_k have the rows of C. None of A_k, B_k may be C.
void set_products(Eigen::Ref<Eigen::MatrixXd> C, double beta, std::span<const TallFactor> terms, Workers& workers);

/// Each A_k^T B_k. Keeps its memory.
class TransposedProducts {
 public:
  using Sums = std::span<const Eigen::Map<Eigen::MatrixXd>>;
  /// They stand until the next call.
  Sums run(std::span<const TallFactor> pairs, Workers& workers);
  /// Room for pairs of so many rows, with at most so many columns of A, and of B all together.
  void reserve(Eigen::Index rows, Eigen::Index height, Eigen::Index columns);

 private:
  MatrixSpace all_, parts_;
  std::vector<Eigen::Map<Eigen::MatrixXd>> sums_;
};

}  // namespace rebound::sim
