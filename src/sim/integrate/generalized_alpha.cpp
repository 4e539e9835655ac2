#include "sim/integrate/generalized_alpha.hpp"

#include "sim/integrate/one_solve.hpp"

namespace rebound::sim {

StepReport GeneralizedAlpha::step(const StepInput& input, State& next) {
  const State& now = input.history.now;
  const double h = input.h;
  scheme_ = generalized_alpha(input.rho);
  const Points& a_n = acceleration(input);
  buffers_.a = &a_n;
  StepReport report = solve_step(scheme_.row, input, buffers_, next);
  // Friction is no part of the acceleration that is carried on: it acts in full at once.
  report.forces.impulse = 1;
  const double beta = scheme_.beta;
  next.a = (next.x - now.x - h * now.v) / (beta * h * h) - ((0.5 - beta) / beta) * a_n;
  input.model.clear_fixed(next.a);
  return report;
}

const Points& GeneralizedAlpha::acceleration(const StepInput& input) {
  const State& now = input.history.now;
  if (input.history.has_before && now.a.rows() == now.x.rows()) return now.a;
  input.put_surfaces(0);
  input.model.gradient(now.x, acting_, input.work);
  input.put_surfaces(1);
  if (input.push != nullptr) acting_ -= *input.push;
  acting_.array().colwise() /= -input.model.M.array();
  return acting_;
}

}  // namespace rebound::sim
