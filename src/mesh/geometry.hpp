// Measures of tetrahedra and surfaces.
#pragma once

#include <Eigen/Geometry>
#include <numbers>
#include <span>
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

/// 1/m^2, the largest eigenvalue of sum_i g_i g_i^T, g_i being the gradients of the four shape functions; infinite for
/// a tet without positive volume. Times 4 and the square of the speed of sound it is the largest eigenvalue of the
/// element's own M^-1 K with lumped masses, 1/s^2: no body vibrates faster than its stiffest element would alone.
/// Answers `least` for all that are softer, which is quicker.
double tet_stiffness(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                     const Eigen::Vector3d& d, double least = 0);
double tet_stiffness(const Points& points, const Tetrahedron& tet);

/// 1/m^2, the same of a triangle in its plane. No tet that has it for a face is softer.
double triangle_stiffness(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c);

double median_stiffness(const Points& points, std::span<const Tetrahedron> tets);

/// The stiffest element's stiffness over that of the median one; 1 at best, 0 without tets. A lattice of equal tets has
/// 1, and beyond some ten slivers rule how well solves converge.
double unevenness(const Points& points, std::span<const Tetrahedron> tets);

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

/// Of the triangle as seen from `p`: positive from behind, 4 pi all round.
double solid_angle(const Surface& surface, const Triangle& triangle, const Eigen::Vector3d& p);

/// m^3, enclosed: the flux of x/3 about `origin`; meaningful for closed surfaces.
double signed_volume(const Surface& surface);
double surface_area(const Surface& surface);

/// The box around the points that triangles use; empty when there are none.
Eigen::AlignedBox3d bounding_box(const Surface& surface);

}  // namespace rebound::mesh
