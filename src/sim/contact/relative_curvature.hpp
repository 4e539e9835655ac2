// Curvature of what depends on where a few points are beside one another.
#pragma once

#include "sim/collide/feature_distance.hpp"
#include "sim/energy/curvature.hpp"

namespace rebound::sim {

/// H, symmetric, of the first `corners` (2 to 4) of four points, with its eigenvalues as they count. That all of them
/// move alike must change nothing: so it is a matrix of three rows less, whose eigenvalues are found in half the time.
Matrix12 counted_relative(const Matrix12& H, int corners, Curvature curvature);

}  // namespace rebound::sim
