// `rebound [SCENE|MESH]`: the window.
#pragma once

#include "cli/options.hpp"
#include "scene/description.hpp"

namespace rebound::cli {

/// Makes the program open the window when it is called without a subcommand.
void add_window(Program& program);
/// Opens the window with a scene, and returns the exit status when it is closed.
int open_scene(const scene::Description& scene);

}  // namespace rebound::cli
