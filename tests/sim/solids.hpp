// Closed surfaces of every kind that a distance has to cope with, and what is true of them by brute force.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <numbers>
#include <random>

#include "mesh/shapes.hpp"
#include "sim/base/types.hpp"

namespace rebound::test {

using namespace rebound::sim;
using mesh::Surface;
inline constexpr double kPi = std::numbers::pi;

inline Vec3 corner(const Surface& s, std::size_t t, int c) { return s.points.row(s.triangles[t][c % 3]).transpose(); }

inline Surface box_surface(const std::array<double, 3>& size, int divisions) {
  return mesh::boundary_of(mesh::box(size, {divisions, divisions, divisions})).surface;
}

// Rows of n points each; neighbours along both ways are joined, the last ones with the first ones. Faces outwards if
// the second way is left of the first, seen from outside.
inline Surface closed_net(const std::vector<std::vector<Vec3>>& rows) {
  Surface s;
  const int m = static_cast<int>(rows.size()), n = static_cast<int>(rows[0].size());
  s.points.resize(m * n, 3);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      s.points.row(i * n + j) = rows[i][j].transpose();
      const int a = i * n + j, b = (i + 1) % m * n + j, c = (i + 1) % m * n + (j + 1) % n, d = i * n + (j + 1) % n;
      s.triangles.push_back({a, b, c});
      s.triangles.push_back({a, c, d});
    }
  return s;
}

inline constexpr double kRing = 1.0, kTube = 0.3;
inline Surface torus_surface(int m, int n) {
  std::vector<std::vector<Vec3>> rows(m);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      const double around = -2 * kPi * i / m, tube = 2 * kPi * j / n;
      const double out = kRing + kTube * std::cos(tube);
      rows[i].push_back({out * std::cos(around), kTube * std::sin(tube), out * std::sin(around)});
    }
  return closed_net(rows);
}

// All of its vertices are at the radius that the direction asks for.
template <class Radius>
Surface star(int divisions, const Radius& radius) {
  Surface s = box_surface({2, 2, 2}, divisions);
  for (Eigen::Index i = 0; i < s.points.rows(); ++i) {
    const Vec3 direction = s.points.row(i).transpose().normalized();
    s.points.row(i) = radius(direction) * direction.transpose();
  }
  return s;
}
inline Surface ball_surface(double radius, int divisions) {
  return star(divisions, [&](const Vec3&) { return radius; });
}
inline Surface spiky(int divisions) {
  return star(divisions, [](const Vec3& d) { return 1 + 0.7 * std::sin(9 * d.x()) * std::sin(8 * d.y() + 1); });
}

inline void append(Surface& to, const Surface& from, bool inside_out = false) {
  const int first = static_cast<int>(to.points.rows());
  mesh::Points all(first + from.points.rows(), 3);
  all << to.points, from.points;
  to.points = all;
  for (auto t : from.triangles) {
    if (inside_out) std::swap(t[0], t[1]);
    to.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
}

inline void turn(Surface& s) {
  const Eigen::Matrix3d R = Eigen::AngleAxisd(0.7, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  s.points = (s.points * R.transpose()).eval();
}

// Cuts side c of triangle t at `share` of its length, and closes the gap by a triangle without an area.
inline void joint(Surface& s, std::size_t t, int c, double share, double off = 0) {
  const auto [a, b, tip] = std::array{s.triangles[t][c], s.triangles[t][(c + 1) % 3], s.triangles[t][(c + 2) % 3]};
  const int m = static_cast<int>(s.points.rows());
  s.points.conservativeResize(m + 1, 3);
  s.points.row(m) = (1 - share) * s.points.row(a) + share * s.points.row(b);
  s.points.row(m) += off * (s.points.row(tip) - s.points.row(m));
  s.triangles[t] = {a, m, tip};
  s.triangles.push_back({m, b, tip});
  s.triangles.push_back({a, b, m});
}

// Joints on every side of every triangle, most sides from both triangles and at different places.
inline Surface with_joints(Surface s, double off = 0) {
  const std::size_t count = s.triangles.size();
  for (std::size_t t = 0; t < count; ++t)
    joint(s, t, static_cast<int>(t % 3), 0.25 + 0.1 * static_cast<double>(t % 5), off);
  return s;
}

// Two faces a degree apart, their common edge an edge of the body.
inline Surface wedge() {
  Surface s{mesh::Points(6, 3),
            {{0, 1, 3}, {0, 3, 2}, {1, 0, 4}, {5, 1, 4}, {0, 2, 4}, {1, 5, 3}, {2, 3, 4}, {3, 5, 4}}};
  s.points << 0, 0, 0, 0, 0, 1, 1, 0.01, 0, 1, 0.01, 1, 1, -0.01, 0, 1, -0.01, 1;
  return s;
}

inline Surface hollow() {
  Surface s = box_surface({2, 2, 2}, 2);
  append(s, ball_surface(0.7, 5), true);
  return s;
}

inline Surface ball_and_box() {
  Surface s = ball_surface(0.5, 5), other = box_surface({0.5, 0.5, 0.5}, 2);
  other.points.col(0).array() += 0.77;
  append(s, other);
  return s;
}

// A recipe, not a surface: a test program reads the list before it knows which tests it runs.
struct Solid {
  std::string name;
  std::function<Surface()> straight;

  // Turned, so that no face lies along an axis.
  Surface surface() const {
    Surface s = straight();
    turn(s);
    return s;
  }
};

inline const std::vector<Solid>& solids() {
  static const std::vector<Solid> all{{"box",
                                       [] {
                                         return box_surface({1, 2, 0.5}, 3);
                                       }},
                                      {"ball", [] { return ball_surface(0.8, 8); }},
                                      {"torus", [] { return torus_surface(24, 12); }},
                                      {"spikes", [] { return spiky(12); }},
                                      {"plate",
                                       [] {
                                         return box_surface({1, 1e-4, 1}, 4);
                                       }},
                                      {"needle",
                                       [] {
                                         return box_surface({1e-4, 1, 1e-4}, 2);
                                       }},
                                      {"wedge", wedge},
                                      {"hollow", hollow},
                                      {"pair", ball_and_box},
                                      {"box_with_joints",
                                       [] {
                                         return with_joints(box_surface({1, 2, 0.5}, 2));
                                       }},
                                      {"wedge_with_joints", [] { return with_joints(wedge()); }},
                                      {"spikes_with_joints", [] { return with_joints(with_joints(spiky(5))); }},
                                      {"slivers_inwards", [] {
                                         return with_joints(box_surface({1, 2, 0.5}, 2), 1e-9);
                                       }}};
  return all;
}

// How often the surface goes round p: 1 inside, 0 outside, by the solid angles of its triangles.
inline double winding(const Surface& s, const Vec3& p) {
  double total = 0;
  for (std::size_t t = 0; t < s.triangles.size(); ++t) {
    const Vec3 a = corner(s, t, 0) - p, b = corner(s, t, 1) - p, c = corner(s, t, 2) - p;
    const double A = a.norm(), B = b.norm(), C = c.norm();
    total += std::atan2(a.dot(b.cross(c)), A * B * C + a.dot(b) * C + b.dot(c) * A + c.dot(a) * B);
  }
  return total / (2 * kPi);
}

// The distance of p from a triangle: of the points where it might be, the nearest that belongs to the triangle.
inline double triangle_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  double best = std::min({(p - a).norm(), (p - b).norm(), (p - c).norm()});
  for (const auto& [from, to] : {std::pair{a, b}, {b, c}, {c, a}}) {
    const double length = (to - from).norm(), along = length > 0 ? (p - from).dot(to - from) / length : -1;
    if (along > 0 && along < length) best = std::min(best, (p - from - along / length * (to - from)).norm());
  }
  Eigen::Matrix<double, 3, 2> sides;
  sides << b - a, c - a;
  const auto qr = sides.colPivHouseholderQr();
  if (qr.rank() == 2) {
    const Eigen::Vector2d s = qr.solve(p - a);
    if (s.minCoeff() > 0 && s.sum() < 1) best = std::min(best, (p - a - sides * s).norm());
  }
  return best;
}
inline double brute_distance(const Surface& s, const Vec3& p) {
  double best = INFINITY;
  for (std::size_t t = 0; t < s.triangles.size(); ++t)
    best = std::min(best, triangle_distance(p, corner(s, t, 0), corner(s, t, 1), corner(s, t, 2)));
  return best;
}

}  // namespace rebound::test
