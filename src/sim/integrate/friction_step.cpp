#include "sim/integrate/friction_step.hpp"

#include <algorithm>
#include <numeric>

namespace rebound::sim {

FrictionWork friction_step(const StepInput& input, const StepForces& forces, State& next, const FrictionStart& start,
                           LastingForces* at_end) {
  const State& now = input.history.now;
  FrictionWork within;
  for (const auto& loss : input.model.step_losses) within.taken += loss->loss(next.x);
  if (start.pushed.empty() && !has_friction(input.model, now, forces, next)) return within;
  // The step has solved with that matrix; without one it has none, and M can always be factored.
  ContactResponse* response = input.minimizer.factors().contact_response(forces.coefficient, input.work.workers);
  if (response == nullptr) return within;
  double before = 0;
  FrictionStart beginning = start;
  if (start.pushed.empty())
    beginning.before_it_changes = [&] {
      before = input.model.energy(next.x, input.work) + input.model.kinetic(next.v);
    };
  EnergyByKind E;
  beginning.once_placed = [&] {
    E = at_end != nullptr ? at_end->energy_by_kind(input.model, next.x, input.work)
                          : input.model.energy_by_kind(next.x, input.work);
  };
  FrictionWork friction =
      apply_friction(input.model, now, input.h, forces, *response, input.work.workers, next, beginning);
  friction.E = E;
  // Before, there was friction already: what H has lost by it is not known.
  if (!start.pushed.empty()) {
    friction.taken += within.taken;
    return friction;
  }
  const double after = std::accumulate(friction.E->begin(), friction.E->end(), input.model.kinetic(next.v));
  // The bodies' answer may be stiffer than they are, and lose more; or less.
  // Of BDF2's the steps to come lose the rest.
  const double lost = (before - after) / forces.impulse + friction.added() + friction.taken;
  friction.made = std::max(0.0, friction.taken - lost);
  friction.taken = std::max(friction.taken, lost) + within.taken;
  return friction;
}

}  // namespace rebound::sim
