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

}  // namespace

RigidMotion fit_rigid_motion(const Model& model, const BodyRange& body, const State& state) {
  RigidMotion u;
  const auto each_free = [&](auto&& visit) {
    for (int i = body.first; i < body.first + body.count; ++i)
      if (!model.fixed[i]) visit(i, model.M[i]);
  };
  each_free([&](int i, double m) {
    u.mass += m;
    u.x_cm += m * state.x.row(i).transpose();
    u.v_cm += m * state.v.row(i).transpose();
  });
  if (u.mass == 0) return u;
  u.x_cm /= u.mass;
  u.v_cm /= u.mass;

  Vec3 L = Vec3::Zero();
  Eigen::Matrix3d I_cm = Eigen::Matrix3d::Zero();
  each_free([&](int i, double m) {
    const Vec3 r = state.x.row(i).transpose() - u.x_cm;
    L += m * r.cross(Vec3(state.v.row(i).transpose() - u.v_cm));
    I_cm += m * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
  });
  u.omega = angular_velocity(I_cm, L);
  return u;
}

}  // namespace rebound::sim
