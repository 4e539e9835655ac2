#include "sim/integrate/decoupled.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/integrate/blend.hpp"
#include "sim/integrate/friction_step.hpp"
#include "sim/integrate/one_solve.hpp"

namespace rebound::sim {

double search_alpha(double a, double b, double c, double min, double max) {
  if (a <= 0) return std::clamp(1.0, min, max);
  const double discriminant = b * b - 4 * a * c;
  double alpha = -b / (2 * a);
  if (discriminant >= 0) {
    // Without cancellation: q is the larger of the two in size.
    const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
    const double one = q / a, other = q == 0 ? one : c / q;
    const double larger = std::max(one, other), smaller = std::min(one, other);
    alpha = std::abs(larger - 1) <= std::abs(smaller - 1) ? larger : smaller;
  }
  return std::clamp(alpha, min, max);
}

const Scheme* Decoupled::scheme(const History&) const { return on_sdirk2_ ? &kSdirk2.first : &kBackwardEuler; }

StepReport Decoupled::step(const StepInput& input, State& next) {
  const Model& model = input.model;
  StepReport report = solve(input, next);
  if (report.outcome != Outcome::done) return report;
  report.friction = friction_step(input, report.forces, next);
  const EnergyByKind E = forces_.energy_by_kind(model, next.x, input.work);
  report.energy = E;
  if (!on_sdirk2_) {
    forces_.gradient(model, next.x, dE_next_, input.work);
    dv_ = dE_next_ - dE_now_;
    for (Eigen::Index i = 0; i < dv_.rows(); ++i) dv_.row(i) *= input.h / model.M[i];
  }
  model.clear_fixed(dv_);

  const double e = std::accumulate(E.begin(), E.end(), model.kinetic(next.v)) - input.ledger.target() -
                   outside_work(input, next.x, report.forces, report.movers) - report.friction->added();
  double b = 0;
  for (Eigen::Index i = 0; i < dv_.rows(); ++i) b += model.M[i] * next.v.row(i).dot(dv_.row(i));
  const double alpha = search_ ? choose_alpha(input, model.kinetic(dv_), b, e, report) : 1;
  next.v += alpha * dv_;
  report.alpha = alpha;
  if (!next.v.allFinite()) report.outcome = Outcome::not_finite;
  return report;
}

// Writes dE_now_, and on SDIRK2 dv_, before friction.
StepReport Decoupled::solve(const StepInput& input, State& next) {
  on_sdirk2_ = search_ && input.alpha.on_sdirk2;
  input.put_surfaces(0);
  forces_.gradient(input.model, input.history.now.x, dE_now_, input.work);
  input.put_surfaces(1);
  if (!on_sdirk2_) return solve_step(kBackwardEuler, input, buffers_, next);
  StepReport report = sdirk2_.solve(input, next, input.push);
  if (report.outcome == Outcome::done) report = solve_adjoint(input, report);
  if (report.outcome == Outcome::done) dv_ = adjoint_.v - next.v;
  return report;
}

// v* = v_n - h M^-1 ((1 - gamma) dE(x) + gamma dE(x_n)), x of the adjoint's implicit stage.
StepReport Decoupled::solve_adjoint(const StepInput& input, StepReport report) {
  const Model& model = input.model;
  const StepReport stage = solve_step(kSdirk2Adjoint, input, buffers_, adjoint_, 1 - kSdirkShare);
  report.outcome = stage.outcome;
  report.iterations += stage.iterations;
  report.converged = report.converged && stage.converged;
  input.put_surfaces(1 - kSdirkShare);
  model.gradient(adjoint_.x, dE_next_, input.work);
  input.put_surfaces(1);
  Points mean = (1 - kSdirkShare) * dE_next_ + kSdirkShare * dE_now_;
  if (input.push != nullptr) mean -= *input.push;
  for (Eigen::Index i = 0; i < mean.rows(); ++i)
    adjoint_.v.row(i) = input.history.now.v.row(i) - (input.h / model.M[i]) * mean.row(i);
  return report;
}

// a, b, c: of H(alpha) - H_total.
double Decoupled::choose_alpha(const StepInput& input, double a, double b, double c, StepReport& report) const {
  const AlphaSettings& settings = input.alpha;
  const int side = a + b + c > 0 ? 1 : -1;  // of H(1)
  const int before = input.memory.one_sided;
  report.one_sided = before * side > 0 ? before + side : side;
  if (std::abs(report.one_sided) < settings.every) return 1;
  report.one_sided = 0;
  return search_alpha(a, b, c, settings.min, settings.max);
}

}  // namespace rebound::sim
