// How the minimum of a step's objective is found. One interface for local/global and Newton, so that every implicit
// integrator runs on both.
#pragma once

#include <functional>

#include "sim/solve/objective.hpp"

namespace rebound::sim {

enum class Outcome { done, not_finite, factor_failed, damping_failed };

struct SolveReport {
  Outcome outcome = Outcome::done;
  int iterations = 0;
};

/// Asked after each correction with x and E(x), for schemes that evaluate E at x itself; true ends the solve.
using StopRule = std::function<bool(const Points& x, double E)>;

class Minimizer {
 public:
  virtual ~Minimizer() = default;

  /// Improves x until it no longer changes, `stop` says so, or `iterations` corrections are made. If the outcome is not
  /// `done`, x is of no use.
  virtual SolveReport minimize(const StepObjective& g, int iterations, const StopRule& stop, Points& x) = 0;

  /// The model's masses, energies or pins are not what they were; its elements are.
  virtual void model_changed() = 0;
  /// Model::grabs is not what it was.
  virtual void grabs_changed() = 0;
  /// Non-zeros of the factors so far, for reports.
  virtual double nonzeros() const = 0;
};

/// Is a correction d to x below what double precision resolves?
bool negligible(const Points& d, const Points& x);

}  // namespace rebound::sim
