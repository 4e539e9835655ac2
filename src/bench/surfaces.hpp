// Closed surfaces for benchmarks, with as many vertices as are asked for.
#pragma once

#include <array>

#include "mesh/mesh.hpp"

namespace rebound::bench {

/// The surface of a box of `divisions` cells an edge, `size` metres, centred at the origin: 2 (ab + bc + ca) + 2
/// vertices.
mesh::Surface box_surface(const std::array<double, 3>& size, const std::array<int, 3>& divisions);

/// The surface of a box blown up to a ball of about a metre with four legs, two ears and `folds` folds around it, as
/// deep as `depth` (a share of the radius): as many vertices as the box, and like a scanned animal in that nothing lies
/// far below the surface.
mesh::Surface animal_surface(const std::array<int, 3>& divisions, int folds, double depth);

}  // namespace rebound::bench
