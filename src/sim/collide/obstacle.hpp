// A solid that bodies bump into. It goes its own way: nothing that bodies do moves it.
#pragma once

#include <optional>
#include <utility>

#include "sim/collide/shape.hpp"

namespace rebound::sim {

/// x -> R x + t.
struct Pose {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Vec3 t = Vec3::Zero();  ///< m

  Vec3 apply(const Vec3& p) const { return R * p + t; }
  Vec3 undo(const Vec3& p) const { return R.transpose() * (p - t); }
  bool operator==(const Pose&) const = default;
};

struct Obstacle {
  Shape shape;
  Pose pose;             ///< at the end of the present step
  Pose before;           ///< at its beginning
  double stiffness = 0;  ///< k_c, N/m a contact
  double friction = 0;   ///< k_f, -
  /// At the beginning of the step before, if it was there.
  std::optional<Pose> earlier = {};
  bool fresh = true;  ///< no step has been made with it
  /// No spring: a condition that no vertex sinks in, of solvers and methods that keep it (obstacle_constraints.hpp).
  bool constraint = false;
  /// No spring: k of k |phi|^3, N/m^2, at every point that is inside (cubic_contacts.hpp); 0: none.
  double cubic = 0;

  bool has_springs() const { return !constraint && cubic == 0; }
  void move_to(const Pose& next) {
    if (!fresh) earlier = before;
    before = std::exchange(pose, next);
    fresh = false;
  }

  bool moves() const { return !(pose == before); }
  /// How far what is at p at the end of the step has moved in it, m.
  Vec3 moved(const Vec3& p) const { return moves() ? Vec3(p - before.apply(pose.undo(p))) : Vec3(Vec3::Zero()); }
  /// How far what is at p at the beginning of the step moves in it, m: what rides a disk that turns goes there.
  Vec3 moved_from(const Vec3& p) const { return moves() ? Vec3(pose.apply(before.undo(p)) - p) : Vec3(Vec3::Zero()); }
};

/// Where the obstacle is nearest to p, in world coordinates, at the end of the step.
inline Nearest nearest(const Obstacle& obstacle, const Vec3& p) {
  Nearest n = nearest(obstacle.shape, obstacle.pose.undo(p));
  n.normal = obstacle.pose.R * n.normal;
  n.point = obstacle.pose.apply(n.point);
  return n;
}

inline bool clearly_outside(const Obstacle& obstacle, const Vec3& p) {
  return clearly_outside(obstacle.shape, obstacle.pose.undo(p));
}

}  // namespace rebound::sim
