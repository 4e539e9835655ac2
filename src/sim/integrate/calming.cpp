#include "sim/integrate/calming.hpp"

#include <algorithm>
#include <cmath>

#include "sim/model/rigid_motion.hpp"

namespace rebound::sim {
namespace {

// Of each body, whether it meets another one, or an obstacle.
enum class Meets { nothing, body, obstacle };

std::vector<Meets> met(const Model& model) {
  std::vector<Meets> bodies(model.bodies.size(), Meets::nothing);
  for (const Contact& c : model.contacts.items)
    for (int j = 0; j < c.point.count; ++j) {
      Meets& body = bodies[model.body_of(c.point.vertices[j])];
      body = std::max(body, c.obstacle >= 0 ? Meets::obstacle : Meets::body);
    }
  return bodies;
}

// Of the velocities, what shakes.
void leave_out_the_rest(const Model& model, const std::vector<Meets>& met, State& state, Workers& workers) {
  for (std::size_t b = 0; b < met.size(); ++b) {
    const BodyRange& body = model.bodies[b];
    if (met[b] == Meets::nothing)
      state.v.middleRows(body.first, body.count).setZero();
    else if (met[b] == Meets::body)
      add_rigid_motion(model, body, -1, fit_rigid_motion(moments(model, {&body, 1}, state, workers)), state, workers);
  }
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
  const std::vector<Meets> bodies = met(model);
  shaking_ = state;
  leave_out_the_rest(model, bodies, shaking_, workers);
  way_.x = state.x;
  way_.v.noalias() = model.M.asDiagonal() * shaking_.v;
  model.clear_fixed(way_.v);
  response->respond(way_.v, workers);
  way_.v -= shaking_.v;
  model.clear_fixed(way_.v);
  leave_out_the_rest(model, bodies, way_, workers);

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
