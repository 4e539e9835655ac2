#include "sim/model/rigid_motion.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "sim/base/row_passes.hpp"
#include "sim/linear/small_pairs.hpp"

namespace rebound::sim {
namespace {

// Sums over the free vertices of a body, piece by piece.
template <std::size_t N, class Visit>
void add_sums(const Model& model, const BodyRange& body, Workers& workers, std::array<double, N>& sums,
              const Visit& visit) {
  const auto of_body = sum_rows<N>(workers, body.count, [&](Eigen::Index first, Eigen::Index rows, auto& sum) {
    for (Eigen::Index i = body.first + first; i < body.first + first + rows; ++i)
      if (!model.fixed[static_cast<std::size_t>(i)]) visit(i, model.M[i], sum.data());
  });
  for (std::size_t k = 0; k < N; ++k) sums[k] += of_body[k];
}

void add(double m, const Vec3& v, double* sum) {
  for (int c = 0; c < 3; ++c) sum[c] += m * v[c];
}

// The six numbers of a mass's inertia at r.
void add_inertia(double m, const Vec3& r, double* sum) {
  const double r2 = r.squaredNorm();
  int k = 0;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column <= row; ++column) sum[k++] += m * ((row == column ? r2 : 0) - r[row] * r[column]);
}

Eigen::Matrix3d inertia_from(const double* sum) {
  Eigen::Matrix3d I;
  I << sum[0], sum[1], sum[3], sum[1], sum[2], sum[4], sum[3], sum[4], sum[5];
  return I;
}

Eigen::Matrix3d turned_by(const Vec3& phi, const Eigen::Matrix3d& inertia) {
  const Eigen::Matrix3d R = rotation(phi);
  return R * inertia * R.transpose();
}

// How a body lies half-way and at the end of its turn is known the better the better the turn is. Each round leaves
// O(h) of the error.
constexpr int kRoundsOfTurning = 3;

}  // namespace

Eigen::Matrix3d rotation(const Vec3& phi) {
  const double angle = phi.norm();
  return Eigen::AngleAxisd(angle, angle > 0 ? Vec3(phi / angle) : Vec3::UnitX()).toRotationMatrix();
}

Vec3 angular_velocity(const Eigen::Matrix3d& inertia, const Vec3& L) {
  const FixedPairs<3> principal = symmetric_pairs(inertia);
  Vec3 omega = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = principal.vectors.col(i);
    if (principal.values[i] > 1e-12 * principal.values[2]) omega += axis * (axis.dot(L) / principal.values[i]);
  }
  return omega;
}

Moments moments(const Model& model, std::span<const BodyRange> bodies, const State& state, Workers& workers) {
  std::array<double, 7> linear{};
  for (const BodyRange& body : bodies)
    add_sums(model, body, workers, linear, [&](Eigen::Index i, double m, double* sum) {
      sum[0] += m;
      add(m, state.x.row(i).transpose(), sum + 1);
      add(m, state.v.row(i).transpose(), sum + 4);
    });
  Moments of;
  of.mass = linear[0];
  if (of.mass == 0) return of;
  of.x_cm = Vec3(linear[1], linear[2], linear[3]) / of.mass;
  of.v_cm = Vec3(linear[4], linear[5], linear[6]) / of.mass;
  std::array<double, 9> angular{};
  for (const BodyRange& body : bodies)
    add_sums(model, body, workers, angular, [&](Eigen::Index i, double m, double* sum) {
      const Vec3 r = state.x.row(i).transpose() - of.x_cm;
      add(m, r.cross(Vec3(state.v.row(i).transpose() - of.v_cm)), sum);
      add_inertia(m, r, sum + 3);
    });
  of.L = {angular[0], angular[1], angular[2]};
  of.inertia = inertia_from(angular.data() + 3);
  return of;
}

Moments moments(const Model& model, std::span<const BodyRange> bodies, const State& state) {
  Workers this_thread(1);
  return moments(model, bodies, state, this_thread);
}

RigidMotion fit_rigid_motion(const Moments& of) {
  if (of.mass == 0) return {};
  return {of.x_cm, of.v_cm, angular_velocity(of.inertia, of.L), of.mass};
}

RigidMotion fit_rigid_motion(const Model& model, const BodyRange& body, const State& state) {
  return fit_rigid_motion(moments(model, {&body, 1}, state));
}

void add_rigid_motion(const Model& model, const BodyRange& body, double beta, const RigidMotion& u, State& state,
                      Workers& workers) {
  each_rows(workers, body.count, [&](Eigen::Index first, Eigen::Index rows) {
    for (Eigen::Index i = body.first + first; i < body.first + first + rows; ++i)
      if (!model.fixed[static_cast<std::size_t>(i)]) state.v.row(i) += beta * u.at(state.x.row(i)).transpose();
  });
}

Vec3 missing_turn(const Model& model, const BodyRange& body, const State& now, const Moments& before, const State& next,
                  const Moments& after, double h, Workers& workers) {
  std::array<double, 9> sums{};
  add_sums(model, body, workers, sums, [&](Eigen::Index i, double m, double* sum) {
    const Vec3 r_n = now.x.row(i).transpose() - before.x_cm, r = next.x.row(i).transpose() - after.x_cm;
    const Vec3 half_way = 0.5 * (r_n + r);
    add(m, half_way.cross(r - r_n), sum);
    add_inertia(m, half_way, sum + 3);
  });
  const Vec3 chord = angular_velocity(inertia_from(sums.data() + 3), {sums[0], sums[1], sums[2]});
  const double length = chord.norm();
  const Vec3 turned = length > 0 ? Vec3(chord * (2 * std::atan(0.5 * length) / length)) : Vec3::Zero();

  Vec3 missing = Vec3::Zero(), to_half = 0.5 * turned, from_half = to_half;
  for (int round = 0; round < kRoundsOfTurning; ++round) {
    const Eigen::Matrix3d& I_n = before.inertia;
    const Eigen::Matrix3d I_next = turned_by(missing, after.inertia);
    const Eigen::Matrix3d I_half = 0.5 * (turned_by(to_half, I_n) + turned_by(-from_half, I_next));
    const Vec3 at_n = angular_velocity(I_n, before.L), at_half = angular_velocity(I_half, before.L),
               at_next = angular_velocity(I_next, before.L);
    to_half = h / 24 * (5 * at_n + 8 * at_half - at_next);
    from_half = h / 24 * (5 * at_next + 8 * at_half - at_n);
    const Vec3 asked_for = h / 6 * (at_n + 4 * at_half + at_next) + h * h / 12 * at_next.cross(at_n);
    const Eigen::AngleAxisd rest(rotation(asked_for) * rotation(turned).transpose());
    missing = rest.angle() * rest.axis();
  }
  return missing;
}

}  // namespace rebound::sim
