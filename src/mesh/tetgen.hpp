// Conforming tetrahedra from TetGen, which runs as a program of its own: it may crash or hang on bad surfaces.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "mesh/error.hpp"
#include "mesh/mesh.hpp"
#include "mesh/progress.hpp"

namespace rebound::mesh {

struct TetgenOptions {
  double quality = 1.4;      ///< largest ratio of circumradius to shortest edge; 1.4 is good, below 1.2 may not end
  double min_dihedral = 10;  ///< degrees that TetGen strives for
  std::optional<double> max_volume;  ///< m^3 a tet; empty: unbounded
  bool keep_boundary = false;        ///< no new vertices on the surface (worse tets)
  bool refine = true;  ///< false: no vertices but the surface's and the few that it cannot be filled without; slivers
                       ///< stay, quality and min_dihedral mean nothing. max_volume still adds vertices, and then a
                       ///< few tets in ten thousand are up to a third larger
  int work_seconds = 120;            ///< of processor time; then the worker is killed, whatever else the machine does
  double wall_seconds = 900;         ///< by the clock; then it is killed, and TetgenInterrupted thrown
  std::string name = "the surface";  ///< what messages call it
};

/// TetGen was stopped from outside, by the clock or for want of memory, before it said whether it can fill the surface.
class TetgenInterrupted : public MeshError {
  using MeshError::MeshError;
};

/// Fills a closed surface whose parts do not cross. The surface's vertices are the first of the result, in order; the
/// regions that inner shells bound are filled too. Throws MeshError naming what went wrong (the worker missing,
/// crashed, out of time or memory, its answer broken or empty), and Cancelled, after the worker is gone.
TetMesh tetgen(const Surface& surface, const TetgenOptions& options = {}, const Progress& progress = {});

/// $REBOUND_TETGEN, or `rebound-tetgen` beside this program, in the folder above, or in ../libexec/rebound. Throws
/// MeshError naming where it was looked for.
std::filesystem::path tetgen_worker();

}  // namespace rebound::mesh
