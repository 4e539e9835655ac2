#include "papers/plain_newton.hpp"

#include <chrono>
#include <cmath>

namespace rebound::papers {
namespace {

double seconds_of(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

std::optional<int> PlainNewton::solve(const sim::Objective& g, double tolerance, int most, sim::Points& x) {
  matrix_.choose_pattern();
  for (int iteration = 0; iteration <= most; ++iteration) {
    g.gradient(x, gradient_);
    if (!std::isfinite(gradient_.squaredNorm())) return {};
    if (sim::velocity_error(g.model(), gradient_, g.h()) <= tolerance) return iteration;
    g.hessian(x, sim::Curvature::exact, matrix_.blocks());
    if (!matrix_.factor_indefinite(g.work().workers)) return {};
    step_ = Eigen::Map<const sim::Vector>(gradient_.data(), gradient_.size());
    matrix_.solve_indefinite(step_, g.work().workers);
    x -= Eigen::Map<const sim::Points>(step_.data(), x.rows(), 3);
  }
  return {};
}

sim::SolveReport WatchedNewton::minimize(const sim::Objective& g, const sim::SolveEffort& effort,
                                         const sim::StopRule& stop, sim::Points& x) {
  tried_ = x;
  auto began = std::chrono::steady_clock::now();
  const std::optional<int> arrived = plain_.solve(g, effort.tolerance, kMost, tried_);
  plain_tally_.seconds += seconds_of(began);
  ++plain_tally_.solves;
  plain_tally_.failed += !arrived;
  plain_tally_.iterations += arrived.value_or(0);
  began = std::chrono::steady_clock::now();
  const sim::SolveReport report = gast_.minimize(g, effort, stop, x);
  gast_tally_.seconds += seconds_of(began);
  ++gast_tally_.solves;
  gast_tally_.failed += !report.converged;
  gast_tally_.iterations += report.iterations;
  return report;
}

}  // namespace rebound::papers
