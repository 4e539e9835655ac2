#include "sim/step/line_search.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

constexpr double kSufficientDecrease = 1e-4;
constexpr double kObjectiveRounding = 1e-14;
// Energies are differences of lengths, so their rounding may be far above their own last digits.
constexpr double kFlat = 1e-7;

}  // namespace

double velocity_error(const Model& model, const Points& gradient, double h) {
  double worst = 0;
  for (Eigen::Index i = 0; i < gradient.rows(); ++i)
    if (!model.fixed[static_cast<std::size_t>(i)]) worst = std::max(worst, gradient.row(i).norm() / (model.M[i] * h));
  return worst;
}

bool make_admissible(const Objective& g, Points& x) {
  if (g.step() == nullptr) return false;
  const Points& x_n = g.step()->now().x;
  const Points d = x - x_n;
  x = x_n + std::min(1.0, g.largest_step(x_n, d)) * d;
  return true;
}

SufficientDecrease::SufficientDecrease(const Objective& g, const Points& x, const Points& gradient, double value,
                                       double growth)
    : g_(g),
      value_(value),
      error_(growth * velocity_error(g.model(), gradient, g.h())),
      flat_(kFlat * largest_coordinate(x)) {}

bool SufficientDecrease::accepts(const Points& d, double trial_value, const Points& trial_gradient,
                                 double slope) const {
  if (is_flat(d)) return velocity_error(g_.model(), trial_gradient, g_.h()) < error_;
  return trial_value <= value_ + kSufficientDecrease * slope + kObjectiveRounding * std::abs(value_);
}

bool SufficientDecrease::surely_falls(double trial_value, double slope) const {
  return trial_value <= value_ + kSufficientDecrease * slope - kObjectiveRounding * std::abs(value_);
}

}  // namespace rebound::sim
