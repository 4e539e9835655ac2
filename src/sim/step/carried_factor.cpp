#include "sim/step/carried_factor.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {

bool elements_act_alone(const Model& model, const Points& x) {
  return model.contacts.items.empty() && model.step_losses.empty() &&
         std::all_of(model.step_energies.begin(), model.step_energies.end(),
                     [&](const auto& e) { return e->has_barrier() && std::isinf(e->clearance(x)); });
}

}  // namespace rebound::sim
