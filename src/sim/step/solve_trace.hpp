// How solves got there, iteration by iteration, for people who look. Solvers that look at g write it while one is asked
// for; else it costs nothing.
#pragma once

#include <vector>

namespace rebound::sim {

/// One iterate of a solve, and the step that led to it.
struct SolveIterate {
  int solve = 0;         ///< of the trace's, from 0
  int iteration = 0;     ///< 0: where it began
  double objective = 0;  ///< g(x) / h^2, J
  double gradient = 0;   ///< |dg(x)| / h^2 of all vertices together, N
  double alpha = 0;      ///< how far along the direction, 0 where it began
  int cg = 0;            ///< products with the Hessian for the direction; 0 of a solver that factors it
};

struct SolveTrace {
  std::vector<SolveIterate> iterates;

  /// An iterate numbered 0 begins another solve.
  void add(SolveIterate iterate) {
    const int last = iterates.empty() ? -1 : iterates.back().solve;
    iterate.solve = iterate.iteration == 0 ? last + 1 : last;
    iterates.push_back(iterate);
  }
};

}  // namespace rebound::sim
