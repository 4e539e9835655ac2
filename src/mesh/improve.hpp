// Tets made even without touching their boundary.
//
// A tet that is much stiffer than the others (a sliver) adds nothing to how a body bends, and slows solvers down. So
// the stiffest are taken one by one, and what lies around each is exchanged for what is softer: vertices inside are
// moved, taken out or put in, edges and faces inside are flipped. Nothing is exchanged unless the stiffest of the new
// tets is softer than the stiffest of the old ones, so that this ends. After [Freitag97] and [Klingner07]. We differ:
// their measures are of shape alone, ours is of size too, as a solver sees it; vertices are sought along fixed
// directions; the boundary is not touched.
#pragma once

#include <limits>
#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/progress.hpp"

namespace rebound::mesh {

/// Degrees. A tet with a smaller dihedral angle is as good as flat, however soft the others are.
constexpr double kSliverAngle = 5;

struct ImproveOptions {
  double most_stiffness = 4;  ///< no tet needs to be softer than this many times the median
  double most_volume = std::numeric_limits<double>::infinity();  ///< m^3, of a tet that is made
  int most_passes = 6;
  double most_work = 1000;  ///< stiffnesses looked at, a tet of the mesh: then the rest stays as it is
};

/// Tets of positive volume that fill the same space inside the same boundary. Vertices of the boundary and `kept` ones
/// stay where they are; all keep their numbers, new ones come last, some may be left without a tet. The same tets give
/// the same bytes. Throws Cancelled, and has then changed nothing.
void improve(TetMesh& mesh, const std::vector<int>& kept = {}, const ImproveOptions& options = {},
             const Progress& progress = {});

}  // namespace rebound::mesh
