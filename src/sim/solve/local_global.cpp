#include "sim/solve/local_global.hpp"

#include <cmath>

namespace rebound::sim {

bool negligible(const Points& d, const Points& x) { return d.cwiseAbs().maxCoeff() <= 1e-16 * x.cwiseAbs().maxCoeff(); }

SolveReport LocalGlobal::minimize(const StepObjective& g, int iterations, const StopRule& stop, Points& x) {
  SolveReport report;
  const SystemMatrix* system = factors_.find(g.scheme().stiffness_factor(g.h()));
  if (system == nullptr) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  g.gradient(x, d_);
  for (;;) {
    system->solve(d_);
    x -= d_;
    ++report.iterations;
    if (!std::isfinite(d_.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    if (report.iterations >= iterations || negligible(d_, x)) return report;
    // The next local step gives E for nothing.
    const double E = g.gradient(x, d_);
    if (stop && stop(x, E)) return report;
  }
}

}  // namespace rebound::sim
