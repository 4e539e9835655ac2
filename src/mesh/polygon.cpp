#include "mesh/polygon.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numeric>

namespace rebound::mesh {
namespace {

using Flat = std::vector<Eigen::Vector2d>;

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// Along the dropped axis the polygon is seen with its corners turning left.
Flat lay_flat(const std::vector<Eigen::Vector3d>& corners) {
  const Eigen::Vector3d normal = polygon_normal(corners);
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  const int u = normal[axis] >= 0 ? (axis + 1) % 3 : (axis + 2) % 3;
  const int v = normal[axis] >= 0 ? (axis + 2) % 3 : (axis + 1) % 3;
  Flat flat;
  flat.reserve(corners.size());
  for (const auto& corner : corners) flat.emplace_back(corner[u], corner[v]);
  return flat;
}

bool holds_another_corner(const Flat& flat, const std::vector<int>& ring, int a, int b, int c) {
  for (const int i : ring) {
    if (i == a || i == b || i == c) continue;
    if (flat[i] == flat[a] || flat[i] == flat[b] || flat[i] == flat[c]) continue;
    if (cross(flat[a], flat[b], flat[i]) >= 0 && cross(flat[b], flat[c], flat[i]) >= 0 &&
        cross(flat[c], flat[a], flat[i]) >= 0)
      return true;
  }
  return false;
}

/// The roundest ear: the smallest angle of its triangle is the largest. -1 when there is none.
int best_ear(const Flat& flat, const std::vector<int>& ring) {
  int best = -1;
  double best_shape = 0;
  const int n = static_cast<int>(ring.size());
  for (int i = 0; i < n; ++i) {
    const int a = ring[(i + n - 1) % n], b = ring[i], c = ring[(i + 1) % n];
    const double area = cross(flat[a], flat[b], flat[c]);
    if (!(area > 0)) continue;
    const double edges =
        (flat[b] - flat[a]).squaredNorm() + (flat[c] - flat[b]).squaredNorm() + (flat[a] - flat[c]).squaredNorm();
    const double shape = area / edges;
    if (shape > best_shape && !holds_another_corner(flat, ring, a, b, c)) {
      best_shape = shape;
      best = i;
    }
  }
  return best;
}

}  // namespace

Eigen::Vector3d polygon_normal(const std::vector<Eigen::Vector3d>& corners) {
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    normal += (corners[i] - corners[0]).cross(corners[i + 1] - corners[0]);
  return normal;
}

std::vector<Triangle> triangulate_polygon(const std::vector<Eigen::Vector3d>& corners, bool* simple) {
  if (simple) *simple = true;
  if (corners.size() < 3) return {};
  if (corners.size() == 3) return {{0, 1, 2}};
  const Flat flat = lay_flat(corners);
  std::vector<int> ring(corners.size());
  std::iota(ring.begin(), ring.end(), 0);
  std::vector<Triangle> triangles;
  while (ring.size() > 3) {
    int ear = best_ear(flat, ring);
    if (ear < 0) {
      // Crossing or collapsed: any corner will do, so that the rest still gets its triangles.
      if (simple) *simple = false;
      ear = 0;
    }
    const int n = static_cast<int>(ring.size());
    triangles.push_back({ring[(ear + n - 1) % n], ring[ear], ring[(ear + 1) % n]});
    ring.erase(ring.begin() + ear);
  }
  if (simple && !(cross(flat[ring[0]], flat[ring[1]], flat[ring[2]]) > 0)) *simple = false;
  triangles.push_back({ring[0], ring[1], ring[2]});
  return triangles;
}

}  // namespace rebound::mesh
