#include "sim/integrate/restitution.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

// An impact is one whose impulse is that of so many steps of gravity. What is less is a weight, or comes to rest.
constexpr double kImpact = 4;

struct Kick {
  const BodyRange* body;
  RigidMotion k;
  double A, B;  ///< J
};

Kick kick_of(const Model& model, const BodyRange& body, const Vec3& fall, const State& now, const State& next,
             Workers& workers) {
  const Moments before = moments(model, {&body, 1}, now, workers), after = moments(model, {&body, 1}, next, workers);
  const Vec3 v = after.v_cm - before.v_cm - fall, omega = angular_velocity(after.inertia, after.L - before.L);
  return {&body,
          {after.x_cm, v, omega, after.mass},
          after.mass * after.v_cm.dot(v) + after.L.dot(omega),
          0.5 * (after.mass * v.squaredNorm() + omega.dot(after.inertia * omega))};
}

}  // namespace

bool throw_off(const Model& model, double h, std::span<const TouchingBodies> groups, const State& now, double most,
                 State& next, Workers& workers) {
  if (most <= 0) return false;
  const Vec3 fall = h * model.g;
  std::vector<Kick> kicks;
  for (const TouchingBodies& group : groups) {
    const std::size_t first = kicks.size();
    double A = 0;
    bool hit = false;
    for (std::size_t b = 0; b < group.bodies.size(); ++b) {
      if (group.in_hand[b] != 0) continue;
      const Kick kick = kick_of(model, group.bodies[b], fall, now, next, workers);
      const bool is_hit = kick.k.v_cm.norm() > kImpact * fall.norm();
      // Together they keep their momentum; of what stands on something each is for itself.
      if (!group.free && !(is_hit && kick.A > 0)) continue;
      hit = hit || is_hit;
      A += kick.A;
      kicks.push_back(kick);
    }
    if (!hit || A <= 0) kicks.resize(first);
  }
  double A = 0, B = 0;
  for (const Kick& kick : kicks) {
    A += kick.A;
    B += kick.B;
  }
  if (B <= 0) return false;
  const double beta = std::min(1.0, (std::sqrt(A * A + 4 * B * most) - A) / (2 * B));
  for (const Kick& kick : kicks) add_rigid_motion(model, *kick.body, beta, kick.k, next, workers);
  return true;
}

}  // namespace rebound::sim
