// Obstacles that no vertex sinks into at all, and what they go with.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "scene/description.hpp"
#include "sim/model/model.hpp"

namespace rebound::scene {

/// Why an obstacle cannot be a constraint under these methods, and what would be right; nothing if it can, or is none.
std::optional<std::string> constraint_fault(const Obstacle& obstacle, std::string_view integrator,
                                            std::string_view solver);

/// Throws InputError with the obstacle's place.
void check_constraints(std::span<const Obstacle> obstacles, std::string_view integrator, std::string_view solver);
/// Throws InputError where points that bump are not vertices, which alone are held.
void check_constraints(std::span<const Obstacle> obstacles, const sim::Model& model);

}  // namespace rebound::scene
