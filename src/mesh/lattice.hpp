// A lattice of tets around any surface: open, crossing itself, flat or in many pieces.
//
// The lattice is body-centred cubic: two cubic lattices, each with its points in the middle of the other's cells. All
// of its tets are congruent, twelve to the volume of a cell, with dihedral angles of 60 and 90 degrees only and edges
// of nearly one length (1 and sqrt(3)/2), so that a body is about equally stiff along each direction. Cubes cut into
// six have a preferred diagonal and angles of 45 degrees; cut into five, two kinds of tets, one twice as large as the
// other. Choosing tets one by one rather than cube by cube also follows thin ears and curved walls more closely.
#pragma once

#include <optional>
#include <string>

#include "mesh/mesh.hpp"
#include "mesh/progress.hpp"

namespace rebound::mesh {

struct LatticeOptions {
  int wanted_tets = 12'000;          ///< the result comes near to this
  std::optional<double> max_volume;  ///< m^3 a tet: decides instead of wanted_tets
  double least_fill = 0.05;          ///< a tet that the surface only grazes still counts as this full
  int most_tets = 2'000'000;
  std::string name = "the surface";  ///< what messages call it
};

/// A solid whose `surface` is `shown` and whose tets are all those that `shown` touches or that lie inside `skin`
/// (generalised winding number above 1/2; `skin` is oriented, it may be open). Each vertex of `shown` hangs in the tet
/// that holds it, with weights in [0, 1]. Tets that hold vertices of `shown` that no triangle uses are not made: such
/// vertices hang on the first triangle. Throws MeshError when `shown` has no triangle with extent or more than
/// most_tets are asked for; and Cancelled.
Solid lattice(const Surface& shown, const Surface& skin, const LatticeOptions& options = {},
              const Progress& progress = {});

}  // namespace rebound::mesh
