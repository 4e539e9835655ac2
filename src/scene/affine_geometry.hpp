// The geometry of an affine body: one tetrahedron of four vertices with equal masses, and all else hung on it.
//
// A body of mass m, centre c and second moment S = sum m_i (x_i - c)(x_i - c)^T moves as four masses m/4 at
//   p_j = c + sqrt(3/m) S^(1/2) u_j,   u_j the corners of a regular tetrahedron, |u_j| = 1, sum_j u_j u_j^T = 4/3
// as far as it moves affinely [Lan22]: their moments up to the second are the body's own, so mass, momentum, angular
// momentum and kinetic energy agree. A point x of it has the weights
//   w_j = 1/4 + 3/4 u_j . (sqrt(3/m) S^(1/2))^-1 (x - c)
// which are below 0 for most of what is outside of the tetrahedron, and sum to 1.
//
// We differ: [Lan22] keeps the twelve numbers of the affine map, with a full mass matrix; four vertices are the same
// twelve with a diagonal one, so that every solver takes them as they are.
#pragma once

#include "scene/build.hpp"

namespace rebound::scene {

/// Is this material that of bodies that move as one?
bool is_whole(const Material& material);

/// Of what `skin` encloses. shown: what is seen of it; numbered: n x 3, the vertices that a scene numbers. Throws
/// InputError, one line that begins with `name`, if it encloses no volume.
BodyGeometry affine_geometry(const mesh::Surface& skin, mesh::Surface shown, mesh::Points numbered,
                             const std::string& name);

/// Of a surface as a file has it: mended, and what is seen is the file's own. The numbered vertices are those of what
/// is seen. Throws InputError if it is open, or inside out in part.
BodyGeometry affine_from_surface(const mesh::Surface& loaded, const std::string& name,
                                 const mesh::Progress& progress = {});

/// Of the surface of tetrahedra; the numbered vertices are theirs. Throws as above.
BodyGeometry affine_from_tets(const mesh::TetMesh& tets, const std::string& name);

/// The corners of the box around its surface.
std::vector<sim::BodyPoint> affine_cage(const BodyGeometry& geometry);

/// Of weights in the tetrahedron of an affine body with these moments (at any density), for each row of x.
mesh::Embedding hang_affinely(const Eigen::Vector3d& centre, const Eigen::Matrix3d& spread, const mesh::Points& x);

}  // namespace rebound::scene
