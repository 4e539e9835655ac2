#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "mesh/structures/recipes.hpp"

namespace rebound::mesh {
namespace {

using Eigen::Vector3d;
using Limb = std::vector<Section>;

// What a limb starts from: a section's middle and axes.
struct Start {
  Vector3d centre, direction, across, along;
  double radius;
};

// Limbs of round sections. A limb starts on faces of the side of another, so that they are one body.
class Tree {
 public:
  /// cells: across a section. step: length of a piece, in radii.
  Tree(Blocks& body, int cells, double step) : body_(body), cells_(cells), step_(step) {}

  Limb trunk(double radius, double foot, double thinnest, double length) {
    const Start start{Vector3d::Zero(), Vector3d::UnitY(), Vector3d::UnitX(), Vector3d::UnitZ(), radius};
    Limb limb{round_section(body_, start.centre, start.across, start.along, foot, cells_)};
    grow(limb, start, thinnest, length, 0.1);
    return limb;
  }

  /// From the faces between sections `at` and `at` + cells, on one of the four sides. share: of its radius in half the
  /// other's thickness.
  Limb branch(const Limb& from, std::size_t at, int side, double share, double length, double rising) {
    const auto n = static_cast<std::size_t>(cells_);
    Section patch;
    for (std::size_t k = 0; k <= n; ++k) patch.push_back(edge(from[at + k], side));
    const Vector3d &p00 = body_.at(patch[0][0]), &p10 = body_.at(patch[n][0]), &p01 = body_.at(patch[0][n]),
                   &p11 = body_.at(patch[n][n]);
    const Vector3d middle = 0.25 * (body_.at(patch[n / 2][n / 2]) + body_.at(patch[(n + 1) / 2][n / 2]) +
                                    body_.at(patch[n / 2][(n + 1) / 2]) + body_.at(patch[(n + 1) / 2][(n + 1) / 2]));
    const Vector3d inside = 0.5 * (middle_of(from[at + n / 2]) + middle_of(from[at + (n + 1) / 2]));
    const Vector3d outwards = (middle - inside).normalized();
    const auto flat = [&](const Vector3d& d) { return (d - d.dot(outwards) * outwards).normalized(); };
    Limb limb{patch};
    grow(limb,
         {middle, outwards, flat(p10 + p11 - p00 - p01), flat(p01 + p11 - p00 - p10), share * (middle - inside).norm()},
         0.05, length, rising);
    return limb;
  }

 private:
  std::vector<int> edge(const Section& s, int side) const {
    const auto n = static_cast<std::size_t>(cells_);
    std::vector<int> points;
    for (std::size_t i = 0; i <= n; ++i)
      points.push_back(side == 0 ? s[n][i] : side == 1 ? s[i][n] : side == 2 ? s[0][i] : s[i][0]);
    return points;
  }

  Vector3d middle_of(const Section& s) const {
    const auto n = static_cast<std::size_t>(cells_);
    return 0.5 * (body_.at(s[0][0]) + body_.at(s[n][n]));
  }

  double chance() { return static_cast<double>(random_()) / static_cast<double>(std::mt19937::max()); }

  // Goes on from the last section. rising: by how much the direction turns upwards a piece of 1.6 radii.
  void grow(Limb& limb, Start s, double thinnest, double length, double rising) {
    const double per_piece = step_ / 1.6;
    for (double gone = 0; gone < length;) {
      const double step = per_piece * std::max(1.6 * s.radius, 0.13);
      Vector3d wander;
      for (int k = 0; k < 3; ++k) wander[k] = 0.12 * std::sqrt(per_piece) * (chance() - 0.5);
      const Vector3d turned = (s.direction + wander + per_piece * rising * Vector3d::UnitY()).normalized();
      s.across = transported(s.across, s.direction, turned);
      const Vector3d along = turned.cross(s.across);
      s.along = along.dot(s.along) > 0 ? along : Vector3d(-along);
      s.direction = turned;
      s.centre += step * s.direction;
      gone += step;
      s.radius = std::max(thinnest, s.radius * (1 - 0.75 * step / length));
      Section section = round_section(body_, s.centre, s.across, s.along, s.radius, cells_);
      body_.between(limb.back(), section);
      limb.push_back(std::move(section));
    }
  }

  Blocks& body_;
  int cells_;
  double step_;
  std::mt19937 random_{4};
};

}  // namespace

Blocks tree(Detail detail) {
  const bool fine = detail == Detail::fine;
  const int cells = fine ? 3 : 2;
  Blocks body;
  Tree plant(body, cells, fine ? 0.42 : 1.6);
  const Limb trunk = plant.trunk(0.36, 0.42, 0.1, 5.6);
  const std::size_t apart = fine ? 8 : 2, first = fine ? 17 : 5, twigs = fine ? 11 : 3;
  const auto room = static_cast<std::size_t>(cells);
  for (std::size_t k = 0, at = first; at + room < trunk.size(); ++k, at += apart) {
    const double higher = static_cast<double>(at) / static_cast<double>(trunk.size());
    for (const int side : {static_cast<int>(k) % 4, static_cast<int>(k + 2) % 4}) {
      const Limb limb = plant.branch(trunk, at, side, 0.55, 3.0 - 1.8 * higher, 0.14);
      for (std::size_t twig = 0, start = twigs; start + room < limb.size(); ++twig, start += twigs)
        plant.branch(limb, start, static_cast<int>(twig + k) % 4, 0.75, 1.0 - 0.5 * higher, 0.12);
    }
  }
  return body;
}

}  // namespace rebound::mesh
