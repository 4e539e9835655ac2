#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "mesh/structures/recipes.hpp"

namespace rebound::mesh {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

// A closed curve through the corners (Catmull and Rom), in steps of equal length.
std::vector<Vector3d> rounded(const std::vector<Vector3d>& corners, int pieces) {
  const std::size_t n = corners.size();
  std::vector<Vector3d> fine;
  for (std::size_t k = 0; k < n; ++k) {
    const Vector3d &p = corners[(k + n - 1) % n], &q = corners[k], &r = corners[(k + 1) % n], &s = corners[(k + 2) % n];
    for (int i = 0; i < 50; ++i) {
      const double t = i / 50.0;
      fine.push_back(0.5 *
                     (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t * t * t));
    }
  }
  std::vector<double> lengths{0};
  for (std::size_t k = 0; k < fine.size(); ++k)
    lengths.push_back(lengths.back() + (fine[(k + 1) % fine.size()] - fine[k]).norm());
  std::vector<Vector3d> path;
  for (int piece = 0; piece < pieces; ++piece) {
    const double wanted = lengths.back() * piece / pieces;
    const auto k =
        static_cast<std::size_t>(std::upper_bound(lengths.begin(), lengths.end(), wanted) - lengths.begin()) - 1;
    const double share = (wanted - lengths[k]) / (lengths[k + 1] - lengths[k]);
    path.push_back(fine[k] + share * (fine[(k + 1) % fine.size()] - fine[k]));
  }
  // The corner where core and spiral meet is rounded off, over a length that does not depend on the pieces.
  const auto passes = static_cast<int>(100 * std::pow(pieces / 475.0, 2));
  for (int pass = 0; pass < passes; ++pass) {
    const std::vector<Vector3d> before = path;
    for (std::size_t k = 0; k < path.size(); ++k)
      path[k] = 0.5 * before[k] + 0.25 * (before[(k + path.size() - 1) % path.size()] + before[(k + 1) % path.size()]);
  }
  return path;
}

// The curve that the band follows, and two directions along it: the tangent, and one that is carried without turning.
struct Curve {
  std::vector<Vector3d> path, tangents, carried;  // `carried` has one more, for where the curve closes

  int pieces() const { return static_cast<int>(path.size()); }
  const Vector3d& tangent(int k) const { return tangents[static_cast<std::size_t>(k % pieces())]; }
  double angle_of(const Vector3d& direction, int k) const {
    const Vector3d& along = carried[static_cast<std::size_t>(k)];
    return std::atan2(direction.dot(tangent(k).cross(along)), direction.dot(along));
  }
};

Curve curve_of(double radius, double turns, int pieces) {
  std::vector<Vector3d> corners;
  for (const double y : {-0.8, -0.48, -0.16, 0.16, 0.48, 0.8}) corners.emplace_back(0, radius * y, 0);
  for (int k = 0; k < 64; ++k) {
    const double share = k / 63.0, polar = pi * (0.12 + 0.76 * share), angle = 2 * pi * turns * share;
    corners.emplace_back(radius * std::sin(polar) * std::cos(angle), radius * std::cos(polar),
                         radius * std::sin(polar) * std::sin(angle));
  }
  Curve curve;
  curve.path = rounded(corners, pieces);
  const std::size_t n = curve.path.size();
  for (std::size_t k = 0; k < n; ++k)
    curve.tangents.push_back((curve.path[(k + 1) % n] - curve.path[(k + n - 1) % n]).normalized());
  curve.carried.push_back(curve.tangents[0].cross(Vector3d(1, 0, 0.3)).normalized());
  for (std::size_t k = 1; k <= n; ++k)
    curve.carried.push_back(transported(curve.carried.back(), curve.tangents[k - 1], curve.tangents[k % n]));
  return curve;
}

// By how much the band is turned about its curve. On the spiral it lies in the ball's surface; through the core it
// turns into what it begins with again, half a turn on.
std::vector<double> turns_along(const Curve& curve, double core) {
  const int n = curve.pieces();
  std::vector<double> turn(static_cast<std::size_t>(n));
  int first = -1, last = -1;
  for (int k = 0; k < n; ++k) {
    const Vector3d& p = curve.path[static_cast<std::size_t>(k)];
    if (std::hypot(p.x(), p.z()) < core) continue;
    const double flat = curve.angle_of(p.normalized().cross(curve.tangent(k)).normalized(), k);
    const double before = last < 0 ? flat : turn[static_cast<std::size_t>(last)];
    turn[static_cast<std::size_t>(k)] = flat + 2 * pi * std::round((before - flat) / (2 * pi));
    if (first < 0) first = k;
    last = k;
  }
  // Where the curve closes, what was carried along it is turned against where it began, and the band by half a turn
  // more.
  const double closing = curve.angle_of(curve.carried[0], n);
  const double begins = turn[static_cast<std::size_t>(first)], ends = turn[static_cast<std::size_t>(last)];
  double wanted = begins + closing;
  wanted += pi * (2 * std::round((ends - wanted - pi) / (2 * pi)) + 1);
  for (int k = last + 1; k < first + n; ++k) {
    const double share = static_cast<double>(k - last) / (first + n - last);
    turn[static_cast<std::size_t>(k % n)] = ends + (wanted - ends) * share - (k < n ? 0 : wanted - begins);
  }
  return turn;
}

}  // namespace

Blocks moebius(Detail detail) {
  const double radius = 0.5, thick = 0.035;
  const int pieces = detail == Detail::fine ? 475 : 150, cells = 3, layers = detail == Detail::fine ? 2 : 1;
  const Curve curve = curve_of(radius, 3.5, pieces);
  const std::vector<double> turn = turns_along(curve, 0.36 * radius);
  Blocks body;
  std::vector<Section> sections;
  for (std::size_t k = 0; k < curve.path.size(); ++k) {
    const Vector3d& p = curve.path[k];
    const Vector3d side = curve.tangents[k].cross(curve.carried[k]);
    const Vector3d across = std::cos(turn[k]) * curve.carried[k] + std::sin(turn[k]) * side;
    const Vector3d through = curve.tangents[k].cross(across);
    // Narrow where it bends sharply.
    const double distance = std::hypot(p.x(), p.z()) / radius, height = p.y() / (0.6 * radius);
    const double width = 0.075 + 0.17 * std::max(0.0, distance - 0.35) +
                         (distance < 0.2 ? 0.06 * std::max(0.0, 1 - height * height) : 0.0);
    Section section;
    for (int i = 0; i <= cells; ++i) {
      const Vector3d middle = p + width * (1.0 * i / cells - 0.5) * across;
      section.emplace_back();
      for (int j = 0; j <= layers; ++j)
        section.back().push_back(body.point(middle + thick * (1.0 * j / layers - 0.5) * through));
    }
    sections.push_back(std::move(section));
  }
  for (std::size_t k = 0; k + 1 < sections.size(); ++k) body.between(sections[k], sections[k + 1]);
  // It closes with half a turn: the last section meets the first one turned round.
  Section start = sections.front();
  std::reverse(start.begin(), start.end());
  for (auto& row : start) std::reverse(row.begin(), row.end());
  body.between(sections.back(), start);
  return body;
}

}  // namespace rebound::mesh
