// When to say that a simulation runs away.
#pragma once

#include <string>

#include "session/runner.hpp"

namespace rebound::app {

/// Why it stands still, or "energy is 57 × its target: exploding"; empty while all is well.
std::string trouble(const session::Snapshot& moment);

}  // namespace rebound::app
