// Friction as part of a step.
#pragma once

#include "sim/contact/friction.hpp"
#include "sim/integrate/integrator.hpp"

namespace rebound::sim {

/// Friction in a step that has reached `next`. It takes what H has lost, and no less than the work of its impulses.
/// Does nothing where nothing is pressed and rough, or where the matrix cannot be factored. like: as for
/// apply_friction.
FrictionWork friction_step(const StepInput& input, const StepForces& forces, State& next,
                           const FrictionWork* like = nullptr);

}  // namespace rebound::sim
