// Local/global in single precision: the same iteration as local_global.hpp at a tenth of the cost.
//
//   w <- w - (M + c gamma^2 h^2 L)^-1 (M w + c gamma h^2 dE(z))
//
// Where corrections reach the rounding of floats and many more are asked for, gradients are in double precision from
// there on: the inverse only has to be about right, so the minimum is found as exactly as without all this.
//
// An iteration goes down the elimination tree, makes the local step, and goes up again. Where nothing is held or
// touched and no iterates are combined, nobody needs the whole correction at once. Then each part does all three while
// its numbers are in the caches, and memory is read once an iteration instead of twice.
#pragma once

#include "sim/step/anderson.hpp"
#include "sim/step/float_step.hpp"

namespace rebound::sim {

class FloatLocalGlobal final : public FloatStep {
 public:
  using FloatStep::FloatStep;

  SolveReport minimize(const StepObjective& g, const SolveEffort& effort, const StopRule& stop, Points& x) override;

 private:
  struct Solve;
  double local_step(Solve& solve, bool forward);
  bool take_back_if_raised(Solve& solve, double E);
  float global_step(Solve& solve);
  float visit_parts(Solve& solve, bool last);
  float step_plainly(float gamma, int begin, int end, double& inertia);
  float keep(int place, int begin, int end, Anderson::Numbers& products);
  void combine(const Anderson::Numbers& weights, float gamma, int begin, int end, double& inertia);
  SolveReport refine(const StepObjective& g, FloatSystem& system, const SolveEffort& effort, const StopRule& stop,
                     SolveReport report, Points& x);

  Anderson anderson_;
  std::array<AlignedBuffer<float>, Anderson::kKept> residuals_, steps_;  ///< d and w - beta d of the last iterates
};

}  // namespace rebound::sim
