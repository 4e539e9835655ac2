// Integrators that are a row of two solves: TR-BDF2 and SDIRK2. Second order and L-stable both, with one matrix.
//
// Source: [Bank85], [Alexander77]; the rows and what they mean stand in scheme.hpp. Both have the same amplification; a
// converged step of h^2 k/m = 10 keeps more of the motion than two of BDF2. Each stage has hands and
// surfaces where they are then, as the order asks.
#pragma once

#include "sim/integrate/integrator.hpp"

namespace rebound::sim {

class TwoStage final : public Integrator {
 public:
  explicit TwoStage(const TwoStageScheme& scheme) : scheme_(scheme) {}
  StepReport step(const StepInput& input, State& next) override;
  const Scheme* scheme(const History&) const override { return &scheme_.first; }

  /// The same without E at its end. push: n x 3, N, acts all through the step; null: nothing does.
  StepReport solve(const StepInput& input, State& next, const Points* push);

  /// Goes on with both solves of the last step from where they ended, with as many iterations again.
  StepReport go_on(const StepInput& input, State& next, const Points* push);

  /// By the impulse of the last step, if it ends at x: of a hand that moves evenly it is then just as much work as it
  /// looks to one that goes along with it.
  WorkOfJumps jumps(const StepInput& input, const Points& x);

  /// What this step's end and the next one's beginning have in common.
  LastingForces& known_forces() { return forces_; }
  /// How forces enter the step as a whole.
  StepForces forces(double h) const {
    const double of_now = 1 - scheme_.of_middle - scheme_.of_end;
    return {scheme_.first.stiffness_factor(h), 1, 0.5, 1, of_now, scheme_.of_middle, &middle_.x, scheme_.first.span};
  }

 private:
  /// From where to where a stage goes, as shares of the step.
  struct Span {
    double begin, end;
  };
  /// From middle_.x and, once that is solved, from what guess_end makes of next.x.
  template <class Guess>
  StepReport solve_both(const StepInput& input, State& next, const Points* push, const Guess& guess_end);
  void solve(const Scheme& stage, const StepInput& input, const Past& past, const Span& of_step, StepReport& report,
             State& next);
  void begin_work_of_movers(const StepInput& input);
  /// Of forces at x, which acts for these shares of the step: of what is a force of x_n too, and of what is not.
  void add_work_of_movers(const StepInput& input, const Points& x, double lasting, double passing, StepReport& report);

  const TwoStageScheme scheme_;
  StepBuffers buffers_;
  LastingForces forces_;
  State middle_;
  Points mean_;                            ///< m, how far points are from x_n in the mean of the last step
  std::optional<double> work_from_start_;  ///< J, of movers by forces at x_n; empty: nothing moves
};

}  // namespace rebound::sim
