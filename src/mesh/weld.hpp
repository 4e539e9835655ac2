// Joining vertices that lie in one place.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace rebound::mesh {

/// For each point the first point within `distance` metres (itself, or one before it that was not joined elsewhere).
std::vector<int> weld(const Points& points, double distance);

}  // namespace rebound::mesh
