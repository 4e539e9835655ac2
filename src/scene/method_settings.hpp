// What a scene asks of integrator and solver, with their own choices where it asks for nothing.
#pragma once

#include "scene/description.hpp"
#include "sim/stepper.hpp"

namespace rebound::scene {

sim::SolverSettings solver_settings(const Description& description);

/// All of a step's settings.
sim::StepSettings step_settings(const Description& description);

}  // namespace rebound::scene
