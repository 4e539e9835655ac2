#include "mesh/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rebound::mesh {
namespace {

/// Keeps the points that `used` marks, in order.
std::vector<int> keep_used(Points& points, const std::vector<char>& used) {
  std::vector<int> new_index(used.size(), -1);
  int kept = 0;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    points.row(kept) = points.row(static_cast<Eigen::Index>(i)).eval();
    new_index[i] = kept++;
  }
  points.conservativeResize(kept, 3);
  return new_index;
}

template <typename Elements>
std::vector<int> compact_elements(Points& points, Elements& elements) {
  std::vector<char> used(static_cast<std::size_t>(points.rows()), 0);
  for (const auto& element : elements)
    for (const int v : element) used[v] = 1;
  const std::vector<int> new_index = keep_used(points, used);
  for (auto& element : elements)
    for (int& v : element) v = new_index[v];
  return new_index;
}

}  // namespace

double tet_volume(const Points& points, const Tetrahedron& tet) {
  const Eigen::Vector3d origin = point(points, tet[0]);
  const Eigen::Vector3d a = point(points, tet[1]) - origin, b = point(points, tet[2]) - origin,
                        c = point(points, tet[3]) - origin;
  return a.cross(b).dot(c) / 6;
}

double total_volume(const TetMesh& mesh) {
  double sum = 0;
  for (const auto& tet : mesh.tetrahedra) sum += tet_volume(mesh.points, tet);
  return sum;
}

double min_dihedral(const Points& points, const Tetrahedron& tet) {
  // Outward normals; the angle inside is pi minus the one between them.
  std::array<Eigen::Vector3d, 4> normals;
  for (int f = 0; f < 4; ++f) {
    const Eigen::Vector3d a = point(points, tet[kTetFaces[f][0]]), b = point(points, tet[kTetFaces[f][1]]),
                          c = point(points, tet[kTetFaces[f][2]]);
    normals[f] = (b - a).cross(c - a);
    const double length = normals[f].norm();
    if (!(length > 0)) return 0;
    normals[f] /= length;
  }
  double smallest = kPi;
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) {
      const double between = std::atan2(normals[i].cross(normals[j]).norm(), normals[i].dot(normals[j]));
      smallest = std::min(smallest, kPi - between);
    }
  return smallest;
}

double tet_stiffness(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                     const Eigen::Vector3d& d, double least) {
  const Eigen::Vector3d u = b - a, v = c - a, w = d - a;
  const Eigen::Vector3d vw = v.cross(w), wu = w.cross(u), uv = u.cross(v);
  const double det = u.dot(vw);  // six times the volume; the gradients are vw, wu, uv and minus their sum, over it
  if (!(det > 0)) return std::numeric_limits<double>::infinity();
  const Eigen::Vector3d sum = vw + wu + uv;
  const auto entry = [&](int i, int j) { return vw[i] * vw[j] + wu[i] * wu[j] + uv[i] * uv[j] + sum[i] * sum[j]; };
  // The largest root of the characteristic polynomial, in closed form.
  const double xx = entry(0, 0), yy = entry(1, 1), zz = entry(2, 2), xy = entry(0, 1), xz = entry(0, 2),
               yz = entry(1, 2);
  const double mean = (xx + yy + zz) / 3, x = xx - mean, y = yy - mean, z = zz - mean;
  const double p = std::sqrt((x * x + y * y + z * z + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
  if (mean + 2 * p <= least * det * det) return least;
  double largest = mean;
  if (p > 0) {
    const double minor = x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
    largest += 2 * p * std::cos(std::acos(std::clamp(minor / (2 * p * p * p), -1.0, 1.0)) / 3);
  }
  return std::max(least, largest / (det * det));
}

double tet_stiffness(const Points& points, const Tetrahedron& tet) {
  return tet_stiffness(point(points, tet[0]), point(points, tet[1]), point(points, tet[2]), point(points, tet[3]));
}

double triangle_stiffness(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const double square = (b - a).cross(c - a).squaredNorm();  // of twice the area
  if (!(square > 0)) return std::numeric_limits<double>::infinity();
  // The gradients are the edges, turned, over twice the area.
  const double trace = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
  return (trace + std::sqrt(std::max(trace * trace - 12 * square, 0.0))) / (2 * square);
}

double median_stiffness(const Points& points, std::span<const Tetrahedron> tets) {
  if (tets.empty()) return 0;
  std::vector<double> all;
  for (const Tetrahedron& tet : tets) all.push_back(tet_stiffness(points, tet));
  const auto middle = all.begin() + std::ssize(all) / 2;
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

double unevenness(const Points& points, std::span<const Tetrahedron> tets) {
  if (tets.empty()) return 0;
  double largest = 0;
  for (const Tetrahedron& tet : tets) largest = std::max(largest, tet_stiffness(points, tet));
  return largest / median_stiffness(points, tets);
}

TetQuality quality_of(const TetMesh& mesh) {
  TetQuality quality;
  if (mesh.tetrahedra.empty()) return quality;
  double angle = kPi;
  quality.min_volume = std::numeric_limits<double>::infinity();
  for (const auto& tet : mesh.tetrahedra) {
    const double volume = tet_volume(mesh.points, tet);
    quality.min_volume = std::min(quality.min_volume, volume);
    quality.total_volume += volume;
    angle = std::min(angle, min_dihedral(mesh.points, tet));
  }
  quality.min_dihedral = angle * 180 / kPi;
  return quality;
}

std::vector<int> compact(TetMesh& mesh) { return compact_elements(mesh.points, mesh.tetrahedra); }
std::vector<int> compact(Surface& surface) { return compact_elements(surface.points, surface.triangles); }

std::array<double, 4> barycentric(const Points& points, const Tetrahedron& tet, const Eigen::Vector3d& p) {
  const Eigen::Vector3d origin = point(points, tet[0]);
  const Eigen::Vector3d a = point(points, tet[1]) - origin, b = point(points, tet[2]) - origin,
                        c = point(points, tet[3]) - origin, d = p - origin;
  const double volume = a.cross(b).dot(c);
  const double w1 = d.cross(b).dot(c) / volume, w2 = a.cross(d).dot(c) / volume, w3 = a.cross(b).dot(d) / volume;
  return {1 - w1 - w2 - w3, w1, w2, w3};
}

Eigen::Vector3d vector_area(const Surface& surface, const Triangle& t) {
  const Eigen::Vector3d a = point(surface.points, t[0]);
  return (point(surface.points, t[1]) - a).cross(point(surface.points, t[2]) - a) / 2;
}

double solid_angle(const Surface& surface, const Triangle& t, const Eigen::Vector3d& p) {
  // Van Oosterom and Strackee, 1983.
  const Eigen::Vector3d a = point(surface.points, t[0]) - p, b = point(surface.points, t[1]) - p,
                        c = point(surface.points, t[2]) - p;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

double signed_volume(const Surface& surface) {
  if (surface.triangles.empty()) return 0;
  // About a point of the surface, so that a body far from the origin loses no digits.
  const Eigen::Vector3d origin = point(surface.points, surface.triangles[0][0]);
  double sum = 0;
  for (const auto& t : surface.triangles)
    sum += (point(surface.points, t[0]) - origin).dot(vector_area(surface, t)) / 3;
  return sum;
}

double surface_area(const Surface& surface) {
  double sum = 0;
  for (const auto& t : surface.triangles) sum += vector_area(surface, t).norm();
  return sum;
}

Eigen::AlignedBox3d bounding_box(const Surface& surface) {
  Eigen::AlignedBox3d box;
  for (const auto& t : surface.triangles)
    for (const int v : t) box.extend(point(surface.points, v));
  return box;
}

}  // namespace rebound::mesh
