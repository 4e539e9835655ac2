// Whether a surface can be filled exactly, and if not, why and where.
#pragma once

#include <string>
#include <vector>

#include "mesh/progress.hpp"
#include "mesh/repair.hpp"

namespace rebound::mesh {

struct Obstruction {
  std::string reason;          ///< in the user's words; empty: none
  std::vector<int> triangles;  ///< of the loaded surface, at most five
  double least_tets = 0;       ///< about how many well-shaped tets its thinnest part takes at least
};

/// TetGen 1.5 crashes, hangs or answers nonsense unless the surface is closed, manifold, oriented, not flat and free of
/// parts that cross: all of this is checked, cheapest first. Throws Cancelled.
Obstruction find_obstruction(const Repaired& repaired, const Progress& progress);

}  // namespace rebound::mesh
