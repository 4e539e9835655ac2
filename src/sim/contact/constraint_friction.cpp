#include "sim/contact/constraint_friction.hpp"

#include <algorithm>

namespace rebound::sim {

Vec3 rub(const Model& model, const PressedRow& pressed, Points& v, double& taken) {
  const BodyRow free = without_fixed(pressed.row, model.fixed);
  double inverse = 0;
  for (int i = 0; i < free.count; ++i) inverse += free.weights[i] * free.weights[i] / model.M[free.vertices[i]];
  const Vec3 seen = pressed.row.of(v) - pressed.with_it;
  const Vec3 along = seen - pressed.n * pressed.n.dot(seen);
  const double speed = along.norm();
  if (!(speed > 0) || !(inverse > 0)) return Vec3::Zero();
  const double share = std::min(pressed.friction * pressed.impulse * inverse / speed, 1.0);
  const Vec3 impulse = -share / inverse * along;
  for (int i = 0; i < free.count; ++i)
    v.row(free.vertices[i]) += free.weights[i] / model.M[free.vertices[i]] * impulse.transpose();
  taken += speed * speed / inverse * share * (1 - 0.5 * share);
  return impulse;
}

ConstraintFriction rub(const Model& model, std::span<const HeldVertex> held, double velocity, double force, double h,
                       const Points& x, Points& v) {
  ConstraintFriction result;
  result.by_surface.resize(model.obstacles.size());
  for (const HeldVertex& at : held) {
    const auto o = static_cast<std::size_t>(at.obstacle);
    const Obstacle& obstacle = model.obstacles[o];
    // What rides an obstacle that turns leaves the step as that goes on.
    const Vec3 p = x.row(at.vertex).transpose(), with_it = obstacle.moved_from(p) / h;
    result.by_surface[o] += force * at.push * at.n.dot(obstacle.moved(p));
    const BodyRow vertex(BodyPoint::at_vertex(at.vertex));
    const Vec3 impulse = rub(model, {vertex, at.n, velocity * at.push, obstacle.friction, with_it}, v, result.taken);
    result.by_surface[o] += impulse.dot(with_it);
  }
  return result;
}

}  // namespace rebound::sim
