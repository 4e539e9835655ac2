// Integrators, solvers and dampings by their names. What is not known is refused with an InputError that says what is.
#pragma once

#include <string_view>
#include <vector>

#include "scene/description.hpp"
#include "sim/registry.hpp"

namespace rebound::session {

const sim::IntegratorInfo& known_integrator(std::string_view id);
/// The solver of this description, which can minimise the energies of its materials.
const sim::SolverInfo& known_solver(const scene::Description& description);
/// One whose coefficient is in its range.
const sim::DampingInfo& known_damping(const scene::Damping& damping);

/// What L is multiplied by in the matrices of the integrator's steps of h seconds, s^2.
std::vector<double> stiffness_factors(std::string_view integrator, double h);

}  // namespace rebound::session
