#include "sim/step/local_global.hpp"

#include <cmath>

#include "sim/step/float_local_global.hpp"

namespace rebound::sim {
namespace {

constexpr int kWorthwhile = 1500;

}  // namespace

LocalGlobal::LocalGlobal(const Model& model, Precision precision, Analysis known)
    : FrozenHessian(
          model, precision, std::move(known),
          [](const Model& of, const Analysis& known_of) {
            return std::unique_ptr<FloatStep>(std::make_unique<FloatLocalGlobal>(of, known_of));
          },
          kWorthwhile) {}

SolveReport LocalGlobal::iterate(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x,
                                 const GlobalStep& solve) {
  SolveReport report;
  anderson_.restart();
  double value_before = INFINITY;
  Corrections corrections;
  bool combined = false;
  int place = 0;
  for (;;) {
    // The local step gives E for nothing.
    const double E = g.gradient(x, d_);
    // A step of one iterate never raises g; where a combination does, it is taken back.
    if (effort.accelerated) {
      const double value = g.value_from(x, E);
      if (combined && !(value <= value_before)) {
        combined = false;
        anderson_.restart();
        x = steps_[place];
        continue;
      }
      value_before = value;
    }
    if (stop && stop(x, E)) {
      report.converged = true;
      return report;
    }
    solve(d_, &x);
    ++report.iterations;
    if (!std::isfinite(d_.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    bool enough = false;
    if (effort.enough > 0) {
      corrections.add(largest_coordinate(d_));
      enough = effort.is_enough(corrections, x.rows());
    }
    const bool last = enough || report.iterations >= effort.iterations;
    combined = effort.accelerated && (!last || anderson_.proven()) && !negligible(d_, x);
    if (!combined) {
      x -= d_;
      report.converged = enough || negligible(d_, x);
      if (last || report.converged) return report;
      continue;
    }
    place = anderson_.next_place();
    residuals_[place] = d_;
    steps_[place] = x - Anderson::kBeta * d_;
    Anderson::Numbers products{};
    for (int j = 0; j < std::min(anderson_.kept() + 1, Anderson::kKept); ++j)
      products[j] = d_.cwiseProduct(residuals_[j]).sum();
    const Anderson::Numbers weights = anderson_.add(products);
    // In this form what no step moves, such as a fixed vertex, stays there to the last bit.
    x = steps_[place];
    for (int j = 0; j < anderson_.kept(); ++j)
      if (j != place) x += weights[j] * (steps_[j] - steps_[place]);
    report.converged = enough;
    if (last) return report;
  }
}

}  // namespace rebound::sim
