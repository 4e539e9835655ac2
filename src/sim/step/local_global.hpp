// Local/global as Newton's method with a frozen Hessian: x <- x - (M + c gamma^2 h^2 L)^-1 dg(x). The gradient does
// the local step (each element's projection), the solve is the global step; on springs and ARAP this is exactly
// [Dinev18 Eq. 28 and Eq. 30], and gravity, attachments and contacts need no right-hand side of their own.
#pragma once

#include "sim/step/anderson.hpp"
#include "sim/step/frozen_hessian.hpp"

namespace rebound::sim {

class LocalGlobal final : public FrozenHessian {
 public:
  /// The model must outlive this.
  explicit LocalGlobal(const Model& model, Precision precision = Precision::automatic, Analysis known = {});

 private:
  SolveReport iterate(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x,
                      const GlobalStep& solve) override;

  Points d_;
  Anderson anderson_;
  std::array<Points, Anderson::kKept> gradients_, steps_;  ///< d and x - beta d of the last iterates
};

}  // namespace rebound::sim
