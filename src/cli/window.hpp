// `rebound [SCENE|MESH]`: the window.
#pragma once

#include "cli/options.hpp"

namespace rebound::cli {

/// Makes the program open the window when it is called without a subcommand; calling it sets `exit`.
void add_window(CLI::App& program, int& exit);

}  // namespace rebound::cli
