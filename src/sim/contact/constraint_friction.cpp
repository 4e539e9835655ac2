#include "sim/contact/constraint_friction.hpp"

#include <algorithm>

namespace rebound::sim {

ConstraintFriction rub(const Model& model, std::span<const HeldVertex> held, double velocity, double force, double h,
                       const Points& x, Points& v) {
  ConstraintFriction result;
  result.by_surface.resize(model.obstacles.size());
  for (const HeldVertex& at : held) {
    const auto o = static_cast<std::size_t>(at.obstacle);
    const Obstacle& obstacle = model.obstacles[o];
    const double m = model.M[at.vertex];
    const Vec3 moved = obstacle.moved(x.row(at.vertex).transpose()), with_it = moved / h;
    result.by_surface[o] += force * at.push * at.n.dot(moved);
    const Vec3 seen = v.row(at.vertex).transpose() - with_it;
    const Vec3 along = seen - at.n * at.n.dot(seen);
    const double speed = along.norm();
    if (!(speed > 0)) continue;
    const double share = std::min(obstacle.friction * velocity * at.push / (m * speed), 1.0);
    const Vec3 dv = -share * along;
    v.row(at.vertex) += dv.transpose();
    result.taken += m * (speed * speed * share - 0.5 * dv.squaredNorm());
    result.by_surface[o] += m * dv.dot(with_it);
  }
  return result;
}

}  // namespace rebound::sim
