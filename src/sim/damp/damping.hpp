// Damping acts on the velocities after the step, and returns what it took for the ledger [Dinev18 Sec. 4.3].
#pragma once

#include "sim/model.hpp"
#include "sim/state.hpp"

namespace rebound::sim {

/// Rigid-motion-preserving damping [Dinev18 Eq. 32-36, Mueller07]: of each body's free vertices, takes the share k in
/// [0, 1] of what differs from their best-fitting rigid motion. Returns the kinetic energy taken, J, >= 0.
///
/// We differ: Eq. 32 as printed adds omega x r and would damp rotation; it must subtract it. The inertia gets a
/// pseudo-inverse, so that points on one line work.
double damp_preserving_rigid_motion(const Model& model, double k, State& state);

}  // namespace rebound::sim
