// How GoogleTest prints a scheme: by its name, which is the same in every build.
#pragma once

#include <ostream>

#include "sim/step/scheme.hpp"

namespace rebound::sim {

inline void PrintTo(const Scheme& scheme, std::ostream* out) { *out << scheme.id; }

}  // namespace rebound::sim
