// Velocities and hard constraints.
#pragma once

#include "sim/model/model.hpp"
#include "sim/model/state.hpp"

namespace rebound::sim {

/// v := the nearest velocities, in the metric of the masses, that break none of the model's constraints at x; as they
/// are where one constraint repeats another.
void make_tangential(const Model& model, const Points& x, Points& v);
inline void make_tangential(const Model& model, State& state) { make_tangential(model, state.x, state.v); }

}  // namespace rebound::sim
