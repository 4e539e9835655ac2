#include "triangle_net.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::animals {
namespace {

constexpr Triangle kGone = {-1, -1, -1};
constexpr int kFewestNeighbours = 4;
// A triangle may turn by up to acos of this in one change of the mesh.
constexpr double kMayTurn = 0.3;

bool has(const Triangle& t, int v) { return t[0] == v || t[1] == v || t[2] == v; }

}  // namespace

TriangleNet::TriangleNet(Mesh mesh) : points(std::move(mesh.points)), triangles(std::move(mesh.triangles)) {
  fans.resize(points.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const int v : triangles[t]) fans[v].push_back(static_cast<int>(t));
}

std::vector<Edge> TriangleNet::edges() const {
  // On a closed surface each edge runs upwards in exactly one of its two triangles.
  std::vector<Edge> edges;
  for (const Triangle& t : triangles)
    for (int k = 0; k < 3; ++k)
      if (t[k] < t[(k + 1) % 3]) edges.push_back({t[k], t[(k + 1) % 3]});
  return edges;
}

std::vector<int> TriangleNet::neighbours(int v) const {
  std::vector<int> around;
  for (const int t : fans[v])
    for (int k = 0; k < 3; ++k)
      if (triangles[t][k] == v) around.push_back(triangles[t][(k + 1) % 3]);
  return around;
}

bool TriangleNet::adjacent(int a, int b) const {
  return std::any_of(fans[a].begin(), fans[a].end(), [&](int t) { return has(triangles[t], b); });
}

std::optional<std::pair<int, int>> TriangleNet::opposite(int a, int b) const {
  int left = -1, right = -1;
  for (const int t : fans[a])
    for (int k = 0; k < 3; ++k) {
      if (triangles[t][k] != a) continue;
      const int next = triangles[t][(k + 1) % 3], last = triangles[t][(k + 2) % 3];
      if (next == b) left = last;
      if (last == b) right = next;
    }
  if (left < 0 || right < 0) return std::nullopt;
  return std::pair{left, right};
}

Vector3d TriangleNet::area_vector(const Triangle& t) const {
  return 0.5 * (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
}

double TriangleNet::sharpness(const Triangle& t) const {
  double largest_cosine = -1;
  for (int k = 0; k < 3; ++k) {
    const Vector3d u = points[t[(k + 1) % 3]] - points[t[k]], v = points[t[(k + 2) % 3]] - points[t[k]];
    largest_cosine = std::max(largest_cosine, u.dot(v) / std::max(u.norm() * v.norm(), 1e-30));
  }
  return largest_cosine;
}

void TriangleNet::replace(int triangle, const Triangle& by) {
  if (triangles[triangle] != kGone)
    for (const int v : triangles[triangle]) leave_fan(v, triangle);
  triangles[triangle] = by;
  if (by != kGone)
    for (const int v : by) fans[v].push_back(triangle);
}

void TriangleNet::leave_fan(int v, int triangle) { std::erase(fans[v], triangle); }

void TriangleNet::split(int a, int b, const Vector3d& middle) {
  const int m = static_cast<int>(points.size());
  points.push_back(middle);
  fans.emplace_back();
  const std::vector<int> fan = fans[a];
  for (const int t : fan) {
    if (!has(triangles[t], b)) continue;
    Triangle with_a = triangles[t], with_b = triangles[t];
    for (int k = 0; k < 3; ++k) {
      if (with_a[k] == b) with_a[k] = m;
      if (with_b[k] == a) with_b[k] = m;
    }
    replace(t, with_a);
    triangles.push_back(kGone);
    replace(static_cast<int>(triangles.size()) - 1, with_b);
  }
}

bool TriangleNet::can_join(int a, int b, const Vector3d& middle) const {
  const auto across = opposite(a, b);
  if (!across) return false;
  // The surface stays a surface only if a and b share no neighbours but the two across their edge.
  const std::vector<int> around_b = neighbours(b);
  for (const int v : neighbours(a))
    if (v != across->first && v != across->second && std::find(around_b.begin(), around_b.end(), v) != around_b.end())
      return false;
  if (static_cast<int>(fans[across->first].size()) <= kFewestNeighbours ||
      static_cast<int>(fans[across->second].size()) <= kFewestNeighbours ||
      static_cast<int>(fans[a].size() + fans[b].size()) - 4 < kFewestNeighbours)
    return false;
  for (const auto& [end, other] : {Edge{a, b}, Edge{b, a}})
    for (const int t : fans[end])
      if (!has(triangles[t], other) && turns_over(triangles[t], end, middle)) return false;
  return true;
}

void TriangleNet::join(int a, int b, const Vector3d& middle) {
  points[a] = middle;
  const std::vector<int> fan = fans[b];
  for (const int t : fan) {
    Triangle moved = triangles[t];
    const bool vanishes = has(moved, a);
    std::replace(moved.begin(), moved.end(), b, a);
    replace(t, vanishes ? kGone : moved);
  }
}

bool TriangleNet::can_flip(int a, int b, int c, int d) const {
  if (adjacent(c, d) || static_cast<int>(fans[a].size()) <= kFewestNeighbours ||
      static_cast<int>(fans[b].size()) <= kFewestNeighbours)
    return false;
  const Vector3d n1 = area_vector({a, b, c}), n2 = area_vector({b, a, d});
  const Vector3d m1 = area_vector({c, d, b}), m2 = area_vector({d, c, a});
  const auto agrees = [](const Vector3d& u, const Vector3d& v, double cosine) {
    return u.dot(v) > cosine * u.norm() * v.norm();
  };
  const Vector3d mean = n1 + n2;
  // Across a sharp bend a flip would cut the corner.
  return agrees(n1, n2, 0.6) && agrees(m1, mean, 0.6) && agrees(m2, mean, 0.6);
}

void TriangleNet::flip(int a, int b, int c, int d) {
  int left = -1, right = -1;
  for (const int t : fans[a]) {
    if (!has(triangles[t], b)) continue;
    (has(triangles[t], c) ? left : right) = t;
  }
  replace(left, {c, d, b});
  replace(right, {d, c, a});
}

bool TriangleNet::turns_over(const Triangle& t, int v, const Vector3d& target) const {
  Vector3d corner[3];
  for (int k = 0; k < 3; ++k) corner[k] = t[k] == v ? target : points[t[k]];
  const Vector3d after = 0.5 * (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  const Vector3d before = area_vector(t);
  return after.dot(before) <= kMayTurn * after.norm() * before.norm();
}

bool TriangleNet::can_move(int v, const Vector3d& target) const {
  return std::none_of(fans[v].begin(), fans[v].end(), [&](int t) { return turns_over(triangles[t], v, target); });
}

Mesh TriangleNet::compact() const {
  Mesh mesh;
  std::vector<int> number(points.size(), -1);
  for (std::size_t v = 0; v < points.size(); ++v) {
    if (fans[v].empty()) continue;
    number[v] = static_cast<int>(mesh.points.size());
    mesh.points.push_back(points[v]);
  }
  for (const Triangle& t : triangles)
    if (t != kGone) mesh.triangles.push_back({number[t[0]], number[t[1]], number[t[2]]});
  return mesh;
}

}  // namespace rebound::animals
