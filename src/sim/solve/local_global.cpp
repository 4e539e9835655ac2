#include "sim/solve/local_global.hpp"

#include <cmath>

namespace rebound::sim {

bool negligible(const Points& d, const Points& x) {
  return d.cwiseAbs().maxCoeff() <= 1e-16 * x.cwiseAbs().maxCoeff();
}

SolveReport local_global(const StepObjective& objective, const SystemMatrix& system, int iterations, Points& x,
                         Points& gradient) {
  SolveReport report;
  while (report.iterations < iterations) {
    objective.gradient(x, gradient);
    system.solve(gradient);
    x -= gradient;
    ++report.iterations;
    if (!std::isfinite(gradient.squaredNorm())) {
      report.finite = false;
      break;
    }
    if (negligible(gradient, x)) break;
  }
  return report;
}

}  // namespace rebound::sim
