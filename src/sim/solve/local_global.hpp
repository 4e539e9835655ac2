// Local/global as Newton's method with a frozen Hessian: x <- x - (M + c gamma^2 h^2 L)^-1 dg(x). The gradient does
// the local step (each element's projection), the solve is the global step; on springs and ARAP this is exactly
// [Dinev18 Eq. 28 and Eq. 30], and gravity, attachments and contacts need no right-hand side of their own.
#pragma once

#include "sim/solve/factors.hpp"
#include "sim/solve/objective.hpp"

namespace rebound::sim {

struct SolveReport {
  int iterations = 0;
  bool finite = true;  ///< false: some coordinate left the numbers; x is then of no use
};

/// Up to `iterations` corrections to x, fewer when a correction no longer changes it in double precision.
/// `gradient` is scratch.
SolveReport local_global(const StepObjective& objective, const SystemMatrix& system, int iterations, Points& x,
                         Points& gradient);

/// Is a correction d to x below what double precision resolves?
bool negligible(const Points& d, const Points& x);

}  // namespace rebound::sim
