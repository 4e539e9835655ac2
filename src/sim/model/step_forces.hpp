// How forces enter a step: what friction, moving surfaces and the search for contacts go by.
#pragma once

namespace rebound::sim {

struct StepForces {
  double coefficient = 0;   ///< of L in M + coefficient L, the matrix that the step is solved with, s^2; 0: explicit
  double at = 0;            ///< they are about those at x_n + at (x_{n+1} - x_n)
  double displacement = 1;  ///< what changes v_{n+1} by dv moves x_{n+1} by displacement h dv
  double impulse = 1;  ///< of h f, the share that a force f adds to m v_{n+1}; the steps after this one add the rest
};

}  // namespace rebound::sim
