#include "sim/step/descent.hpp"

#include <algorithm>
#include <cmath>

#include "sim/step/line_search.hpp"

namespace rebound::sim {
namespace {

constexpr double kGrowth = 2;

}  // namespace

SolveReport Descent::run(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x,
                         const GlobalStep& solve, SolveReport report) {
  const bool goes_on = report.iterations > 0;
  report = descend(g, effort, stop, x, solve, report);
  if (goes_on || g.step() == nullptr || report.outcome != Outcome::done || (report.converged && !stuck_)) return report;
  // As float_quasi_newton.hpp says.
  const Points& x_n = g.step()->now().x;
  if (!(g.value(x_n) < g.value(x))) return report;
  x = x_n;
  SolveReport again = descend(g, effort, stop, x, solve, {});
  again.iterations += report.iterations;
  return again;
}

SolveReport Descent::descend(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x,
                             const GlobalStep& solve, SolveReport report) {
  stuck_ = false;
  lbfgs_.restart();
  double E = g.gradient(x, g_), value = g.value_from(x, E);
  Corrections corrections;
  for (;;) {
    if (stop && stop(x, E)) {
      report.converged = true;
      return report;
    }
    if (!std::isfinite(value) && report.iterations == 0 && make_admissible(g, x)) {
      E = g.gradient(x, g_);
      value = g.value_from(x, E);
    }
    if (!std::isfinite(value) || !std::isfinite(g_.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    Points& p = p_[lbfgs_.place()];
    p = g_;
    solve(p, nullptr);
    if (!std::isfinite(p.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    choose_direction();
    ++report.iterations;
    corrections.add(largest_coordinate(d_));
    const bool enough = effort.enough > 0 && effort.is_enough(corrections, x.rows());
    if (!backtrack(g, x, value, E)) {
      stuck_ = true;
      // What is left is below the rounding of g.
      report.converged = true;
      return report;
    }
    report.residual = velocity_error(g.model(), g_, g.h());
    report.last_correction = largest_coordinate(d_) / g.h();
    report.converged = enough || negligible(d_, x) || *report.residual <= effort.tolerance;
    if (report.converged || report.iterations >= effort.iterations) return report;
  }
}

// d_ := -H g, of the steps that are kept.
void Descent::choose_direction() {
  const auto dot = [](const Points& a, const Points& b) { return a.cwiseProduct(b).sum(); };
  Lbfgs::Numbers pg{}, dg{};
  for (int age = 0; age <= lbfgs_.kept(); ++age) {
    const int q = lbfgs_.place(age);
    pg[q] = dot(p_[q], g_);
    if (age > 0) dg[q] = dot(directions_[q], g_);
  }
  const Lbfgs::Direction direction = lbfgs_.direction(pg, dg);
  const int now = lbfgs_.place();
  d_ = direction.along_p[now] * p_[now];
  for (int age = 1; age <= lbfgs_.kept(); ++age) {
    const int q = lbfgs_.place(age);
    d_ += direction.along_p[q] * p_[q] + direction.along_d[q] * directions_[q];
  }
  directions_[now] = d_;
  slope_ = direction.slope;
  length_ = 1;
}

// Moves x along d_ by 1, 1/2, 1/4, ... of what is admissible until g falls enough. False if x did not move.
bool Descent::backtrack(const Objective& g, Points& x, double& value, double& E) {
  if (const double largest = g.largest_step(x, d_); largest < 1) {
    d_ *= largest;
    slope_ *= largest;
    length_ *= largest;
  }
  const SufficientDecrease decrease(g, x, g_, value, kGrowth);
  for (int halving = 0; halving < kMostHalvings && !negligible(d_, x); ++halving) {
    trial_.noalias() = x + d_;
    const double E_trial = g.gradient(trial_, g_trial_), trial_value = g.value_from(trial_, E_trial);
    if (decrease.accepts(d_, trial_value, g_trial_, slope_)) {
      x.swap(trial_);
      g_.swap(g_trial_);
      value = trial_value;
      E = E_trial;
      lbfgs_.went(length_);
      return true;
    }
    d_ *= 0.5;
    slope_ *= 0.5;
    length_ *= 0.5;
  }
  return false;
}

}  // namespace rebound::sim
