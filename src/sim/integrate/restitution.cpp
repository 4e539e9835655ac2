#include "sim/integrate/restitution.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace rebound::sim {
namespace {

// An impact is one whose impulse is that of so many steps of gravity. What is less is a weight, or comes to rest.
constexpr double kImpact = 4;
// What a step has seen less than this share of goes on in the next one: it may be no impact, or its direction another.
constexpr double kLeastSeen = 0.1;

struct Kick {
  const BodyRange* body;
  Moments after;
  RigidMotion k;
  Vec3 carried;         ///< TouchingBodies::carried
  double A = 0, B = 0;  ///< J

  void set(const RigidMotion& motion) {
    k = motion;
    A = after.mass * (after.v_cm - carried).dot(k.v_cm) + after.L.dot(k.omega);
    B = 0.5 * product(k, k);
  }
  /// <a, b>_M
  double product(const RigidMotion& a, const RigidMotion& b) const {
    return after.mass * a.v_cm.dot(b.v_cm) + a.omega.dot(after.inertia * b.omega);
  }
};

Kick kick_of(const Model& model, const BodyRange& body, const Vec3& carried, const Vec3& fall, const State& now,
             const State& next, Workers& workers) {
  const Moments before = moments(model, {&body, 1}, now, workers), after = moments(model, {&body, 1}, next, workers);
  Kick kick{&body, after, {}, carried};
  const Vec3 omega = angular_velocity(after.inertia, after.L - before.L);
  kick.set({after.x_cm, after.v_cm - before.v_cm - fall, omega, after.mass});
  return kick;
}

// The rigid motion that the barrier's forces where the step has ended give a body in a second.
RigidMotion push_of(const Kick& kick, const Points& x, const Points& dE) {
  Vec3 F = Vec3::Zero(), torque = Vec3::Zero();
  for (Eigen::Index i = kick.body->first; i < kick.body->first + kick.body->count; ++i) {
    const Vec3 f = -dE.row(i).transpose(), r = x.row(i).transpose() - kick.after.x_cm;
    F += f;
    torque += r.cross(f);
  }
  return {kick.after.x_cm, F / kick.after.mass, angular_velocity(kick.after.inertia, torque), kick.after.mass};
}

// Of what has kicked them, what goes along the pushes that go on: not friction, which does not turn round with them.
void take_along_pushes(std::span<Kick> kicks, const Points& x, const Points& dE) {
  double along = 0, size = 0;
  for (const Kick& kick : kicks) {
    const RigidMotion push = push_of(kick, x, dE);
    along += kick.product(kick.k, push);
    size += kick.product(push, push);
  }
  if (!(size > 0)) return;
  for (Kick& kick : kicks) {
    RigidMotion push = push_of(kick, x, dE);
    push.v_cm *= along / size;
    push.omega *= along / size;
    kick.set(push);
  }
}

// Such that an impact is over at once, and nothing but it goes on: in an affine body there are no waves, and where
// another body is in the way that gives way first.
bool is_at_once(const Model& model, const TouchingBodies& group) {
  const auto is_affine = [&](const BodyRange& body) {
    return std::any_of(model.affine.begin(), model.affine.end(),
                       [&](const BodyRange& affine) { return affine.first == body.first; });
  };
  return (group.free || group.bodies.size() == 1) && std::all_of(group.bodies.begin(), group.bodies.end(), is_affine);
}

// What the step has only slowed down is stopped, and k is the impulse of all of it. Returns the J that this has taken;
// nothing where the step has seen too little.
std::optional<double> stop(std::span<Kick> kicks, State& next, const Model& model, Workers& workers) {
  double A = 0, B = 0;
  for (const Kick& kick : kicks) {
    A += kick.A;
    B += kick.B;
  }
  if (A >= 0 || B <= 0) return 0;
  const double beta = -A / (2 * B), whole = 1 + beta;
  if (whole * kLeastSeen > 1) return std::nullopt;
  for (Kick& kick : kicks) {
    add_rigid_motion(model, *kick.body, beta, kick.k, next, workers);
    kick.k.v_cm *= whole;
    kick.k.omega *= whole;
    kick.A = whole * (kick.A + 2 * beta * kick.B);
    kick.B *= whole * whole;
  }
  return A * A / (4 * B);
}

}  // namespace

bool throw_off(const Model& model, double h, std::span<const TouchingBodies> groups, const Points& dE, const State& now,
               double most, State& next, Workers& workers) {
  if (most <= 0) return false;
  const Vec3 fall = h * model.g;
  std::vector<Kick> kicks;
  for (const TouchingBodies& group : groups) {
    const bool at_once = is_at_once(model, group);
    const std::size_t first = kicks.size();
    double A = 0;
    bool hit = false;
    for (std::size_t b = 0; b < group.bodies.size(); ++b) {
      if (group.in_hand[b] != 0) continue;
      const Kick kick = kick_of(model, group.bodies[b], group.carried, fall, now, next, workers);
      const bool is_hit = kick.k.v_cm.norm() > kImpact * fall.norm();
      // Together they keep their momentum; of what stands on something each is for itself.
      if (!group.free && !(is_hit && (kick.A > 0 || at_once))) continue;
      hit = hit || is_hit;
      A += kick.A;
      kicks.push_back(kick);
    }
    if (!hit || (A <= 0 && !at_once)) kicks.resize(first);
    if (!at_once) continue;
    const std::span of_group = std::span(kicks).subspan(first);
    take_along_pushes(of_group, next.x, dE);
    const std::optional<double> taken = stop(of_group, next, model, workers);
    if (!taken) kicks.resize(first);
    most += taken.value_or(0);
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
