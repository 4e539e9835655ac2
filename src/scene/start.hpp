// How a scene begins: pulled, twisted, thrown about.
#pragma once

#include "scene/build.hpp"

namespace rebound::scene {

/// As the scene says, whatever constraints ask for; starting_state() puts it on its rods and wires.
sim::State described_start(const WorldView& world, const sim::Model& model);

}  // namespace rebound::scene
