// Moves bodies that pass through one another, or through obstacles, to where they do not: a start for a barrier.
#pragma once

#include "sim/model/model.hpp"

namespace rebound::sim {

/// Each body goes as a whole, away from what it passes through: a heavy one less than a light one, one that is held not
/// at all. Changes x (n x 3, m). False if some still cross after all that was tried; x is then as it was. A body of
/// which parts cross each other is left as it is, and not counted.
bool push_apart(const Model& model, Points& x, Workspace& work);

}  // namespace rebound::sim
