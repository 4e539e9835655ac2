#include "sim/damp/damping.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "sim/model/rigid_motion.hpp"

namespace rebound::sim {
namespace {

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
