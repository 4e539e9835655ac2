// What a caller of Stepper may get wrong, said in words: all of it throws std::invalid_argument.
#pragma once

#include <string_view>

#include "sim/registry.hpp"
#include "sim/stepper.hpp"

namespace rebound::sim {

const IntegratorInfo& known_integrator(std::string_view id);
const SolverInfo& known_solver(std::string_view id);
const DampingInfo& known_damping(std::string_view id);

/// what: "history.now.x", a row per vertex.
void check_size(const char* what, const Points& rows, int vertices);
/// Sizes and indices that do not fit the model, a step that has no length, negative damping.
void check_input(const Model& model, const History& history, double h, const StepSettings& settings);

}  // namespace rebound::sim
