// The plain shapes that travel through the program: triangles, tetrahedra, springs, and a surface embedded in
// tetrahedra.
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

namespace rebound::mesh {

/// n x 3, metres, one point a row.
using Points = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
using Triangle = std::array<int, 3>;
using Tetrahedron = std::array<int, 4>;
using Edge = std::array<int, 2>;

/// The face opposite each corner of a tetrahedron of positive volume, counter-clockwise seen from outside.
inline constexpr int kTetFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/// Triangles, counter-clockwise seen from outside.
struct Surface {
  Points points;
  std::vector<Triangle> triangles;
};

/// Tetrahedra of positive volume: (p1 - p0) x (p2 - p0) . (p3 - p0) > 0.
struct TetMesh {
  Points points;
  std::vector<Tetrahedron> tetrahedra;
  std::vector<int> labels{};  ///< of a file that marks parts of a body by numbers: one a tetrahedron; empty elsewhere
};

/// Cloth or any other net of springs; `triangles` are what is drawn.
struct SpringMesh {
  Points points;
  std::vector<Edge> edges;
  std::vector<Triangle> triangles;
};

/// Point i of a surface is sum_j weights[i][j] * x[vertices[i][j]]. The weights sum to 1; unused places have weight 0
/// and repeat the first vertex.
struct Embedding {
  std::vector<std::array<int, 4>> vertices;
  std::vector<std::array<double, 4>> weights;

  /// Where the surface is when the vertices are at `x`.
  Points apply(const Eigen::Ref<const Points>& x) const;
};

/// Every surface point is the vertex of the same number among `vertices`.
Embedding embed_vertices(const std::vector<int>& vertices);

/// A solid: what is simulated, what is seen, and how the second hangs on the first.
struct Solid {
  TetMesh tets;
  std::vector<double> fill;        ///< a tet: the share of its volume that is material, in (0, 1]; 1 unless a lattice
  Surface surface;                 ///< the one that the user loaded
  Embedding embedding;             ///< of `surface` in `tets`
  std::vector<std::string> notes;  ///< what was mended and how the solid was made, one sentence each, for the user
};

/// The boundary of a tet mesh, oriented outwards; vertices renumbered, `vertex_of[i]` being the tet mesh's vertex.
struct Boundary {
  Surface surface;
  std::vector<int> vertex_of;
};
Boundary boundary_of(const TetMesh& mesh);

}  // namespace rebound::mesh
