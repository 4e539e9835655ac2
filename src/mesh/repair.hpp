// Mending a surface so that it can be filled, without losing the one that was loaded.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/progress.hpp"

namespace rebound::mesh {

struct RepairOptions {
  double weld = 1e-7;         ///< of the box's diagonal: vertices nearer than this become one
  double largest_hole = 0.5;  ///< of the extent of its component: wider holes are left open
  bool closes = true;         ///< false: a sheet. Its holes stay, and no side of it is the outer one
};

/// The mended surface and how the loaded one hangs on it.
struct Repaired {
  Surface surface;
  std::vector<int> vertex_of;      ///< a loaded vertex: its vertex here; -1 when no triangle used it
  std::vector<int> triangle_of;    ///< a triangle here: the loaded one it stems from; -1 when it closes a hole
  std::vector<std::string> notes;  ///< a sentence for the user about each kind of mending
};

/// Welds vertices, drops degenerate and duplicate triangles, turns triangles to agree and to face outwards (a shell
/// within another that faces the other way stays a cavity), and closes holes. Throws MeshError for indices out of
/// range, coordinates that are not finite and surfaces without any area; and Cancelled.
Repaired repair(const Surface& loaded, const Progress& progress = {}, const RepairOptions& options = {});

}  // namespace rebound::mesh
