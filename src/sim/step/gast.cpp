#include "sim/step/gast.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

// The share by which one energy has to be below another to be surely below it.
constexpr double kSurely = 1e-12;

}  // namespace

Gast::Gast(const Model& model, Analysis known) : Newton(model, std::move(known)), constraints_(model) {}

SolveReport Gast::minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) {
  SolveReport report;
  products_ = 0;
  if (stop && stop(x, model_.energy(x, g.work()))) {
    report.converged = true;
    return report;
  }
  hessian_.choose_pattern();
  constraints_.begin();
  tau_ = effort.tolerance * model_.M.norm() / g.h();
  double value = choose_guess(g, x);
  report = descend(g, effort, x, value, report);
  if (report.outcome != Outcome::done || !stands_lower(g, value)) return report;
  x.swap(trial_);
  g.gradient(x, gradient_);
  return descend(g, effort, x, value, report);
}

// From x on, with value = g(x) and gradient_ = dg(x), whatever came before.
SolveReport Gast::descend(const Objective& g, const SolveEffort& effort, Points& x, double& value, SolveReport report) {
  double alpha = 0;
  int products_before = products_;
  for (;;) {
    if (!std::isfinite(value) || !std::isfinite(gradient_.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    look_at_obstacles(x);
    // Links of contacts come and go with x.
    if (model_.has_step_terms() && g.settle(x) && model_.has_new_links(x)) hessian_.choose_pattern();
    note(g, x, report.iterations, value, reduced_, alpha, products_ - products_before);
    products_before = products_;
    report.residual = velocity_error(model_, reduced_, g.h());
    report.converged = effort.is_reached(report);
    if (report.converged || report.iterations >= effort.iterations) return report;
    if (!find_direction(g, x)) {
      report.outcome = d_.allFinite() ? Outcome::factor_failed : Outcome::not_finite;
      return report;
    }
    ++report.iterations;
    alpha = search(g, x, value);
    report.last_correction = largest_coordinate(step_) / g.h();
    if (alpha == 0) {
      // Nothing more can be told by E: what is left is below the rounding of x, or of E where masses and stiffnesses
      // are many decades apart.
      report.converged = negligible(d_, x);
      return report;
    }
  }
}

// x := P(x). Returns g(x).
double Gast::projected_value(const Objective& g, Points& x) {
  if (constraints_.any()) constraints_.project(x);
  return g.value(x);
}

// x := the better of the two guesses. Returns g(x); gradient_ = dg(x).
double Gast::choose_guess(const Objective& g, Points& x) {
  double value = projected_value(g, x);
  if (g.step() != nullptr) {
    const Points& x_n = g.step()->now().x;
    g.gradient(x_n, gradient_);
    trial_ = x_n;
    for (Eigen::Index i = 0; i < x_n.rows(); ++i)
      if (!model_.fixed[static_cast<std::size_t>(i)]) trial_.row(i) -= gradient_.row(i) / model_.M[i];
    const double other = projected_value(g, trial_);
    if (other < value || !std::isfinite(value)) {
      x.swap(trial_);
      value = other;
    }
    if (!std::isfinite(value) && make_admissible(g, x)) value = projected_value(g, x);
  }
  g.gradient(x, gradient_);
  return value;
}

// Is E lower where the step began, put in front of what has come in? Then trial_ is that place, and value = g there.
bool Gast::stands_lower(const Objective& g, double& value) {
  if (g.step() == nullptr) return false;
  trial_ = g.step()->now().x;
  const double there = projected_value(g, trial_);
  if (!(there < value - kSurely * std::abs(value))) return false;
  value = there;
  return true;
}

// reduced_ := what is left of the gradient where obstacles are constraints.
void Gast::look_at_obstacles(const Points& x) {
  reduced_ = gradient_;
  if (!constraints_.any()) return;
  constraints_.activate(x, gradient_);
  // Twice: along n there is no curvature, and what rounding leaves of a large push would grow there without bound.
  constraints_.make_tangential(reduced_);
  constraints_.make_tangential(reduced_);
}

double Gast::equations_tolerance(double gradient, double tau) {
  return std::min(0.5, std::sqrt(std::max(gradient, tau)));
}

bool Gast::find_direction(const Objective& g, const Points& x) {
  Workers& workers = g.work().workers;
  HessianBlocks& H = hessian_.blocks();
  g.hessian(x, Curvature::exact, H);
  const double h2 = g.h() * g.h();
  negative_ = -reduced_;
  force_ = negative_ / h2;
  const double size = std::sqrt(dot(negative_, negative_, workers));
  const auto multiply = [&](const Points& p, Points& Hp) {
    H.multiply(p, Hp, workers);
    if (!constraints_.any()) return;
    constraints_.add_curvature(p, Hp);
    constraints_.make_tangential(Hp);
  };
  const auto keep = [](const Points& r, Points& z) { z = r; };
  const double enough = equations_tolerance(size / h2, tau_) * size;
  const TruncatedCg::Report solved = equations_.solve(negative_, enough, multiply, keep, d_, workers);
  products_ += solved.products;
  if (solved.no_curvature) d_ = force_;
  make_suitable(force_, d_, workers);
  return std::isfinite(d_.squaredNorm());
}

void Gast::make_suitable(const Points& force, Points& d, Workers& workers) {
  const double length = std::sqrt(dot(d, d, workers)), size = std::sqrt(dot(force, force, workers));
  const double along = dot(d, force, workers), least = kDownhill * length * size;
  if (!(along > least)) {
    if (along < -least)
      d = -d;
    else
      d = force;
  }
  if (const double now = std::sqrt(dot(d, d, workers)); now > kLongest) d *= kLongest / now;
}

// Moves x by alpha d_, along the obstacles that are constraints, and returns alpha: 0 where nothing falls.
// gradient_ = dg(x).
double Gast::search(const Objective& g, Points& x, double& value) {
  Workers& workers = g.work().workers;
  const SufficientDecrease decrease(g, x, reduced_, value);
  const LinePoint start{0, value, dot(reduced_, d_, workers)};
  const double least = kNegligible * largest_coordinate(x) / largest_coordinate(d_);
  const double left_before = dot(reduced_, reduced_, workers);
  const LinePoint end = WolfeSearch::find(start, least, g.largest_step(x, d_), [&](double alpha) {
    LinePoint here{alpha};
    step_.noalias() = alpha * d_;
    trial_.noalias() = x + step_;
    if (constraints_.any()) constraints_.project(trial_);
    here.value = g.value_from(trial_, g.gradient(trial_, trial_gradient_));
    here.flat = decrease.is_flat(step_);
    if (constraints_.any()) {
      way_ = d_;
      constraints_.way(way_);
      reduced_trial_ = trial_gradient_;
      constraints_.reduce(trial_, reduced_trial_);
      here.slope = dot(trial_gradient_, way_, workers);
    } else {
      here.slope = dot(trial_gradient_, d_, workers);
    }
    const Points& left = constraints_.any() ? reduced_trial_ : trial_gradient_;
    const double expected = alpha * start.slope;
    // dE falls in the norm in which the equations were solved; at the vertex where it is largest it may well grow.
    // Beside a kink a short step may go down far more than its square, and dE grow.
    here.falls_enough =
        here.flat ? dot(left, left, workers) < left_before : decrease.accepts(step_, here.value, left, expected);
    here.falls_enough = here.falls_enough || decrease.surely_falls(here.value, expected);
    return here;
  });
  if (end.alpha == 0) return 0;
  x.swap(trial_);
  gradient_.swap(trial_gradient_);
  value = end.value;
  return end.alpha;
}

}  // namespace rebound::sim
