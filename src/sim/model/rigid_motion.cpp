#include "sim/model/rigid_motion.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

namespace rebound::sim {
namespace {

Eigen::Matrix3d inertia_of(double m, const Vec3& r) {
  return m * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
}

}  // namespace

Vec3 angular_velocity(const Eigen::Matrix3d& inertia, const Vec3& L) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(inertia);
  Vec3 omega = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = eigen.eigenvectors().col(i);
    if (eigen.eigenvalues()[i] > 1e-12 * eigen.eigenvalues()[2]) omega += axis * (axis.dot(L) / eigen.eigenvalues()[i]);
  }
  return omega;
}

Moments moments(const Model& model, std::span<const BodyRange> bodies, const State& state) {
  Moments sums;
  const auto each_free = [&](auto&& visit) {
    for (const BodyRange& body : bodies)
      for (int i = body.first; i < body.first + body.count; ++i)
        if (!model.fixed[i]) visit(i, model.M[i]);
  };
  each_free([&](int i, double m) {
    sums.mass += m;
    sums.x_cm += m * state.x.row(i).transpose();
    sums.v_cm += m * state.v.row(i).transpose();
  });
  if (sums.mass == 0) return sums;
  sums.x_cm /= sums.mass;
  sums.v_cm /= sums.mass;
  each_free([&](int i, double m) {
    const Vec3 r = state.x.row(i).transpose() - sums.x_cm;
    sums.L += m * r.cross(Vec3(state.v.row(i).transpose() - sums.v_cm));
    sums.inertia += inertia_of(m, r);
  });
  return sums;
}

RigidMotion fit_rigid_motion(const Moments& of) {
  if (of.mass == 0) return {};
  return {of.x_cm, of.v_cm, angular_velocity(of.inertia, of.L), of.mass};
}

RigidMotion fit_rigid_motion(const Model& model, const BodyRange& body, const State& state) {
  return fit_rigid_motion(moments(model, {&body, 1}, state));
}

Vec3 missing_turn(const Model& model, const BodyRange& body, const State& now, const Moments& before, const State& next,
                  const Moments& after, double h) {
  Vec3 J = Vec3::Zero();
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
  for (int i = body.first; i < body.first + body.count; ++i) {
    if (model.fixed[i]) continue;
    const Vec3 r_n = now.x.row(i).transpose() - before.x_cm, r = next.x.row(i).transpose() - after.x_cm;
    const Vec3 half_way = 0.5 * (r_n + r);
    J += model.M[i] * half_way.cross(r - r_n);
    I += inertia_of(model.M[i], half_way);
  }
  const Vec3 chord = angular_velocity(I, J);
  const double length = chord.norm();
  // Half-way along the chords a turning body is smaller than it is, by the cosine of half the turn.
  const double smaller = 1 / (1 + 0.25 * length * length);
  const Vec3 turned = length > 0 ? Vec3(chord * (2 * std::atan(0.5 * length) / length)) : Vec3::Zero();
  return h * smaller * angular_velocity(I, before.L) - turned;
}

}  // namespace rebound::sim
