#include "sim/integrate/one_solve.hpp"

namespace rebound::sim {

StepReport solve_step(const Scheme& scheme, const StepInput& input, StepBuffers& buffers, State& next) {
  StepReport report;
  const SystemMatrix* system = input.factors.find(scheme.stiffness_factor(input.h));
  if (system == nullptr) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  const StepObjective g(input.model, scheme, input.h, input.history, buffers, input.work);
  next.x = g.y();
  const SolveReport solve = local_global(g, *system, input.solver.iterations, next.x, buffers.gradient);
  g.velocity(next.x, next.v);
  report.iterations = solve.iterations;
  if (!solve.finite || !next.finite()) report.outcome = Outcome::not_finite;
  return report;
}

StepReport OneSolve::step(const StepInput& input, State& next) {
  // A method of two steps begins with backward Euler, and begins anew after anything that is not motion.
  const bool can_look_back = !scheme_.two_steps() || input.history.has_before;
  return solve_step(can_look_back ? scheme_ : kBackwardEuler, input, buffers_, next);
}

}  // namespace rebound::sim
