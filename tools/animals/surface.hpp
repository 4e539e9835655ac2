// From a sculpture to triangles that are good to simulate.
#pragma once

#include <array>
#include <vector>

#include "shape.hpp"

namespace rebound::animals {

using Triangle = std::array<int, 3>;

/// Triangles, counter-clockwise seen from outside.
struct Mesh {
  std::vector<Vector3d> points;
  std::vector<Triangle> triangles;
};

/// How long the edges are, metres: `finest` in the tightest curves, `coarsest` where it is flat, and between them
/// `turn` times the radius of curvature.
struct EdgeLengths {
  double coarsest = 0.05;
  double finest = 0.014;
  double turn = 0.55;
};

/// A closed surface by marching tetrahedra over a grid of cubes of side `cell` in the box [-1, 1] x [-0.1, 1.3] x
/// [-1, 1]; crude triangles.
Mesh march(const Sculpture& sculpture, double cell);

/// Splits, joins, flips and slides until the edges are as long as wished and the triangles nearly equilateral, with
/// every vertex on the sculpture's surface. Topology is kept.
Mesh remesh(Mesh mesh, const Sculpture& sculpture, const EdgeLengths& lengths);

}  // namespace rebound::animals
