// Where a wish asks for less energy than backward Euler leaves: in small steps that takes next to nothing.
#pragma once

#include "sim/model/model.hpp"
#include "sim/model/state.hpp"

namespace rebound::sim {

/// Takes up to `over` joules of kinetic energy out of state.v, by one share of all velocities; a body that nothing
/// holds keeps its momenta. No more than a few times `fallen`, J, by which the target has fallen in this step, and
/// little while little of what is over moves: what creeps never gets down. Returns how much, J.
double lose_as_wished(const Model& model, double over, double fallen, State& state);

}  // namespace rebound::sim
