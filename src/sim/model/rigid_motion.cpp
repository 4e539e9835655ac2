#include "sim/model/rigid_motion.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace rebound::sim {
namespace {

// omega = I^+ L.
Vec3 angular_velocity(const Eigen::Matrix3d& inertia, const Vec3& L) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(inertia);
  Vec3 omega = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = eigen.eigenvectors().col(i);
    if (eigen.eigenvalues()[i] > 1e-12 * eigen.eigenvalues()[2]) omega += axis * (axis.dot(L) / eigen.eigenvalues()[i]);
  }
  return omega;
}

// Mass, centre, velocity of the centre, and the rest about the centre of mass.
struct Moments {
  RigidMotion u;  ///< without omega
  Vec3 L = Vec3::Zero();
  Eigen::Matrix3d I_cm = Eigen::Matrix3d::Zero();
};

Moments moments(const Model& model, const BodyRange& body, const State& state) {
  Moments sums;
  RigidMotion& u = sums.u;
  const auto each_free = [&](auto&& visit) {
    for (int i = body.first; i < body.first + body.count; ++i)
      if (!model.fixed[i]) visit(i, model.M[i]);
  };
  each_free([&](int i, double m) {
    u.mass += m;
    u.x_cm += m * state.x.row(i).transpose();
    u.v_cm += m * state.v.row(i).transpose();
  });
  if (u.mass == 0) return sums;
  u.x_cm /= u.mass;
  u.v_cm /= u.mass;
  each_free([&](int i, double m) {
    const Vec3 r = state.x.row(i).transpose() - u.x_cm;
    sums.L += m * r.cross(Vec3(state.v.row(i).transpose() - u.v_cm));
    sums.I_cm += m * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
  });
  return sums;
}

}  // namespace

RigidMotion fit_rigid_motion(const Model& model, const BodyRange& body, const State& state) {
  Moments sums = moments(model, body, state);
  if (sums.u.mass != 0) sums.u.omega = angular_velocity(sums.I_cm, sums.L);
  return sums.u;
}

RigidMotion carried_on(const Model& model, const BodyRange& body, const State& now, const State& next, double h) {
  const Moments before = moments(model, body, now);
  RigidMotion u = moments(model, body, next).u;
  if (u.mass == 0) return u;
  u.v_cm = before.u.v_cm + h * model.g;
  u.omega = angular_velocity(moments(model, body, next).I_cm, before.L);
  return u;
}

}  // namespace rebound::sim
