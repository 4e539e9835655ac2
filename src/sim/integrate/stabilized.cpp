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
  const double e = midpoint_finite ? energy_error(input, midpoint_) : INFINITY;

  if (std::abs(e) <= input.blend.tolerance * input.ledger.scale()) {
    next = midpoint_;
    report.blend = 0;
  } else if (std::isfinite(e) && e < 0) {
    blend_with_forward_euler(input, e, report, next);
  } else {
    blend_with_backward_euler(input, e, report, next);
  }
  if (report.outcome == Outcome::done && !next.finite()) report.outcome = Outcome::not_finite;
  return report;
}

void Stabilized::blend_with_backward_euler(const StepInput& input, double e_midpoint, StepReport& report, State& next) {
  double e = INFINITY;
  const auto& asked = input.solver.stabilizer_iterations;
  if (std::isfinite(e_midpoint)) {
    // "BEsolve(x_IM)": x_IM is the initial guess; the step itself starts from (x_n, v_n).
    euler_.x = midpoint_.x;
    e = solve_backward_euler(input, asked.value_or(kMostStabilizerIterations), !asked, report);
  }
  if (!std::isfinite(e_midpoint) || (!asked && e > 0)) {
    // Midpoint left x_IM so far away that backward Euler does not come down in time. From x_n it never starts above:
    // there its velocity is zero.
    euler_.x = input.history.now.x;
    e = solve_backward_euler(input, std::max(input.solver.iterations, kFewestRestartIterations), false, report);
  }
  if (report.outcome != Outcome::done) return;
  if (!std::isfinite(e_midpoint) || e > 0) {
    // Both are above the target: a full backward Euler step; later frames take the rest out.
    next = euler_;
    report.blend = 1;
  } else {
    report.blend = blend(input, {&midpoint_, e_midpoint}, {&euler_, e}, next);
  }
}

// Improves euler_.x from its initial guess, sets euler_.v, returns its energy error.
double Stabilized::solve_backward_euler(const StepInput& input, int iterations, bool until_below, StepReport& report) {
  const StepObjective g(input.model, kBackwardEuler, input.h, input.history, euler_buffers_, input.work);
  double e_below = INFINITY;
  const StopRule is_below = [&](const Points& x, double E) {
    g.velocity(x, euler_.v);
    e_below = E + input.model.kinetic(euler_.v) - input.ledger.target();
    return e_below <= 0;
  };
  const SolveReport solve = input.minimizer.minimize(g, iterations, until_below ? is_below : nullptr, euler_.x);
  report.iterations += solve.iterations;
  if (solve.outcome != Outcome::done) report.outcome = solve.outcome;
  g.velocity(euler_.x, euler_.v);
  return e_below <= 0 ? e_below : energy_error(input, euler_);
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
