// What a caller of Stepper may get wrong, said in words: all of it throws std::invalid_argument.
#pragma once

#include <span>
#include <string_view>

#include "sim/registry.hpp"
#include "sim/stepper.hpp"

namespace rebound::sim {

const IntegratorInfo& known_integrator(std::string_view id);
const SolverInfo& known_solver(std::string_view id);
const DampingInfo& known_damping(std::string_view id);

/// what: "history.now.x", a row per vertex.
void check_size(const char* what, const Points& rows, int vertices);
/// Sizes, masses and indices of a model, and energies that are null. known: colliders that have been looked through
/// before; where the model still has them in the same place, they are not again.
void check_model(const Model& model, std::span<const BodyPoint> known = {});
/// Contacts and constraints that a solver or an integrator of the registry does not take; null: one of the caller's
/// own.
void check_methods(const Model& model, const IntegratorInfo* integrator, const SolverInfo* solver);
/// What is no number, or outside of what the settings say.
void check_settings(const StepSettings& settings);
/// States that do not fit the model.
void check_history(const Model& model, const History& history);
/// A step that has no length.
void check_length(double h);

}  // namespace rebound::sim
