// Measures of tetrahedra and surfaces.
#pragma once

#include <Eigen/Geometry>
#include <numbers>
#include <vector>

#include "mesh/mesh.hpp"

namespace rebound::mesh {

constexpr double kPi = std::numbers::pi;

inline Eigen::Vector3d point(const Points& points, int i) { return points.row(i).transpose(); }

/// m^3; positive when (p1 - p0) x (p2 - p0) . (p3 - p0) is.
double tet_volume(const Points& points, const Tetrahedron& tet);

/// m^3, the sum over all tets, each with its sign.
double total_volume(const TetMesh& mesh);

/// Radians, the smallest of the tet's six dihedral angles; 0 for a flat one.
double min_dihedral(const Points& points, const Tetrahedron& tet);

/// How good tets are to simulate with.
struct TetQuality {
  double min_dihedral = 0;  ///< degrees, over all tets
  double min_volume = 0;    ///< m^3
  double total_volume = 0;  ///< m^3
};
TetQuality quality_of(const TetMesh& mesh);

/// Drops the vertices that no tet uses. Returns the new number of each vertex, -1 where it is gone.
std::vector<int> compact(TetMesh& mesh);

/// The same for a surface.
std::vector<int> compact(Surface& surface);

/// Weights of `p` with respect to the tet's corners (n.b. outside the tet some are negative). They sum to 1.
std::array<double, 4> barycentric(const Points& points, const Tetrahedron& tet, const Eigen::Vector3d& p);

/// m^2, of one triangle; its vector area.
Eigen::Vector3d vector_area(const Surface& surface, const Triangle& triangle);

/// m^3, enclosed: the flux of x/3 about `origin`; meaningful for closed surfaces.
double signed_volume(const Surface& surface);
double surface_area(const Surface& surface);

/// The box around the points that triangles use; empty when there are none.
Eigen::AlignedBox3d bounding_box(const Surface& surface);

}  // namespace rebound::mesh
