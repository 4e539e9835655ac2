// Parts of faces. Places are rough: each part finds the surface by itself.
#pragma once

#include "shape.hpp"

namespace rebound::animals {

/// Two button eyes: each a bulge, standing out along the skin's normal.
struct Eyes {
  Vector3d place;        ///< of the one at positive x
  double width, height;  ///< from the middle to the rim, metres
  double bulge = 0.8;    ///< how far it stands out, in widths
  double pupil = 0;      ///< the radius of a dimple that looks ahead, in widths; 0: none
};

void add_eyes(Sculpture& sculpture, const Eyes& eyes);
/// A groove on the skin from -x to +x through `middle`: the corners lie `rise` higher and `back` farther back.
struct Smile {
  Vector3d middle;
  double half_width, rise, back = 0;
  double radius = 0.015;
};
void carve_smile(Sculpture& sculpture, const Smile& smile);
/// A round hollow of about `depth` metres, and its mirror image.
void carve_dimple_pair(Sculpture& sculpture, const Vector3d& place, double radius, double depth, double blend = 0.01);

}  // namespace rebound::animals
