// E and dE of a model's lasting energies at one place, worked out once for all who ask: the end of a step, where the
// ledger wants E, is the beginning of the next, where the trapezoid rule wants dE.
#pragma once

#include "sim/model/model.hpp"

namespace rebound::sim {

class LastingForces {
 public:
  /// As those of Model, and what comes and goes (handles, contacts, the step's own energies) is always worked out anew.
  EnergyByKind energy_by_kind(const Model& model, const Points& x, Workspace& work);
  void gradient(const Model& model, const Points& x, Points& gradient, Workspace& work);
  void lasting_gradient(const Model& model, const Points& x, Points& gradient, Workspace& work);

 private:
  void evaluate(const Model& model, const Points& x, Workspace& work);

  std::vector<std::shared_ptr<const Energy>> energies_;
  Points x_, dE_;
  EnergyByKind E_{};
};

}  // namespace rebound::sim
