// Friction as part of a step.
#pragma once

#include "sim/contact/friction.hpp"
#include "sim/integrate/integrator.hpp"
#include "sim/model/lasting_forces.hpp"

namespace rebound::sim {

/// Friction in a step that has reached `next`. It takes what H has lost, and no less than the work of its impulses.
/// Does nothing where nothing is pressed and rough, or where the matrix cannot be factored. Where the step was pushed,
/// it takes the work alone. at_end: learns E where friction leaves the step, for who asks there again.
FrictionWork friction_step(const StepInput& input, const StepForces& forces, State& next,
                           const FrictionStart& start = {}, LastingForces* at_end = nullptr);

}  // namespace rebound::sim
