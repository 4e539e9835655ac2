#include "sim/integrate/energy_budget.hpp"

#include <cmath>

#include "sim/integrate/blend.hpp"
#include "sim/integrate/one_solve.hpp"

namespace rebound::sim {

// K(v - s M^-1 dE) = K(v) - b s + a s^2 / 2.
void correct_velocities(const Model& model, double budget, const Points& dE, Points& v) {
  double a = 0, b = 0;
  for (int i = 0; i < model.vertices(); ++i) {
    if (model.fixed[i]) continue;
    a += dE.row(i).squaredNorm() / model.M[i];
    b += dE.row(i).dot(v.row(i));
  }
  if (a == 0) return;
  const double missing = budget - model.kinetic(v);
  const double discriminant = b * b + 2 * a * missing;
  // Below zero there is no such s: K is made as small as it gets.
  const double s = discriminant <= 0 ? b / a : -2 * missing / (b + std::copysign(std::sqrt(discriminant), b));
  for (int i = 0; i < model.vertices(); ++i)
    if (!model.fixed[i]) v.row(i) -= (s / model.M[i]) * dE.row(i);
}

StepReport EnergyBudget::step(const StepInput& input, State& next) {
  StepReport report = solve_step(kImplicitMidpoint, input, buffers_, next);
  if (report.outcome != Outcome::done) return report;
  const Model& model = input.model;
  dE_.setZero(next.x.rows(), 3);
  for (const auto& energy : model.energies)
    if (energy->kind() == EnergyKind::elastic) energy->add_gradient(next.x, dE_, input.work);
  const double budget =
      input.ledger.target() + outside_work(input, next.x, report.forces) - model.energy(next.x, input.work);
  correct_velocities(model, budget, dE_, next.v);
  if (!next.finite()) report.outcome = Outcome::not_finite;
  return report;
}

}  // namespace rebound::sim
