// Hard constraints of bodies from their description, and worlds that begin where they hold.
#pragma once

#include "scene/build.hpp"

namespace rebound::scene {

/// Rods between vertices as their mesh has them, and curves through where their vertices begin. rest, start: where the
/// vertices of all bodies are as their meshes say, and at the start, m.
sim::Constraints build_constraints(const WorldView& world, const sim::Points& rest, const sim::Points& start,
                                   const std::vector<sim::BodyRange>& bodies);

/// Throws InputError where the start breaks a constraint, or one repeats what others ask for; else brings positions
/// onto them to the last digit, and takes what goes against them from velocities.
void begin_on_constraints(const WorldView& world, const sim::Model& model, sim::State& start);

/// Has any body some?
bool has_constraints(const Description& description);

/// "the rod between vertices 3 and 4 of body 'chain'".
std::string wording_of_constraint(const Description& description, const sim::Model& model, int constraint);

}  // namespace rebound::scene
