// The rigid motion that a body's velocities are nearest to.
#pragma once

#include "sim/model/model.hpp"
#include "sim/model/state.hpp"

namespace rebound::sim {

/// u_i = v_cm + omega x (x_i - x_cm).
struct RigidMotion {
  Vec3 x_cm = Vec3::Zero();   ///< m
  Vec3 v_cm = Vec3::Zero();   ///< m/s
  Vec3 omega = Vec3::Zero();  ///< rad/s
  double mass = 0;            ///< kg, of the free vertices; 0: there are none, and no motion

  Vec3 at(const Vec3& x) const { return v_cm + omega.cross(x - x_cm); }
};

/// Of the body's free vertices, with their linear and angular momentum: sum m u . (v - u) = 0, so K splits into that of
/// u and that of v - u. Directions without inertia (the axis of points on one line) do not rotate.
RigidMotion fit_rigid_motion(const Model& model, const BodyRange& body, const State& state);

/// The rigid motion at `next` of a body that nothing but gravity has touched since `now`, h seconds ago: it falls, and
/// keeps its angular momentum about its centre of mass.
RigidMotion carried_on(const Model& model, const BodyRange& body, const State& now, const State& next, double h);

}  // namespace rebound::sim
