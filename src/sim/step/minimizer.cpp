#include "sim/step/minimizer.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {

void Corrections::add(double size) {
  if (count_ == 0) first_ = size;
  sizes_[static_cast<std::size_t>(count_++) % sizes_.size()] = size;
}

double Corrections::rate() const {
  const int back = std::min(count_ - 1, kLooksBack);
  if (back <= 0) return 1;
  return last() > 0 ? std::pow(last() / size(count_ - 1 - back), 1.0 / back) : 0;
}

// A first correction can be large for reasons that are soon gone, and then a few more look like enough: cloth comes
// late by that. And where corrections shrink slowly, as in a stiff sheet, many small ones are still to come: if they
// go on shrinking so, all of them sum up to the last one times rate / (1 - rate). A small world has time for all
// that it needs.
bool SolveEffort::is_enough(const Corrections& made, Eigen::Index vertices) const {
  constexpr Eigen::Index kSmall = 2000;
  const int least = vertices <= kSmall ? 7 : 2;
  const double still_to_come = vertices <= kSmall ? 0.005 : 0.1;
  const double rate = made.rate(), first = made.first();
  return made.count() >= least && made.last() <= enough * first &&
         made.last() * rate <= still_to_come * first * (1 - rate);
}

std::span<const Curvature> curvatures(Projection projection) {
  static constexpr std::array kTried{Curvature::exact, Curvature::clamped, Curvature::absolute};
  const std::span all(kTried);
  switch (projection) {
    case Projection::none:
      return all.first(1);
    case Projection::clamp:
      return all.subspan(1, 1);
    case Projection::absolute:
      return all.last(1);
    case Projection::on_demand:
      break;
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
