// The double-precision factor that a block inverse is made from.
#pragma once

#include <Eigen/Core>

#include "sim/base/aligned_buffer.hpp"
#include "sim/base/workers.hpp"
#include "sim/linear/elimination_plan.hpp"
#include "sim/linear/supernodal_plan.hpp"

namespace rebound::sim {

/// P^T L L^T P = A, supernodal. Factors of one plan may be made on several threads at once.
class NumericFactor {
 public:
  using Block = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

  /// A: lower triangle, of the plan's pattern. The plan must outlive this. workers: null: this thread alone. Throws
  /// std::invalid_argument if A has another pattern.
  NumericFactor(const EliminationPlan& plan, const SparseMatrix& A, Workers* workers);

  /// False if A is not finite or not positive definite.
  bool ok() const { return ok_; }
  /// L of a supernode's own columns and rows, width x width; the part above the diagonal is not to be read.
  Block diagonal(const Supernode& node) const;
  /// L of the rows below, row_count x width.
  Block below(const Supernode& node) const;
  /// A^-1 b, vertex order, one column.
  Vector solve(const Vector& b, Workers* workers) const;

 private:
  const EliminationPlan& plan_;
  const SupernodalPlan& numbers_;
  AlignedBuffer<double> L_;
  bool ok_ = false;
};

}  // namespace rebound::sim
