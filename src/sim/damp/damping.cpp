#include "sim/damp/damping.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

// omega = I^+ L: directions without inertia (the axis of collinear points) do not rotate.
Vec3 angular_velocity(const Eigen::Matrix3d& inertia, const Vec3& L) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(inertia);
  Vec3 omega = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = eigen.eigenvectors().col(i);
    if (eigen.eigenvalues()[i] > 1e-12 * eigen.eigenvalues()[2]) omega += axis * (axis.dot(L) / eigen.eigenvalues()[i]);
  }
  return omega;
}

double damp_body(const Model& model, const BodyRange& body, double k, State& state) {
  double mass = 0;
  Vec3 x_cm = Vec3::Zero(), v_cm = Vec3::Zero();
  const auto each_free = [&](auto&& visit) {
    for (int i = body.first; i < body.first + body.count; ++i)
      if (!model.fixed[i]) visit(i, model.M[i]);
  };
  each_free([&](int i, double m) {
    mass += m;
    x_cm += m * state.x.row(i).transpose();
    v_cm += m * state.v.row(i).transpose();
  });
  if (mass == 0) return 0;
  x_cm /= mass;
  v_cm /= mass;

  Vec3 L = Vec3::Zero();
  Eigen::Matrix3d I_cm = Eigen::Matrix3d::Zero();
  each_free([&](int i, double m) {
    const Vec3 r = state.x.row(i).transpose() - x_cm;
    L += m * r.cross(Vec3(state.v.row(i).transpose() - v_cm));
    I_cm += m * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
  });
  const Vec3 omega = angular_velocity(I_cm, L);

  // With the rigid motion u_i = v_cm + omega x r_i, sum m u . (v - u) = 0: K falls by exactly (1 - (1-k)^2) times the
  // kinetic energy of v - u, a sum of squares.
  double non_rigid = 0;
  each_free([&](int i, double m) {
    const Vec3 r = state.x.row(i).transpose() - x_cm;
    const Vec3 dv = state.v.row(i).transpose() - v_cm - omega.cross(r);
    non_rigid += 0.5 * m * dv.squaredNorm();
    state.v.row(i) -= k * dv.transpose();
  });
  return (1 - (1 - k) * (1 - k)) * non_rigid;
}

}  // namespace

double damp_preserving_rigid_motion(const Model& model, double k, State& state) {
  if (k == 0) return 0;
  double taken = 0;
  for (const BodyRange& body : model.bodies) taken += damp_body(model, body, k, state);
  return taken;
}

double RigidPreservingDamping::damp(const Model& model, double k, double time, State& state) {
  return damp_preserving_rigid_motion(model, time == 1 ? k : 1 - std::pow(1 - k, time), state);
}

double DragDamping::damp(const Model& model, double k, double time, State& state) {
  double taken = 0;
  for (int i = 0; i < model.vertices(); ++i) {
    if (model.fixed[i]) continue;
    const double share = std::min(k * time / model.M[i], 1.0);
    taken += (1 - (1 - share) * (1 - share)) * 0.5 * model.M[i] * state.v.row(i).squaredNorm();
    state.v.row(i) *= 1 - share;
  }
  return taken;
}

}  // namespace rebound::sim
