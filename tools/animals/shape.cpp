#include "shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

namespace rebound::animals {
namespace {

// Rounded, so that the last digit of a mathematics library cannot change a mesh.
double steady(double value) { return std::round(value * 1e12) / 1e12; }
double sine_of(double degrees) { return steady(std::sin(degrees * std::numbers::pi / 180)); }
double cosine_of(double degrees) { return steady(std::cos(degrees * std::numbers::pi / 180)); }

Vector3d into_frame(const Matrix3d& turn, const Vector3d& d) {
  return {turn.col(0).dot(d), turn.col(1).dot(d), turn.col(2).dot(d)};
}

// Quadratic in the overlap: once differentiable, and nothing changes farther than `blend` from the seam.
double smooth_min(double a, double b, double blend) {
  const double overlap = std::max(blend - std::abs(a - b), 0.0);
  return std::min(a, b) - (blend > 0 ? overlap * overlap / (4 * blend) : 0);
}

// Seen from the axis, a round cone is the hull of two discs: two caps, and between them a slanted wall. The wall leans
// so that it touches both discs, which is what `slant` measures.
double round_cone(const Vector3d& p, const Bead& from, const Bead& to) {
  const Vector3d axis = to.center - from.center;
  const double length = axis.norm();
  const double narrowing = from.radius - to.radius;
  if (length <= std::abs(narrowing)) {
    const Bead& larger = narrowing > 0 ? from : to;
    return (p - larger.center).norm() - larger.radius;
  }
  const Vector3d d = p - from.center;
  const double along = d.dot(axis) / length;
  const double across = std::sqrt(std::max(d.squaredNorm() - along * along, 0.0));
  const double slant = narrowing / length;
  const double upright = std::sqrt(1 - slant * slant);
  const double on_wall = along * upright - across * slant;
  if (on_wall <= 0) return d.norm() - from.radius;
  if (on_wall >= length * upright) return (p - to.center).norm() - to.radius;
  return along * slant + across * upright - from.radius;
}

// A Catmull-Rom curve through the beads, whose ends are extended straight.
std::vector<Bead> sampled(const std::vector<Bead>& beads, int steps) {
  const auto blend = [](double t, const auto& a, const auto& b, const auto& c, const auto& d) {
    return (0.5 *
            (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * (t * t) + (3 * b - a - 3 * c + d) * (t * t * t)));
  };
  std::vector<Bead> samples{beads.front()};
  const int last = static_cast<int>(beads.size()) - 1;
  for (int i = 0; i < last; ++i) {
    const Bead& b = beads[i];
    const Bead& c = beads[i + 1];
    const Bead a = i > 0 ? beads[i - 1] : Bead{2 * b.center - c.center, 2 * b.radius - c.radius};
    const Bead d = i + 1 < last ? beads[i + 2] : Bead{2 * c.center - b.center, 2 * c.radius - b.radius};
    for (int k = 1; k <= steps; ++k) {
      const double t = static_cast<double>(k) / steps;
      const Vector3d center = blend(t, a.center, b.center, c.center, d.center);
      samples.push_back({center, blend(t, a.radius, b.radius, c.radius, d.radius)});
    }
  }
  return samples;
}

// cos(count * angle) from the angle's cosine and sine: the real part of a power.
double cosine_of_multiple(double cosine, double sine, int count) {
  double re = 1, im = 0;
  for (int k = 0; k < count; ++k) {
    const double next = re * cosine - im * sine;
    im = re * sine + im * cosine;
    re = next;
  }
  return re;
}

constexpr int kStepsABead = 8;
// Farther than this from a tube nobody asks how far: no blend reaches so wide.
constexpr double kFar = 0.12;

Bead bounding_ball(std::span<const Bead> beads) {
  Vector3d middle = Vector3d::Zero();
  for (const Bead& b : beads) middle += b.center / static_cast<double>(beads.size());
  double radius = 0;
  for (const Bead& b : beads) radius = std::max(radius, (b.center - middle).norm() + b.radius);
  return {middle, radius};
}

// Round cones in a row, each within a ball, so that most need no look.
struct Chain {
  explicit Chain(const std::vector<Bead>& coarse) : beads(sampled(coarse, kStepsABead)), bound(bounding_ball(beads)) {
    for (std::size_t i = 0; i + 1 < beads.size(); ++i) bounds.push_back(bounding_ball({&beads[i], 2}));
  }

  struct Nearest {
    double distance = std::numeric_limits<double>::infinity();
    std::size_t cone = 0;
  };
  Nearest nearest(const Vector3d& p) const {
    Nearest best;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const double reach = best.distance + bounds[i].radius;
      if (reach <= 0 || (p - bounds[i].center).squaredNorm() >= reach * reach) continue;
      const double distance = round_cone(p, beads[i], beads[i + 1]);
      if (distance < best.distance) best = {distance, i};
    }
    return best;
  }

  std::vector<Bead> beads;
  Bead bound;
  std::vector<Bead> bounds;
};

}  // namespace

Matrix3d turned(double x_degrees, double y_degrees, double z_degrees) {
  const double cx = cosine_of(x_degrees), sx = sine_of(x_degrees);
  const double cy = cosine_of(y_degrees), sy = sine_of(y_degrees);
  const double cz = cosine_of(z_degrees), sz = sine_of(z_degrees);
  Matrix3d about_x, about_y, about_z;
  about_x << 1, 0, 0, 0, cx, -sx, 0, sx, cx;
  about_y << cy, 0, sy, 0, 1, 0, -sy, 0, cy;
  about_z << cz, -sz, 0, sz, cz, 0, 0, 0, 1;
  return about_z * about_y * about_x;
}

Shape ball(const Vector3d& center, double radius) {
  return [=](const Vector3d& p) { return (p - center).norm() - radius; };
}

Shape ellipsoid(const Vector3d& center, const Vector3d& radii, const Matrix3d& turn) {
  // The level sets of |q / r| are scaled ellipsoids; dividing by its slope turns the excess into metres.
  return [=](const Vector3d& p) {
    const Vector3d scaled = into_frame(turn, p - center).cwiseQuotient(radii);
    const double level = scaled.norm();
    const double slope = scaled.cwiseQuotient(radii).norm();
    return slope > 1e-9 ? level * (level - 1) / slope : -radii.minCoeff();
  };
}

Shape cone(const Bead& from, const Bead& to) {
  return [=](const Vector3d& p) { return round_cone(p, from, to); };
}

Shape tube(const std::vector<Bead>& beads) {
  return [chain = Chain(beads)](const Vector3d& p) {
    const double outside = (p - chain.bound.center).norm() - chain.bound.radius;
    return outside > kFar ? outside : chain.nearest(p).distance;
  };
}

Shape torus(const Vector3d& center, double ring_radius, double tube_radius, const Matrix3d& turn) {
  return [=](const Vector3d& p) {
    const Vector3d q = into_frame(turn, p - center);
    const double from_ring = std::sqrt(q.x() * q.x() + q.z() * q.z()) - ring_radius;
    return std::sqrt(from_ring * from_ring + q.y() * q.y()) - tube_radius;
  };
}

Shape ribbed_tube(const std::vector<Bead>& beads, int count, double depth) {
  return [chain = Chain(beads), count, depth](const Vector3d& p) {
    const double outside = (p - chain.bound.center).norm() - chain.bound.radius;
    if (outside > kFar) return outside;
    const auto [nearest, cone] = chain.nearest(p);
    const Bead& from = chain.beads[cone];
    const Bead& to = chain.beads[cone + 1];
    const Vector3d axis = to.center - from.center;
    const double t = std::clamp((p - from.center).dot(axis) / axis.squaredNorm(), 0.0, 1.0);
    const double radius = from.radius + t * (to.radius - from.radius);
    const Vector3d along = axis.normalized();
    Vector3d spoke = p - from.center - t * axis;
    spoke -= spoke.dot(along) * along;
    const double across = spoke.norm();
    if (across < 1e-9) return nearest;
    // The angle is measured about the curve, from the z axis.
    const double ribs =
        cosine_of_multiple(spoke.z() / across, (spoke.x() * along.y() - spoke.y() * along.x()) / across, count);
    // Ribs die out towards the tip, where they would meet.
    const double fade = std::min(across / radius, 1.0);
    return nearest - depth * ribs * fade * fade * (3 - 2 * fade);
  };
}

Shape drum(const Vector3d& center, double radius, double half_height, double edge_radius) {
  return [=](const Vector3d& p) {
    const Vector3d d = p - center;
    const double out = std::sqrt(d.x() * d.x() + d.z() * d.z()) - radius + edge_radius;
    const double up = std::abs(d.y()) - half_height + edge_radius;
    const double out_only = std::max(out, 0.0), up_only = std::max(up, 0.0);
    return std::min(std::max(out, up), 0.0) + std::sqrt(out_only * out_only + up_only * up_only) - edge_radius;
  };
}

Shape below_wave(double height, double amplitude, int count) {
  return [=](const Vector3d& p) {
    const double out = std::max(std::sqrt(p.x() * p.x() + p.z() * p.z()), 1e-9);
    return p.y() - height - amplitude * cosine_of_multiple(p.z() / out, p.x() / out, count);
  };
}

Shape mirrored(Shape shape) {
  return [shape = std::move(shape)](const Vector3d& p) { return shape({-p.x(), p.y(), p.z()}); };
}

void Sculpture::add(Shape shape, double blend) { strokes_.push_back({std::move(shape), blend, false}); }

void Sculpture::add_pair(const Shape& shape, double blend) {
  add(shape, blend);
  add(mirrored(shape), blend);
}

void Sculpture::carve(Shape shape, double blend) { strokes_.push_back({std::move(shape), blend, true}); }

void Sculpture::carve_pair(const Shape& shape, double blend) {
  carve(shape, blend);
  carve(mirrored(shape), blend);
}

void Sculpture::stand(double blend) {
  carve([](const Vector3d& p) { return p.y(); }, blend);
}

double Sculpture::value(const Vector3d& p) const {
  double value = std::numeric_limits<double>::max();
  for (const Stroke& stroke : strokes_) {
    const double shape = stroke.shape(p);
    value = stroke.carves ? -smooth_min(-value, shape, stroke.blend) : smooth_min(value, shape, stroke.blend);
  }
  return value;
}

Vector3d Sculpture::gradient(const Vector3d& p) const {
  // Four points of a tetrahedron do what three pairs would: what is symmetric about p cancels.
  constexpr double kStep = 1e-4;
  const Vector3d corners[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  Vector3d g = Vector3d::Zero();
  for (const Vector3d& corner : corners) g += value(p + kStep * corner) * corner;
  return g / (4 * kStep);
}

Vector3d Sculpture::on_surface(Vector3d p) const {
  constexpr int kSteps = 30;
  constexpr double kLongestStep = 0.03, kNear = 1e-9;
  for (int i = 0; i < kSteps; ++i) {
    const double f = value(p);
    if (std::abs(f) < kNear) break;
    const Vector3d g = gradient(p);
    Vector3d step = -f * g / std::max(g.squaredNorm(), 0.05);
    const double length = step.norm();
    if (length > kLongestStep) step *= kLongestStep / length;
    p += step;
  }
  return p;
}

double Sculpture::curvature(const Vector3d& p) const {
  // The normal's change along two tangents is a symmetric 2 x 2 matrix; its eigenvalues are the curvatures.
  constexpr double kStep = 4e-3;
  const Vector3d n = normal(p);
  const Vector3d u = n.unitOrthogonal();
  const Vector3d v = n.cross(u);
  const Vector3d along_u = (normal(p + kStep * u) - n) / kStep;
  const Vector3d along_v = (normal(p + kStep * v) - n) / kStep;
  const double uu = along_u.dot(u), vv = along_v.dot(v), uv = (along_u.dot(v) + along_v.dot(u)) / 2;
  const double mean = (uu + vv) / 2, spread = std::sqrt((uu - vv) * (uu - vv) / 4 + uv * uv);
  return std::abs(mean) + spread;
}

}  // namespace rebound::animals
