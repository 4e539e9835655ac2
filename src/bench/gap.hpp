// How near to its minimum a step's objective was brought: a time means little without it.
#pragma once

#include <optional>

#include "bench/reference.hpp"

namespace rebound::bench {

/// What g falls to from x, in whose valley it stays, J s^2. `plain` is the preconditioner.
double least_value(const sim::StepObjective& g, const sim::Points& x, PlainLocalGlobal& plain);

/// (g(x) - g*) / (g(y) - g*) in double precision; y is the solver's first guess, g* what g falls to from x. `plain` is
/// the preconditioner. 0: x is the minimum; 1: it is no better than the guess.
double objective_gap(const sim::StepObjective& g, const sim::Points& x, PlainLocalGlobal& plain);

/// Repeats the steps of a session and judges the first solve of each.
class GapSampler {
 public:
  GapSampler(const session::Session& session, int threads);

  /// Of the step that the session is about to make, by the session's integrator and solver; empty if it solves nothing.
  std::optional<double> sample(const session::Session& session);

 private:
  sim::Model plain_model_;
  PlainLocalGlobal plain_;
  std::unique_ptr<sim::Minimizer> minimizer_;
  sim::Workspace work_;
};

}  // namespace rebound::bench
