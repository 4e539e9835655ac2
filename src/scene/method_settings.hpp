// What a scene asks of integrator and solver, with their own choices where it asks for nothing.
#pragma once

#include <string>
#include <vector>

#include "scene/description.hpp"
#include "sim/stepper.hpp"

namespace rebound::scene {

sim::SolverSettings solver_settings(const Description& description);

/// All of a step's settings but its wish.
sim::StepSettings step_settings(const Description& description);

/// What the target is asked to do in a step of h seconds that begins at time t, s. rest: J, of what lies still.
sim::Wish wish(const std::vector<EnergyPiece>& energy, double t, double h, double rest);
/// Does a wish speak of the energy at rest?
bool needs_rest(const std::vector<EnergyPiece>& energy);

/// What a scene sets to no effect, as its methods or its kind of contact do not read it: a line for each, with its
/// place.
std::vector<std::string> idle_settings(const Description& description);

}  // namespace rebound::scene
