#include "sim/integrate/calming.hpp"

#include <algorithm>
#include <cmath>

#include "sim/model/rigid_motion.hpp"

namespace rebound::sim {
namespace {

void leave_out_rigid_motion(const Model& model, State& state, Workers& workers) {
  for (const BodyRange& body : model.bodies)
    add_rigid_motion(model, body, -1, fit_rigid_motion(moments(model, {&body, 1}, state, workers)), state, workers);
}

// 2 K of these velocities, or what is between them.
double product(const Model& model, const Points& a, const Points& b) {
  return model.M.dot(a.cwiseProduct(b).rowwise().sum());
}

}  // namespace

double Calming::take_out(const StepInput& input, double coefficient, double energy, State& state) {
  const Model& model = input.model;
  Workers& workers = input.work.workers;
  ContactResponse* response = input.minimizer.factors().contact_response(coefficient, workers);
  if (response == nullptr) return 0;
  shaking_ = state;
  leave_out_rigid_motion(model, shaking_, workers);
  way_.x = state.x;
  way_.v.noalias() = model.M.asDiagonal() * shaking_.v;
  model.clear_fixed(way_.v);
  response->respond(way_.v, workers);
  way_.v -= shaking_.v;
  model.clear_fixed(way_.v);
  leave_out_rigid_motion(model, way_, workers);

  // K(alpha) - K(0) = slope alpha + curvature alpha^2 / 2.
  const double slope = product(model, shaking_.v, way_.v), curvature = product(model, way_.v, way_.v);
  if (!(slope < 0 && curvature > 0)) return 0;
  const double discriminant = slope * slope - 2 * curvature * energy;
  const double lowest = std::min(1.0, -slope / curvature);
  const double alpha = discriminant > 0 ? std::min(lowest, (-slope - std::sqrt(discriminant)) / curvature) : lowest;
  state.v += alpha * way_.v;
  return -alpha * (slope + 0.5 * curvature * alpha);
}

}  // namespace rebound::sim
