#include "mesh/inspect.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "mesh/bvh.hpp"
#include "mesh/geometry.hpp"
#include "mesh/intersect.hpp"

namespace rebound::mesh {
namespace {

constexpr int kTrianglesBetweenChecks = 512;

/// Whether two triangles meet elsewhere than in the vertices they share. Duplicates do not count.
bool cross_each_other(const Surface& surface, int first, int second) {
  Triangle a = surface.triangles[first], b = surface.triangles[second];
  int shared = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = shared; j < 3; ++j)
      if (a[i] == b[j]) {
        std::swap(a[i], a[shared]);
        std::swap(b[j], b[shared]);
        ++shared;
        break;
      }
  if (shared == 3) return false;
  std::array<Eigen::Vector3d, 3> p, q;
  for (int k = 0; k < 3; ++k) {
    p[k] = point(surface.points, a[k]);
    q[k] = point(surface.points, b[k]);
  }
  return triangles_cross(p, q, shared);
}

}  // namespace

SelfIntersections self_intersections(const Surface& surface, const Progress& progress, int keep, int most) {
  SelfIntersections found;
  const Bvh tree(surface);
  std::vector<char> solid(surface.triangles.size());
  for (std::size_t t = 0; t < solid.size(); ++t) solid[t] = has_area(surface, surface.triangles[t]);
  const int count = static_cast<int>(surface.triangles.size());
  for (int t = 0; t < count && found.count < most; ++t) {
    if (t % kTrianglesBetweenChecks == 0) progress.step("looking for parts that cross", static_cast<double>(t) / count);
    if (!solid[t]) continue;
    tree.visit_box(tree.box_of(t), [&](int other) {
      if (other <= t || !solid[other] || !cross_each_other(surface, t, other)) return;
      if (found.count++ < keep) found.first.push_back({t, other});
    });
  }
  return found;
}

double thickness_of(const Surface& surface) {
  if (surface.triangles.empty()) return 0;
  const Eigen::Vector3d middle = bounding_box(surface).center();
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Triangle& t : surface.triangles)
    for (const int v : t) {
      const Eigen::Vector3d d = point(surface.points, v) - middle;
      spread += d * d.transpose();
    }
  const double scale = spread.trace();
  if (!(scale > 0)) return 0;
  const Eigen::Matrix3d axes = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread / scale).eigenvectors();
  Eigen::AlignedBox3d box;
  for (const Triangle& t : surface.triangles)
    for (const int v : t) box.extend(Eigen::Vector3d(axes.transpose() * (point(surface.points, v) - middle)));
  return box.sizes().minCoeff() / box.sizes().maxCoeff();
}

Inspection inspect(const Surface& surface, const Progress& progress) {
  Inspection inspection;
  progress.step("inspecting the surface", 0);
  inspection.topology = topology_of(surface);
  inspection.volume = signed_volume(surface);
  inspection.area = surface_area(surface);
  inspection.box = bounding_box(surface);
  inspection.thickness = thickness_of(surface);
  inspection.crossings = self_intersections(surface, progress);
  return inspection;
}

}  // namespace rebound::mesh
