// How a command gets its world: with a bar, until Ctrl-C, and with what was mended said.
#pragma once

#include "cli/interruption.hpp"
#include "scene/build.hpp"

namespace rebound::cli {

/// Throws InputError, and mesh::Cancelled.
scene::World load_world(scene::Description description, const Interruption& interruption);

}  // namespace rebound::cli
