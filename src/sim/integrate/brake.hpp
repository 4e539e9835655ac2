// Backward Euler as the brake of a method that has made energy: just enough of it is blended in.
// Source: [Dinev18] Algorithm 1, "BEsolve"; see stabilized.hpp for where we differ.
#pragma once

#include "sim/integrate/blend.hpp"

namespace rebound::sim {

class Brake {
 public:
  /// Backward Euler's iterations begin at x, in a step that has friction like that, which must outlive the step.
  /// y: that of the step's other method, where it is backward Euler's as well; it is taken. goes_on: x is where that
  /// method's solve has ended.
  void begin(const StepInput& input, const Points& x, const FrictionWork& like, Points* y = nullptr,
             bool goes_on = false);
  /// The first of them: one, as in the paper, or to the end with a solver that goes to its tolerance.
  void iterate(const StepInput& input, const StopRule& stop, StepReport& report);
  /// After begin(): blends just enough of backward Euler into `from`, which is e_from > 0 joules above the target.
  /// False if that would be no better than `from`, which may be `tolerated` above it; then nothing is written.
  bool blend(const StepInput& input, const End& from, double e_from, double tolerated, StepReport& report, State& next);
  /// The same where `from` is a state that some energy does not admit: e is infinite there.
  void blend_from_start(const StepInput& input, const End& from, StepReport& report, State& next);
  /// The whole step by backward Euler, for where there is nothing to blend with.
  void step_from_start(const StepInput& input, StepReport& report, State& next);

 private:
  void iterate(const StepInput& input, SolveEffort effort, const StopRule& stop, StepReport& report);
  void iterate_below_target(const StepInput& input, StepReport& report);
  void iterate_from_start(const StepInput& input, StepReport& report);
  const State& with_friction(const StepInput& input);
  void settle(const StepInput& input, const State& after_friction, double e, StepReport& report, State& next);

  StepObjective objective(const StepInput& input);

  StepBuffers buffers_;
  bool knows_y_ = false;  ///< it is in buffers_
  bool goes_on_ = false;
  State euler_, after_friction_;  ///< the second where friction does anything
  FrictionWork friction_;
  const FrictionWork* like_ = nullptr;
};

}  // namespace rebound::sim
