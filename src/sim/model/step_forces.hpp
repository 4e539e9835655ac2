// How forces enter a step: what friction, moving surfaces and the search for contacts go by.
#pragma once

#include "sim/base/types.hpp"

namespace rebound::sim {

/// The force of a step is of_now f(x_n) + of_middle f(x_g) + (1 - of_now - of_middle) f(x_n + at (x_{n+1} - x_n)).
/// What is pressed at one of these places only has a force in the step; of their mean it may have none.
struct StepForces {
  double coefficient = 0;   ///< of L in M + coefficient L, the matrix that the step is solved with, s^2; 0: explicit
  double at = 0;            ///< share of the step
  double displacement = 1;  ///< what changes v_{n+1} by dv moves x_{n+1} by displacement h dv
  double impulse = 1;  ///< of h f, the share that a force f adds to m v_{n+1}; the steps after this one add the rest
  double of_now = 0;
  double of_middle = 0;
  /// x_g, of a step in two solves; the integrator's, until its next step.
  const Points* middle = nullptr;
  double middle_at = 0;  ///< g, share of the step
  /// Of springs that are pressed at x_n alone: a step that is solved by the Hessian there has no others.
  bool of_pressed = false;

  /// Without a middle: where a force that is linear in x would be all that f is.
  constexpr double mean_at() const { return (1 - of_now) * at; }
};

}  // namespace rebound::sim
