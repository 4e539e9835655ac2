#include "mesh/bcc.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace rebound::mesh {
namespace {

using Eigen::Vector3d;

constexpr int kCellBits = 20;

/// Touching counts as meeting, within this much of a cell.
constexpr double kSlack = 1e-9;

/// The ends of each edge of a face, (u, v), going round the axis.
constexpr int kEdgeEnds[4][2][2] = {{{1, 0}, {1, 1}}, {{1, 1}, {0, 1}}, {{0, 1}, {0, 0}}, {{0, 0}, {1, 0}}};

bool apart_along(const Vector3d& axis, const std::array<Vector3d, 4>& tet, const std::array<Vector3d, 3>& triangle) {
  const double t0 = axis.dot(tet[0]), t1 = axis.dot(tet[1]), t2 = axis.dot(tet[2]), t3 = axis.dot(tet[3]);
  const double a = axis.dot(triangle[0]), b = axis.dot(triangle[1]), c = axis.dot(triangle[2]);
  const double slack = kSlack * axis.cwiseAbs().sum();
  return std::min({a, b, c}) > std::max({t0, t1, t2, t3}) + slack ||
         std::max({a, b, c}) < std::min({t0, t1, t2, t3}) - slack;
}

}  // namespace

BccKey key_of(const BccTet& tet) {
  BccKey key = 0;
  for (int k = 2; k >= 0; --k) key = key << kCellBits | static_cast<BccKey>(tet.cell[k]);
  return key << 4 | static_cast<BccKey>(tet.axis << 2 | tet.edge);
}

BccTet tet_of(BccKey key) {
  BccTet tet;
  tet.edge = static_cast<int>(key & 3);
  tet.axis = static_cast<int>(key >> 2 & 3);
  key >>= 4;
  for (int k = 0; k < 3; ++k) {
    tet.cell[k] = static_cast<int>(key & (kMostBccCells - 1));
    key >>= kCellBits;
  }
  return tet;
}

std::array<std::array<int, 3>, 4> doubled_corners(const BccTet& tet) {
  const int u = (tet.axis + 1) % 3, v = (tet.axis + 2) % 3;
  std::array<std::array<int, 3>, 4> corners;
  for (auto& corner : corners)
    for (int k = 0; k < 3; ++k) corner[k] = 2 * tet.cell[k];
  for (int side = 0; side < 2; ++side) {
    for (int& coordinate : corners[side]) ++coordinate;
    corners[2 + side][u] += 2 * kEdgeEnds[tet.edge][side][0];
    corners[2 + side][v] += 2 * kEdgeEnds[tet.edge][side][1];
  }
  corners[0][tet.axis] -= 2;
  return corners;
}

BccTet locate(const Vector3d& p) {
  BccTet tet;
  Vector3d from_middle;
  for (int k = 0; k < 3; ++k) {
    const double low = std::floor(p[k]);
    tet.cell[k] = static_cast<int>(low);
    from_middle[k] = p[k] - low - 0.5;
  }
  from_middle.cwiseAbs().maxCoeff(&tet.axis);
  if (from_middle[tet.axis] > 0) ++tet.cell[tet.axis];
  const double u = from_middle[(tet.axis + 1) % 3], v = from_middle[(tet.axis + 2) % 3];
  if (std::abs(u) >= std::abs(v))
    tet.edge = u >= 0 ? 0 : 2;
  else
    tet.edge = v >= 0 ? 1 : 3;
  return tet;
}

BccRange faces_near(int axis, const Vector3d& low, const Vector3d& high) {
  BccRange range;
  for (int k = 0; k < 3; ++k) {
    // A block spans half a cell to each side of its face, and the whole cell across.
    const double before = k == axis ? 0.5 : 1, after = k == axis ? 0.5 : 0;
    range.begin[k] = std::max(0, static_cast<int>(std::ceil(low[k] - before - kSlack)));
    range.end[k] = std::min(kMostBccCells - 1, static_cast<int>(std::floor(high[k] + after + kSlack)));
  }
  return range;
}

bool block_meets_plane(const BccTet& tet, const Vector3d& on_plane, const Vector3d& normal) {
  const int u = (tet.axis + 1) % 3, v = (tet.axis + 2) % 3;
  Vector3d middle;
  middle[tet.axis] = tet.cell[tet.axis];
  middle[u] = tet.cell[u] + 0.5;
  middle[v] = tet.cell[v] + 0.5;
  const double reach = 0.5 * std::max(std::abs(normal[tet.axis]), std::abs(normal[u]) + std::abs(normal[v]));
  return std::abs(normal.dot(middle - on_plane)) <= reach + kSlack * normal.cwiseAbs().sum();
}

bool tet_meets_triangle(const BccTet& tet, const std::array<Vector3d, 3>& triangle) {
  const auto doubled = doubled_corners(tet);
  std::array<Vector3d, 4> corners;
  for (int i = 0; i < 4; ++i) corners[i] = Vector3d(doubled[i][0], doubled[i][1], doubled[i][2]) / 2;

  for (const auto& f : kTetFaces)
    if (apart_along((corners[f[1]] - corners[f[0]]).cross(corners[f[2]] - corners[f[0]]), corners, triangle))
      return false;
  const Vector3d sides[3] = {triangle[1] - triangle[0], triangle[2] - triangle[1], triangle[0] - triangle[2]};
  if (apart_along(sides[0].cross(sides[1]), corners, triangle)) return false;
  constexpr int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (const auto& e : edges) {
    const Vector3d edge = corners[e[1]] - corners[e[0]];
    for (const Vector3d& side : sides)
      if (apart_along(edge.cross(side), corners, triangle)) return false;
  }
  return true;
}

}  // namespace rebound::mesh
