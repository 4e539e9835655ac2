#include "sim/collide/sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/collide/surface_distance.hpp"

namespace rebound::sim {
namespace {

// Shares of the size of what matters: the place is as exact as that, and what goes no deeper has only scratched.
constexpr double kExactShare = 1e-13, kScratch = 1e-9;
// Where a way touches a round shape and does not enter, each plane brings half of the rest.
constexpr int kMostPlanes = 60;
constexpr int kMostBisections = 54;

// The part of a way that is inside, in shares of it.
struct Stretch {
  double in, out;
  Nearest at;                          ///< where it goes in
  std::optional<Nearest> leaves = {};  ///< as in an entry
};

double size_of(const Shape& shape, const StraightWay& way) {
  const Eigen::AlignedBox3d box = bounds(shape);
  const double size = box.sizes().norm();
  return std::isfinite(size) ? size : way.along.norm();
}

// Of a convex shape. None where it is not met on the way, or the way begins inside.
std::optional<Stretch> approach(const Shape& shape, const StraightWay& way, double size) {
  double in = 0;
  for (int plane = 0; plane < kMostPlanes; ++plane) {
    const Nearest n = nearest(shape, way.at(in));
    const double slope = n.normal.dot(way.along);
    if (slope >= 0 || (plane == 0 && n.distance < 0)) return std::nullopt;
    if (n.distance <= kExactShare * size) return Stretch{in, 1, n};
    in -= n.distance / slope;
    if (!(in <= 1)) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Stretch> through_convex(const Shape& shape, const StraightWay& way, double size) {
  auto found = approach(shape, way, size);
  if (!found || nearest(shape, way.at(1)).distance < 0) return found;
  const auto back = approach(shape, {way.at(1), -way.along}, size);
  if (!back) return std::nullopt;
  found->out = 1 - back->in;
  found->leaves = back->at;
  return found;
}

// ---- a torus ----

// c[0] + c[1] s + ... + c[Degree] s^Degree changes its sign there, in [0, 1], in order.
template <int Degree>
struct SignChanges {
  std::array<double, Degree> at;
  int count = 0;

  explicit SignChanges(const std::array<double, Degree + 1>& c) {
    const auto value = [&](double s) {
      double sum = 0;
      for (int k = Degree; k >= 0; --k) sum = sum * s + c[k];
      return sum;
    };
    const auto look_between = [&](double low, double high) {
      const bool below = value(low) < 0;
      if (below == (value(high) < 0)) return;
      for (int halving = 0; halving < kMostBisections; ++halving) {
        const double middle = 0.5 * (low + high);
        ((value(middle) < 0) == below ? low : high) = middle;
      }
      at[count++] = high;
    };
    double begin = 0;
    // Between two turns there is one change at most.
    if constexpr (Degree > 1) {
      std::array<double, Degree> derivative;
      for (int k = 0; k < Degree; ++k) derivative[k] = (k + 1) * c[k + 1];
      const SignChanges<Degree - 1> turns(derivative);
      for (int i = 0; i < turns.count; ++i) {
        look_between(begin, turns.at[i]);
        begin = turns.at[i];
      }
    }
    look_between(begin, 1);
  }
};

// (|p|^2 + R^2 - r^2)^2 - 4 R^2 (x^2 + z^2) < 0 inside.
template <class Look>
void through_torus(const Torus& torus, const StraightWay& whole, const Look& look) {
  const WayPart part = within(bounds(torus), whole);
  if (part.empty()) return;
  const double length = part.end - part.begin;
  const StraightWay way{whole.at(part.begin), length * whole.along};
  const Vec3 &o = way.from, &d = way.along;
  const double square = torus.radius * torus.radius;
  const double a = d.squaredNorm(), b = 2 * o.dot(d), c = o.squaredNorm() + square - torus.tube * torus.tube;
  const double A = d.x() * d.x() + d.z() * d.z(), B = 2 * (o.x() * d.x() + o.z() * d.z()),
               C = o.x() * o.x() + o.z() * o.z();
  const std::array<double, 5> quartic{c * c - 4 * square * C, 2 * b * c - 4 * square * B,
                                      b * b + 2 * a * c - 4 * square * A, 2 * a * b, a * a};
  if (quartic[0] < 0) return;
  const SignChanges<4> changes(quartic);
  const auto share = [&](double s) { return part.begin + s * length; };
  for (int i = 0; i < changes.count; i += 2) {
    Stretch stretch{share(changes.at[i]), part.end, nearest(torus, way.at(changes.at[i]))};
    if (i + 1 < changes.count) {
      stretch.out = share(changes.at[i + 1]);
      stretch.leaves = nearest(torus, way.at(changes.at[i + 1]));
    }
    if (look(stretch)) return;
  }
}

// ---- triangles ----

// Of the triangles that are crossed there, one that faces as asked.
Vec3 normal_at(const std::vector<SurfaceDistance::Crossing>& crossings, double share, bool inwards) {
  const Vec3* found = nullptr;
  for (const auto& crossing : crossings)
    if (std::abs(crossing.share - share) <= kExactShare && (found == nullptr || crossing.inwards == inwards))
      found = &crossing.normal;
  return *found;
}

// A way along an edge crosses a triangle or two, or none, as rounding has it. What lies between two crossings is
// inside or outside: there, the distance knows.
template <class Look>
void through_triangles(const SurfaceDistance& surface, const StraightWay& way, double size, const Look& look) {
  const auto crossings = surface.crossings(way);
  for (std::size_t i = 0; i <= crossings.size(); ++i) {
    const double in = i == 0 ? 0 : crossings[i - 1].share, out = i == crossings.size() ? 1 : crossings[i].share;
    if (crossings.empty() || surface.nearest(way.at(0.5 * (in + out))).distance > -kScratch * size) continue;
    if (i == 0) return;
    Stretch stretch{in, out, {0, normal_at(crossings, in, true), way.at(in)}};
    if (i < crossings.size()) stretch.leaves = Nearest{0, normal_at(crossings, out, false), way.at(out)};
    if (look(stretch)) return;
  }
}

template <class Look>
void each_stretch(const Shape& shape, const StraightWay& way, double size, const Look& look) {
  if (const auto* torus = std::get_if<Torus>(&shape)) return through_torus(*torus, way, look);
  if (const auto* solid = std::get_if<TriangleSolid>(&shape))
    return through_triangles(*solid->surface, way, size, look);
  if (const auto stretch = through_convex(shape, way, size)) look(*stretch);
}

}  // namespace

std::optional<Entry> first_entry(const Shape& shape, const Vec3& from, const Vec3& to) {
  const StraightWay way{from, to - from};
  if (!way.along.allFinite()) return std::nullopt;
  const double size = size_of(shape, way);
  std::optional<Entry> entry;
  each_stretch(shape, way, size, [&](const Stretch& stretch) {
    if (nearest(shape, way.at(0.5 * (stretch.in + stretch.out))).distance > -kScratch * size) return false;
    entry = Entry{stretch.at, stretch.leaves};
    entry->at.distance = 0;
    if (entry->leaves) entry->leaves->distance = 0;
    return true;
  });
  return entry;
}

}  // namespace rebound::sim
