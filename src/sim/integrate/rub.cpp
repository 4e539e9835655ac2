#include "sim/integrate/rub.hpp"

namespace rebound::sim {

FrictionWork rub(const StepInput& input, double coefficient, double gamma, State& next) {
  const State& now = input.history.now;
  if (!rubs(input.model, now, gamma, next)) return {};
  // The step has solved with that matrix; without one it has none, and M can always be factored.
  ContactResponse* response = input.minimizer.contact_response(coefficient, input.work.workers);
  if (response == nullptr) return {};
  return apply_friction(input.model, now, input.h, gamma, *response, input.work.workers, next);
}

}  // namespace rebound::sim
