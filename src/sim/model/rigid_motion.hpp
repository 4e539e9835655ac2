// The rigid motion that the velocities of a body, or of several, are nearest to.
#pragma once

#include <span>

#include "sim/base/workers.hpp"
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

/// What rigid motions are made of, of free vertices.
struct Moments {
  double mass = 0;                                    ///< kg
  Vec3 x_cm = Vec3::Zero(), v_cm = Vec3::Zero();      ///< m, m/s
  Vec3 L = Vec3::Zero();                              ///< about the centre of mass, kg m^2/s
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre of mass, kg m^2
};
Moments moments(const Model& model, std::span<const BodyRange> bodies, const State& state, Workers& workers);
/// On the calling thread.
Moments moments(const Model& model, std::span<const BodyRange> bodies, const State& state);

/// About the axis phi, by |phi| radians.
Eigen::Matrix3d rotation(const Vec3& phi);

/// omega = I^+ L. Directions without inertia (the axis of points on one line) do not rotate.
Vec3 angular_velocity(const Eigen::Matrix3d& inertia, const Vec3& L);

/// With their linear and angular momentum: sum m u . (v - u) = 0, so K splits into that of u and that of v - u.
RigidMotion fit_rigid_motion(const Moments& moments);
/// Of one body's free vertices.
RigidMotion fit_rigid_motion(const Model& model, const BodyRange& body, const State& state);

/// v += beta u at a body's free vertices.
void add_rigid_motion(const Model& model, const BodyRange& body, double beta, const RigidMotion& u, State& state,
                      Workers& workers);

/// By how much a step of h seconds has turned a body, on which nothing but gravity acts, too little: a vector along the
/// axis, its length in radians. before, after: of the body now and next.
/// How far the step has turned it is known from J = sum m r x dr half-way, which for a turn by phi is 2 tan(phi / 2) I,
/// I half-way. How far it should have is that of omega = I^-1 L, by the fourth-order rule of Magnus,
///     h/6 (omega_n + 4 omega_half + omega_next) + h^2/12 omega_next x omega_n,
/// with I half-way between what it is at both ends, turned there. For rigid bodies that is O(h^5) from the exact turn,
/// for others O(h^3). L is that of `before`.
Vec3 missing_turn(const Model& model, const BodyRange& body, const State& now, const Moments& before, const State& next,
                  const Moments& after, double h, Workers& workers);

}  // namespace rebound::sim
