#include "sim/step/minimizer.hpp"

namespace rebound::sim {

// A first correction can be large for reasons that are soon gone, and then a few more look like enough: cloth comes late
// by that. A small world has time for a certain number, whatever they look like.
bool SolveEffort::is_enough(int corrections, double first, double size, Eigen::Index vertices) const {
  constexpr Eigen::Index kSmall = 2500;
  const int least = vertices <= kSmall ? 7 : 2;
  return corrections >= least && size <= enough * first;
}

std::span<const Curvature> curvatures(Projection projection) {
  static constexpr std::array kTried{Curvature::exact, Curvature::clamped, Curvature::absolute};
  const std::span all(kTried);
  switch (projection) {
    case Projection::none: return all.first(1);
    case Projection::clamp: return all.subspan(1, 1);
    case Projection::absolute: return all.last(1);
    case Projection::on_demand: break;
  }
  return all.first(2);
}

void Minimizer::note(const Objective& g, const Points& x, int iteration, double value, const Points& gradient,
                     double alpha, int cg) const {
  if (trace_ == nullptr) return;
  const double h2 = g.h() * g.h();
  trace_->add({0, iteration, value / h2, gradient.norm() / h2, alpha, cg}, x);
}

bool negligible(const Points& d, const Points& x) {
  return largest_coordinate(d) <= kNegligible * largest_coordinate(x);
}

}  // namespace rebound::sim
