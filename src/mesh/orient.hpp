// Making triangles turn the same way, and outwards.
#pragma once

#include "mesh/mesh.hpp"

namespace rebound::mesh {

struct Turned {
  int triangles = 0;       ///< turned to agree with their neighbours
  int shells = 0;          ///< closed or open parts that faced inwards as a whole
  int cavities = 0;        ///< shells within another, left facing inwards
  bool one_sided = false;  ///< some part cannot be turned to agree (a Moebius band)
};

/// Across edges of two triangles; the fewest triangles of each part are turned.
Turned turn_to_agree(Surface& surface);

/// Each part outwards; one within another that faced the other way than its container stays a cavity.
void turn_outwards(Surface& surface, Turned& turned);

}  // namespace rebound::mesh
