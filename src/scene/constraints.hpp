// Obstacles that no vertex sinks into at all, what meets by energies of the third power, rods and wires, and what they
// go with.
#pragma once

#include <optional>
#include <string>

#include "scene/description.hpp"
#include "sim/model/model.hpp"

namespace rebound::scene {

/// Why energies of the third power cannot be had with these methods, and what would be right, up to what else there is.
std::optional<std::string> cubic_fault(std::string_view integrator, std::string_view solver);

/// Why an obstacle cannot be met as it asks for under these methods, and what would be right; nothing if it can.
std::optional<std::string> constraint_fault(const Obstacle& obstacle, std::string_view integrator,
                                            std::string_view solver);

/// Throws InputError with the obstacle's place.
void check_constraints(const Description& description, std::string_view integrator, std::string_view solver);
/// Throws InputError where points that bump are not vertices, which alone are held.
void check_constraints(const Description& description, const sim::Model& model);

/// Why the constraints of bodies cannot be kept by these methods, and what would be right; nothing if they can, or
/// there are none.
std::optional<std::string> hard_constraint_fault(const Description& description, std::string_view integrator,
                                                 std::string_view solver);
/// Throws InputError with that.
void check_hard_constraints(const Description& description, std::string_view integrator, std::string_view solver);

}  // namespace rebound::scene
