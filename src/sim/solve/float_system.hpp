// The system matrix of local/global in single precision, M + coefficient (L + grabs), in the order of a plan.
#pragma once

#include "sim/solve/block_inverse.hpp"
#include "sim/solve/low_rank.hpp"

namespace rebound::sim {

class FloatSystem {
 public:
  /// A = M + coefficient L, lower triangle. The plan must outlive this.
  FloatSystem(const EliminationPlan& plan, const SparseMatrix& A, double coefficient, Workers& workers);

  /// False if the matrix cannot be solved well enough in single precision.
  bool ok() const { return inverse_.ok(); }
  const BlockInverse& inverse() const { return inverse_; }

  /// Brings the low-rank part in line with the model's grabs.
  void set_grabs(const Model& model, Workers& workers);
  /// After the inverse has been applied to d (4 floats a slot): what the grabs change at the slots [begin, end).
  /// weigh_grabs must have been called between.
  void weigh_grabs(const float* d);
  void subtract_grabs(int begin, int end, float* d) const;

  /// b := (A + grabs)^-1 b, 4 floats a slot.
  void solve(float* b, Workers& workers);

 private:
  const EliminationPlan& plan_;
  double coefficient_;
  BlockInverse inverse_;
  LowRank grabs_;
  std::vector<float> Z_;        ///< rank x n, a grab after the other, in the plan's order
  std::vector<float> weights_;  ///< rank x 3
};

}  // namespace rebound::sim
