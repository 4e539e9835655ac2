// `rebound [SCENE|MESH]`: the window.
#pragma once

#include "cli/options.hpp"

namespace rebound::cli {

/// Makes the program open the window when it is called without a subcommand.
void add_window(Program& program);

}  // namespace rebound::cli
