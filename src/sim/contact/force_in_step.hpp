// What repulsion springs do in a step, as the step has its forces: their push, which bounds friction, and the work of
// surfaces that move.
#pragma once

#include "sim/energy/contacts.hpp"
#include "sim/model/step_forces.hpp"

namespace rebound::sim {

/// Along n in a step from x_n to x, N; h times that is the impulse of the spring.
double force_in_step(const Contact& contact, const Points& x_n, const Points& x, const StepForces& forces);

/// What a moving surface does to a body in a step, J: that force times its way.
double surface_work(const Contact& contact, const Points& x_n, const Points& x, const StepForces& forces);

}  // namespace rebound::sim
