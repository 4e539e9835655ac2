// Closing holes in a surface.
#pragma once

#include "mesh/mesh.hpp"
#include "mesh/progress.hpp"

namespace rebound::mesh {

struct ClosedHoles {
  int closed = 0, edges = 0;  ///< holes, and their edges together
  double widest = 0;          ///< m, the largest extent of a closed hole
  int left_open = 0;          ///< too wide, or collapsed to a line
};

/// Adds triangles (behind the others) and, for long or winding rims, a vertex in the middle (behind the others).
/// A hole wider than `largest` times the extent of its part stays open. Expects triangles that turn alike.
ClosedHoles close_holes(Surface& surface, double largest, const Progress& progress);

}  // namespace rebound::mesh
