#include "sim/integrate/stabilized.hpp"

#include <algorithm>
#include <cmath>

#include "sim/integrate/explicit.hpp"
#include "sim/integrate/one_solve.hpp"
#include "sim/integrate/root.hpp"

namespace rebound::sim {
namespace {

// Typically 0.3 to 8 extra iterations bring backward Euler below the target; the cap is a bound on the frame.
constexpr int kMostStabilizerIterations = 20;
constexpr int kFewestRestartIterations = 4;
// The root is found more closely than the tolerance asks, so that errors just inside it do not add up on one side.
constexpr double kRootTolerance = 0.1;
constexpr int kMostProbes = 40;

double energy_error(const StepInput& input, const State& state) {
  return input.model.energy(state.x, input.work) + input.model.kinetic(state.v) - input.ledger.target();
}

double kinetic_product(const Model& model, const Points& u, const Points& v) {
  double sum = 0;
  for (Eigen::Index i = 0; i < u.rows(); ++i)
    if (!model.fixed[i]) sum += model.M[i] * u.row(i).dot(v.row(i));
  return 0.5 * sum;
}

}  // namespace

StepReport Stabilized::step(const StepInput& input, State& next) {
  StepReport report = solve_step(kImplicitMidpoint, input, midpoint_buffers_, midpoint_);
  if (report.outcome == Outcome::factor_failed) return report;
  const bool midpoint_finite = report.outcome == Outcome::done;
  report.outcome = Outcome::done;
  EulerSolve solve{INFINITY, INFINITY};
  if (midpoint_finite) solve = solve_from_midpoint(input, report);
  if (report.outcome != Outcome::done) return report;

  if (std::abs(solve.e_midpoint) <= input.blend.tolerance * input.ledger.scale()) {
    next = midpoint_;
    report.blend = 0;
  } else if (solve.e_midpoint < 0) {
    blend_with_forward_euler(input, solve.e_midpoint, report, next);
  } else {
    blend_with_backward_euler(input, solve, report, next);
  }
  if (report.outcome == Outcome::done && !next.finite()) report.outcome = Outcome::not_finite;
  return report;
}

// "BEsolve(x_IM)": x_IM is the initial guess; the step itself starts from (x_n, v_n). The first thing that the solve
// looks at is E(x_IM), which tells whether there is anything to take out; if not, nothing is solved.
Stabilized::EulerSolve Stabilized::solve_from_midpoint(const StepInput& input, StepReport& report) {
  const StepObjective g(input.model, kBackwardEuler, input.h, input.history, euler_buffers_, input.work);
  const auto& asked = input.solver.stabilizer_iterations;
  const double K_midpoint = input.model.kinetic(midpoint_.v), target = input.ledger.target();
  EulerSolve solve;
  bool first = true, known = false;
  const StopRule enough = [&](const Points& x, double E) {
    if (first) {
      first = false;
      solve.e_midpoint = E + K_midpoint - target;
      if (!std::isfinite(solve.e_midpoint)) solve.e_midpoint = INFINITY;
      return solve.e_midpoint <= input.blend.tolerance * input.ledger.scale() || std::isinf(solve.e_midpoint);
    }
    if (asked) return false;
    g.velocity(x, euler_.v);
    solve.e = E + input.model.kinetic(euler_.v) - target;
    known = solve.e <= 0;
    return known;
  };
  euler_.x = midpoint_.x;
  const SolveReport done = input.minimizer.minimize(g, asked.value_or(kMostStabilizerIterations), enough, euler_.x);
  report.iterations += done.iterations;
  report.outcome = done.outcome;
  if (done.outcome != Outcome::done || done.iterations == 0 || known) return solve;
  g.velocity(euler_.x, euler_.v);
  solve.e = energy_error(input, euler_);
  return solve;
}

// Midpoint left x_IM so far away that backward Euler does not come down in time. From x_n it never starts above: there
// its velocity is zero. Returns its energy error.
double Stabilized::solve_from_start(const StepInput& input, StepReport& report) {
  const StepObjective g(input.model, kBackwardEuler, input.h, input.history, euler_buffers_, input.work);
  euler_.x = input.history.now.x;
  const int iterations = std::max(input.solver.iterations, kFewestRestartIterations);
  const SolveReport done = input.minimizer.minimize(g, iterations, nullptr, euler_.x);
  report.iterations += done.iterations;
  report.outcome = done.outcome;
  g.velocity(euler_.x, euler_.v);
  return energy_error(input, euler_);
}

void Stabilized::blend_with_backward_euler(const StepInput& input, const EulerSolve& solve, StepReport& report,
                                           State& next) {
  const bool midpoint_usable = std::isfinite(solve.e_midpoint);
  double e = solve.e;
  if (!midpoint_usable || (!input.solver.stabilizer_iterations && e > 0)) e = solve_from_start(input, report);
  if (report.outcome != Outcome::done) return;
  if (!midpoint_usable || e > 0) {
    // Both are above the target: a full backward Euler step; later frames take the rest out.
    next = euler_;
    report.blend = 1;
  } else {
    report.blend = blend(input, {&midpoint_, solve.e_midpoint}, {&euler_, e}, next);
  }
}

void Stabilized::blend_with_forward_euler(const StepInput& input, double e_midpoint, StepReport& report, State& next) {
  next = midpoint_;
  report.blend = 0;
  if (!input.blend.forward_blend) return;

  forward_euler(input.model, input.history.now, input.h, input.work, euler_buffers_.gradient, euler_);
  const double e = energy_error(input, euler_);
  if (!std::isfinite(e)) return;
  if (e >= 0) {
    report.blend = -blend(input, {&midpoint_, e_midpoint}, {&euler_, e}, next);
  } else if (e > e_midpoint) {
    // Forward Euler may fail to raise a non-convex energy to the target: then the nearer of the two.
    next = euler_;
    report.blend = -1;
  }
}

// e has opposite signs at the two ends. Writes the blend and returns its weight of `to`.
double Stabilized::blend(const StepInput& input, Endpoint from, Endpoint to, State& next) {
  const Model& model = input.model;
  const double K00 = kinetic_product(model, from.state->v, from.state->v);
  const double K01 = kinetic_product(model, from.state->v, to.state->v);
  const double K11 = kinetic_product(model, to.state->v, to.state->v);
  EnergyLine& line = input.minimizer.line();
  line.prepare(from.state->x, to.state->x, from.e - K00 + input.ledger.target(), input.work);
  const auto e = [&](double alpha) {
    const double K = (1 - alpha) * (1 - alpha) * K00 + 2 * alpha * (1 - alpha) * K01 + alpha * alpha * K11;
    return line.value(alpha, input.work) + K - input.ledger.target();
  };
  const double enough = kRootTolerance * input.blend.tolerance * input.ledger.scale();
  const double alpha = bracketed_root(e, from.e, to.e, enough, kMostProbes);
  // In this form a vertex that is at the same place in both, such as a fixed one, stays there to the last bit.
  next.x.noalias() = from.state->x + alpha * (to.state->x - from.state->x);
  next.v.noalias() = from.state->v + alpha * (to.state->v - from.state->v);
  return alpha;
}

}  // namespace rebound::sim
