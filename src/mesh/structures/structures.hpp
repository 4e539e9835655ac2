// Bodies for the scenes of [Chen20]: a coil of rope, a honeycomb, a Moebius band, a tower, a bridge and a tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mesh/mesh.hpp"

namespace rebound::mesh {

/// How finely a structure is cut.
enum class Detail {
  coarse,  ///< 2,700 to 9,960 tetrahedra, for the window
  fine     ///< as many vertices and tetrahedra as the body of [Chen20] has, within 5 %
};

/// Their names, in the order of lists.
const std::vector<std::string>& structure_names();

/// Metres, y up from 0; in one piece, its tetrahedra's shared faces shared by two. The same bytes each time. Throws
/// MeshError for a name that is none of `structure_names`.
TetMesh structure(std::string_view name, Detail detail = Detail::coarse);

}  // namespace rebound::mesh
