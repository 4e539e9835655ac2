// Bodies made from numbers, each centred at the origin.
#pragma once

#include <array>

#include "mesh/mesh.hpp"

namespace rebound::mesh {

/// A box of `size` metres with (dx+1)(dy+1)(dz+1) vertices: x fastest, then y, then z. `cut` 6: each cell into six
/// tets around the diagonal from its lowest to its highest corner; 5: one large and four corner tets, mirrored from
/// cell to cell as on a chess board so that faces match. Throws MeshError for sizes that are not positive and finite,
/// divisions below 1 or more than 4 million cells, and other cuts.
TetMesh box(const std::array<double, 3>& size, const std::array<int, 3>& divisions, int cut = 6);

/// A cloth in the xz plane, x fastest: structural, shear (both diagonals) and bending springs (over two cells along x
/// and z), in this order. Triangles face +y. Errors as above.
SpringMesh cloth(const std::array<double, 2>& size, const std::array<int, 2>& divisions);

/// A disk in the xz plane, `rings` of triangles around the middle: vertex 0, then the rings from within, the k-th with
/// 6 k vertices from the x axis towards z. Triangles face +y. Errors as above.
Surface disk(double radius, int rings);

/// A ball of `radius` metres, `divisions` cells across (2 or more).
TetMesh sphere(double radius, int divisions);

/// A ring about the y axis: `radius` of its centre line, `tube` < radius of its section, `divisions` cells across the
/// tube (2 or more).
TetMesh torus(double radius, double tube, int divisions);

}  // namespace rebound::mesh
