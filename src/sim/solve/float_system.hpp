// The system matrix of local/global in single precision, M + coefficient (L + grabs), in the order of a plan.
#pragma once

#include "sim/solve/block_inverse.hpp"
#include "sim/solve/low_rank.hpp"

namespace rebound::sim {

class FloatSystem {
 public:
  using Analysis = EliminationPlan;
  static std::shared_ptr<const Analysis> analyse(const SparseMatrix& pattern, FactorCache* cache) {
    return std::make_shared<const Analysis>(pattern, cache);
  }

  /// A = M + coefficient L, lower triangle. The plan must outlive this.
  /// cache: where the inverse may be found, and is kept otherwise; may be null.
  FloatSystem(const EliminationPlan& plan, const SparseMatrix& A, double coefficient, Workers& workers,
              FactorCache* cache = nullptr);

  /// False if the matrix cannot be solved well enough in single precision.
  bool ok() const { return inverse_.ok(); }
  const BlockInverse& inverse() const { return inverse_; }
  double nonzeros() const { return static_cast<double>(inverse_.nonzeros()); }

  /// Brings the low-rank part in line with the model's grabs and pins; `factored` are the pins that A has.
  void set_held(const Model& model, const std::vector<std::uint8_t>& factored, Workers& workers);
  /// After the inverse has been applied to d (4 floats a slot): what grabs and pins change at the slots [begin, end).
  /// weigh_held must have been called between.
  void weigh_held(const float* d);
  void subtract_held(int begin, int end, float* d) const;

  /// b := (A + grabs and pins)^-1 b, 4 floats a slot.
  void solve(float* b, Workers& workers);

 private:
  const EliminationPlan& plan_;
  double coefficient_;
  BlockInverse inverse_;
  LowRank held_;
  std::vector<float> Z_;          ///< n x rank, in the plan's order
  AlignedBuffer<float> weights_;  ///< rank x 4
  std::vector<int> pins_;         ///< slots
};

}  // namespace rebound::sim
