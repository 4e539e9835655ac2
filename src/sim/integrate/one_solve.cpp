#include "sim/integrate/one_solve.hpp"

#include <cmath>

#include "sim/base/row_passes.hpp"

namespace rebound::sim {

StepReport solve_step(const Scheme& scheme, const StepInput& input, StepBuffers& buffers, State& next,
                      std::optional<double> forces_at) {
  input.put_surfaces(0);
  buffers.push = input.push;
  const StepObjective g(input.model, scheme, input.h, input.history, buffers, input.work);
  input.put_surfaces(forces_at.value_or(scheme.gamma), forces_at.value_or(1));
  copy_rows(input.work.workers, g.y(), next.x);
  const SolveReport solve = input.minimizer.minimize(g, input.solver.effort(input.solver.iterations), nullptr, next.x);
  input.put_surfaces(1);
  StepReport report;
  report.outcome = solve.outcome;
  report.add(solve);
  report.forces = scheme.forces(input.h);
  // The minimizer answers for x.
  const double K = g.velocity(next.x, next.v);
  if (report.outcome == Outcome::done && !std::isfinite(K)) report.outcome = Outcome::not_finite;
  return report;
}

StepReport OneSolve::step(const StepInput& input, State& next) {
  return solve_step(*scheme(input.history), input, buffers_, next);
}

// A method of two steps begins with backward Euler, and begins anew after anything that is not motion.
const Scheme* OneSolve::scheme(const History& history) const {
  return scheme_.two_steps() && !history.has_before ? &kBackwardEuler : &scheme_;
}

}  // namespace rebound::sim
