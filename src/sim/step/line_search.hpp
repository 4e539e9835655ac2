// Backtracking on g, as Newton and quasi-Newton have it.
#pragma once

#include "sim/step/minimizer.hpp"

namespace rebound::sim {

inline constexpr int kMostHalvings = 40;

/// The largest |dg_i| / (m_i h) of all vertices that are free, m/s.
double velocity_error(const Model& model, const Points& gradient, double h);

/// Takes an x that is not admissible back towards x_n, which was. False if the objective is no step.
bool make_admissible(const Objective& g, Points& x);

/// Whether a trial step goes down enough. A correction below a share of x changes g by its square, which is less than
/// the rounding of g: there dg has to fall instead.
class SufficientDecrease {
 public:
  /// gradient: dg(x), value: g(x). growth: what dg may grow by in a single step where it is looked at, for methods that
  /// lower it only in the long run.
  SufficientDecrease(const Objective& g, const Points& x, const Points& gradient, double value, double growth = 1);
  /// slope: dg(x) . d.
  bool accepts(const Points& d, double trial_value, const Points& trial_gradient, double slope) const;
  /// Does g itself fall enough, by more than rounding could make of it?
  bool surely_falls(double trial_value, double slope) const;
  /// Does accepts() look at the gradient there?
  bool is_flat(const Points& d) const { return largest_coordinate(d) <= flat_; }

 private:
  const Objective& g_;
  double value_, error_, flat_;
};

}  // namespace rebound::sim
