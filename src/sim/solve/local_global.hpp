// Local/global as Newton's method with a frozen Hessian: x <- x - (M + c gamma^2 h^2 L)^-1 dg(x). The gradient does
// the local step (each element's projection), the solve is the global step; on springs and ARAP this is exactly
// [Dinev18 Eq. 28 and Eq. 30], and gravity, attachments and contacts need no right-hand side of their own.
#pragma once

#include "sim/solve/factors.hpp"
#include "sim/solve/minimizer.hpp"

namespace rebound::sim {

class LocalGlobal final : public Minimizer {
 public:
  /// The model must outlive this.
  explicit LocalGlobal(const Model& model) : factors_(model) {}

  SolveReport minimize(const StepObjective& g, int iterations, const StopRule& stop, Points& x) override;
  void model_changed() override { factors_.refresh(); }
  void grabs_changed() override { factors_.update_grabs(); }
  double nonzeros() const override { return factors_.nonzeros(); }

 private:
  Factors factors_;
  Points d_;
};

}  // namespace rebound::sim
