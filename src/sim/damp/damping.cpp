#include "sim/damp/damping.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/model/rigid_motion.hpp"

namespace rebound::sim {
namespace {

/// The share of K where velocities lose this share.
double of_kinetic(double share) { return 1 - (1 - share) * (1 - share); }

/// The share of a velocity that k takes in that time.
double rigid_preserving_share(double k, double time) {
  if (k > 1) throw std::invalid_argument("rigid-preserving damping of more than 1: it is a share");
  return time == 1 ? k : 1 - std::pow(1 - k, time);
}

double damp_body(const Model& model, const BodyRange& body, double k, State& state) {
  const RigidMotion u = fit_rigid_motion(model, body, state);
  // K falls by exactly (1 - (1-k)^2) times the kinetic energy of v - u, a sum of squares.
  double non_rigid = 0;
  for (int i = body.first; i < body.first + body.count; ++i) {
    if (model.fixed[i]) continue;
    const Vec3 dv = state.v.row(i).transpose() - u.at(state.x.row(i));
    non_rigid += 0.5 * model.M[i] * dv.squaredNorm();
    state.v.row(i) -= k * dv.transpose();
  }
  return of_kinetic(k) * non_rigid;
}

}  // namespace

double damp_preserving_rigid_motion(const Model& model, double k, State& state) {
  if (k == 0) return 0;
  double taken = 0;
  for (const BodyRange& body : model.bodies) taken += damp_body(model, body, k, state);
  return taken;
}

double RigidPreservingDamping::damp(const Model& model, DampingCoefficients of, double time, State& state) {
  return damp_preserving_rigid_motion(model, rigid_preserving_share(of.k, time), state);
}

double RigidPreservingDamping::share_of_unresolved(const Model&, DampingCoefficients of, double time) const {
  return of_kinetic(rigid_preserving_share(of.k, time));
}

double DragDamping::damp(const Model& model, DampingCoefficients of, double time, State& state) {
  double taken = 0;
  for (int i = 0; i < model.vertices(); ++i) {
    if (model.fixed[i]) continue;
    const double share = std::min(of.k * time / model.M[i], 1.0);
    taken += of_kinetic(share) * 0.5 * model.M[i] * state.v.row(i).squaredNorm();
    state.v.row(i) *= 1 - share;
  }
  return taken;
}

double DragDamping::share_of_unresolved(const Model& model, DampingCoefficients of, double time) const {
  return of_kinetic(std::min(of.k * time * static_cast<double>(model.M.size()) / model.M.sum(), 1.0));
}

}  // namespace rebound::sim
