#include "sim/model/lasting_forces.hpp"

namespace rebound::sim {

void LastingForces::evaluate(const Model& model, const Points& x, Workspace& work) {
  if (energies_ == model.energies && x_.rows() == x.rows() && x_ == x) return;
  // Should memory run out on the way, nothing is known.
  energies_.clear();
  dE_.setZero(x.rows(), 3);
  E_ = {};
  for (const auto& e : model.energies) E_[static_cast<int>(e->kind())] += e->add_gradient(x, dE_, work);
  x_ = x;
  energies_ = model.energies;
}

EnergyByKind LastingForces::energy_by_kind(const Model& model, const Points& x, Workspace& work) {
  evaluate(model, x, work);
  EnergyByKind E = E_;
  model.add_passing_energy(x, E, work);
  return E;
}

void LastingForces::gradient(const Model& model, const Points& x, Points& gradient, Workspace& work) {
  evaluate(model, x, work);
  gradient = dE_;
  model.add_passing_gradient(x, gradient, work);
  model.clear_fixed(gradient);
}

void LastingForces::lasting_gradient(const Model& model, const Points& x, Points& gradient, Workspace& work) {
  evaluate(model, x, work);
  gradient = dE_;
  model.add_held_gradient(x, gradient, work);
  model.clear_fixed(gradient);
}

}  // namespace rebound::sim
