#include "sim/step/projected_newton.hpp"

#include <algorithm>

namespace rebound::sim {

bool ProjectedNewton::on_obstacles() const {
  return std::any_of(model_.obstacles.begin(), model_.obstacles.end(), [](const Obstacle& o) { return o.constraint; });
}

std::span<const HeldVertex> ProjectedNewton::held() const {
  return on_obstacles() ? Gast::held() : std::span<const HeldVertex>();
}

SolveReport ProjectedNewton::minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) {
  projection_ = effort.projection;
  return on_obstacles() ? Gast::minimize(g, effort, stop, x) : Newton::minimize(g, effort, stop, x);
}

bool ProjectedNewton::find_direction(const Objective& g, const Points& x) {
  if (!on_obstacles()) return Newton::find_direction(g, x);
  for (const Curvature curvature : curvatures(projection_)) {
    g.hessian(x, curvature, hessian_.blocks());
    constraints_.reduce_hessian(hessian_.blocks(), model_.M, curvature == Curvature::exact);
    if (!hessian_.factor(g.work().workers)) continue;
    Vector column = -Eigen::Map<const Vector>(reduced_.data(), reduced_.size());
    hessian_.solve(column, g.work().workers);
    d_ = Eigen::Map<const Points>(column.data(), reduced_.rows(), 3);
    constraints_.make_tangential(d_);
    if (!d_.allFinite()) continue;
    const Points force = -reduced_ / (g.h() * g.h());
    make_suitable(force, d_, g.work().workers);
    return true;
  }
  return Gast::find_direction(g, x);
}

}  // namespace rebound::sim
