#include "sim/integrate/energy_constrained.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/integrate/blend.hpp"
#include "sim/integrate/root.hpp"

namespace rebound::sim {
namespace {

// A share of the ledger's scale: exact as far as a plot or a sum over thousands of frames can tell.
constexpr double kExact = 1e-7;
constexpr int kMostTrials = 60;
constexpr double kFarthest = -1e6;
// How many times the usual iterations may be spent on bringing C below zero from the plain trapezoid rule's x.
constexpr int kPatience = 3;

}  // namespace

StepReport EnergyConstrained::step(const StepInput& input, State& next) {
  const Model& model = input.model;
  const State& now = input.history.now;
  input.put_surfaces(0);
  buffers_.push = input.push;
  StepObjective g(model, kNewmark, input.h, input.history, buffers_, input.work);
  input.put_surfaces(1);
  y_ = g.y();
  towards_.noalias() = now.x + 0.5 * input.h * now.v - y_;
  x_ = y_;  // where every solve begins
  StepReport report;
  report.forces = kNewmark.forces(input.h);
  int iterations = input.solver.iterations;
  const double target = input.ledger.target(), enough = kExact * input.ledger.scale();

  const auto minimize = [&](double s, int most, const StopRule& stop) {
    g.set_y(y_ + s * towards_);
    next.x = x_;
    const SolveReport solve = input.minimizer.minimize(g, input.solver.effort(most), stop, next.x);
    report.add(solve);
    if (solve.outcome != Outcome::done) report.outcome = solve.outcome;
    g.velocity(next.x, next.v);
    return solve.iterations;
  };
  const auto C_of = [&](const Points& x, double E) {
    return E + model.kinetic(next.v) - target - outside_work(input, x, report.forces);
  };
  const auto C = [&](double s) {
    minimize(s, iterations, nullptr);
    return C_of(next.x, model.energy(next.x, input.work));
  };

  double at_0 = C(0);
  if (report.outcome != Outcome::done || std::abs(at_0) <= enough) return report;
  x_ = next.x;

  // The other end of an interval in which C changes its sign.
  double end = 1, at_end = at_0;
  if (at_0 > 0) {
    const auto is_below = [&](const Points& x, double E) {
      g.velocity(x, next.v);
      return C_of(x, E) < 0;
    };
    iterations = std::max(iterations, minimize(1, kPatience * iterations, std::cref(is_below)));
    at_end = C(1);
    if (at_end >= 0) {
      // x(0) lies in the basin of a local minimum of C above zero. x_n does not: there v = -v_n, and C = 0.
      x_ = now.x;
      at_end = C(1);
    }
    at_0 = C(0);
  }
  if (at_0 < 0) {
    end = -0.1;
    for (at_end = C(end); at_end < 0 && end > kFarthest; at_end = C(end)) end *= 2;
  }
  if (report.outcome == Outcome::done && at_0 * at_end < 0) {
    double last = 1;
    const auto on_the_way = [&](double share) { return C((last = share) * end); };
    const double best = secant_root(on_the_way, 0, 1, at_0, at_end, enough, kMostTrials);
    if (best != last) on_the_way(best);
  }
  if (report.outcome == Outcome::done && !next.finite()) report.outcome = Outcome::not_finite;
  return report;
}

}  // namespace rebound::sim
