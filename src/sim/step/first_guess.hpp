// Where a solver to convergence begins. x_n + h v, which is given, is far off where a body vibrates faster than
// the step: it is drawn out by the vibration's speed times h. There it is better to let each body move on as if
// it were rigid.
#pragma once

#include "sim/step/objective.hpp"

namespace rebound::sim {

/// x := the one of these two where g is lower, the step's own terms left out: these know of no x yet. rigid: a buffer.
void choose_guess(const StepObjective& g, Points& x, Points& rigid);

}  // namespace rebound::sim
