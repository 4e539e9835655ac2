// Parts of faces. Places are rough: each part finds the surface by itself.
#pragma once

#include "shape.hpp"

namespace rebound::animals {

struct Eye {
  Vector3d place;
  double radius;
  Vector3d gaze = {0, 0, 1};  ///< where the pupil is, from the eye's centre
  double sunk = 0.25;         ///< how deep the ball lies, in radii; 1: half of it shows
  double pupil = 0.45;        ///< its radius, in radii of the eye; 0: none
};

/// A ball on the surface with a dimple for a pupil, and its mirror image.
void add_eye_pair(Sculpture& sculpture, const Eye& eye);
/// A groove along a curve on the surface.
void carve_line(Sculpture& sculpture, const std::vector<Vector3d>& path, double radius, double blend = 0.012);
/// A round hollow of about `depth` metres, and its mirror image.
void carve_dimple_pair(Sculpture& sculpture, const Vector3d& place, double radius, double depth, double blend = 0.01);

}  // namespace rebound::animals
