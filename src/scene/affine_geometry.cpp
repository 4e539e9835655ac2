#include "scene/affine_geometry.hpp"

#include <cmath>

#include "mesh/bvh.hpp"
#include "mesh/error.hpp"
#include "mesh/geometry.hpp"
#include "mesh/inspect.hpp"
#include "mesh/moments.hpp"
#include "mesh/repair.hpp"
#include "mesh/winding.hpp"
#include "scene/wording.hpp"
#include "sim/energy/materials.hpp"
#include "sim/linear/small_pairs.hpp"

namespace rebound::scene {
namespace {

using Corners = Eigen::Matrix<double, 3, 4>;

/// The corners of a regular tetrahedron of positive volume, each at a distance of 1 from the middle.
Corners regular_corners() {
  Corners u;
  u << 1, 1, -1, -1,  //
      1, -1, 1, -1,   //
      1, -1, -1, 1;
  u.col(2).swap(u.col(3));
  return u / std::sqrt(3.0);
}

/// Below this share of its greatest extent a body is flat: a second moment has lost its digits.
constexpr double kFlatBody = 1e-6;

/// sqrt(3/m) S^(1/2), m: how far from the centre the corners are along each axis.
Eigen::Matrix3d spread_of(const mesh::SolidMoments& moments, const std::string& name) {
  const sim::FixedPairs<3> axes = sim::symmetric_pairs(moments.second);
  const Eigen::Vector3d& extents = axes.values;
  if (!(moments.volume > 0) || !(extents[0] > kFlatBody * kFlatBody * extents[2]))
    throw InputError(name +
                     ": encloses no volume, so it has no mass as an affine body; give a closed surface around a solid");
  const Eigen::Vector3d lengths = (3 / moments.volume * extents).cwiseSqrt();
  return axes.vectors * lengths.asDiagonal() * axes.vectors.transpose();
}

void require_closed(const mesh::Repaired& repaired, const std::string& name) {
  const auto& by = repaired.triangle_of;
  const auto filled = std::count(by.begin(), by.end(), -1);
  const mesh::Topology topology = mesh::topology_of(repaired.surface);
  if (filled == 0 && topology.closed()) return;
  const std::size_t open = topology.open_edges.size();
  throw InputError(name + ": is open" +
                   (open > 0 ? " along " + std::to_string(open) + " edges" : ", with a hole or more") +
                   "; an affine body's mass is what a closed surface encloses: close it, or use a soft material");
}

// Where a part of it is inside out, what lies before its triangles is enclosed the wrong way round. Only where a
// surface crosses itself can a part be, as each piece by itself has been turned to face outwards.
void require_right_way_round(const mesh::Surface& surface, const std::string& name, const mesh::Progress& progress) {
  constexpr double kBefore = 1e-4;  // of a triangle's size
  if (mesh::self_intersections(surface, progress, 1, 1).count == 0) return;
  const mesh::Bvh tree(surface);
  const mesh::Winding winding(tree);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const mesh::Triangle& corners = surface.triangles[t];
    const Eigen::Vector3d area = mesh::vector_area(surface, corners);
    if (!(area.norm() > 0)) continue;
    const Eigen::Vector3d middle = (mesh::point(surface.points, corners[0]) + mesh::point(surface.points, corners[1]) +
                                    mesh::point(surface.points, corners[2])) /
                                   3;
    if (winding.at(middle + kBefore / std::sqrt(area.norm()) * area) > -0.5) continue;
    throw InputError(name + ": is inside out in part, at triangle " + std::to_string(t + 1) +
                     " (counted from 1); an affine body's mass is what its surface encloses: turn that part round");
  }
}

}  // namespace

bool is_whole(const Material& material) {
  const sim::MaterialInfo* info = sim::find_material(material.model);
  return info != nullptr && info->is_whole;
}

mesh::Embedding hang_affinely(const Eigen::Vector3d& centre, const Eigen::Matrix3d& spread, const mesh::Points& x) {
  const Corners u = regular_corners();
  const Eigen::Matrix3d to_corners = spread.inverse();
  mesh::Embedding hung;
  hung.vertices.assign(static_cast<std::size_t>(x.rows()), {0, 1, 2, 3});
  hung.weights.reserve(static_cast<std::size_t>(x.rows()));
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const Eigen::Vector3d y = to_corners * (x.row(i).transpose() - centre);
    const Eigen::Vector4d w = 0.25 * Eigen::Vector4d::Ones() + 0.75 * u.transpose() * y;
    hung.weights.push_back({w[0], w[1], w[2], w[3]});
  }
  return hung;
}

std::vector<sim::BodyPoint> affine_cage(const BodyGeometry& geometry) {
  const Eigen::RowVector3d low = geometry.surface.points.colwise().minCoeff();
  const Eigen::RowVector3d high = geometry.surface.points.colwise().maxCoeff();
  std::vector<sim::BodyPoint> corners;
  for (int corner = 0; corner < 8; ++corner) {
    Eigen::Vector3d at;
    for (int c = 0; c < 3; ++c) at[c] = (corner >> c & 1 ? high : low)[c];
    corners.push_back({{0, 1, 2, 3}, mesh::barycentric(geometry.rest, {0, 1, 2, 3}, at)});
  }
  return corners;
}

BodyGeometry affine_geometry(const mesh::Surface& skin, mesh::Surface shown, mesh::Points numbered,
                             const std::string& name) {
  const mesh::SolidMoments moments = mesh::moments_of(skin);
  const Eigen::Matrix3d spread = spread_of(moments, name);
  const Corners corners = (spread * regular_corners()).colwise() + moments.centre;
  BodyGeometry geometry;
  geometry.rest = corners.transpose();
  const mesh::Tetrahedron tet{0, 1, 2, 3};
  geometry.elements = std::vector<mesh::Tetrahedron>{tet};
  // It is as heavy and as stiff as the body is large.
  geometry.fill = {moments.volume / mesh::tet_volume(geometry.rest, tet)};
  geometry.embedding = hang_affinely(moments.centre, spread, shown.points);
  geometry.numbering = hang_affinely(moments.centre, spread, numbered);
  geometry.surface = std::move(shown);
  geometry.numbered = std::move(numbered);
  return geometry;
}

BodyGeometry affine_from_surface(const mesh::Surface& loaded, const std::string& name, const mesh::Progress& progress) {
  const mesh::Repaired repaired = mesh::repair(loaded, progress);
  require_closed(repaired, name);
  require_right_way_round(repaired.surface, name, progress);
  mesh::Surface shown = loaded;
  mesh::compact(shown);
  mesh::Points numbered = shown.points;
  BodyGeometry geometry = affine_geometry(repaired.surface, std::move(shown), std::move(numbered), name);
  geometry.notes = repaired.notes;
  return geometry;
}

BodyGeometry affine_from_tets(const mesh::TetMesh& tets, const std::string& name) {
  mesh::Surface surface = mesh::boundary_of(tets).surface;
  const mesh::Surface skin = surface;
  return affine_geometry(skin, std::move(surface), tets.points, name);
}

}  // namespace rebound::scene
