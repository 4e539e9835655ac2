#include "sim/collide/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/collide/surface_distance.hpp"

namespace rebound::sim {
namespace {

// Below this a direction has no digits left, and one is chosen.
constexpr double kNoDirection = 1e-150;

// p around a ball about c.
Nearest around(const Vec3& c, double radius, const Vec3& p, const Vec3& instead) {
  const Vec3 away = p - c;
  const double length = away.norm();
  const Vec3 normal = length > kNoDirection ? Vec3(away / length) : instead;
  return {length - radius, normal, c + radius * normal};
}

struct NearestOf {
  const Vec3& p;

  Nearest operator()(const Plane&) const { return {p.y(), Vec3::UnitY(), Vec3(p.x(), 0, p.z())}; }

  Nearest operator()(const Sphere& sphere) const { return around(Vec3::Zero(), sphere.radius, p, Vec3::UnitY()); }

  Nearest operator()(const Box& box) const {
    const Vec3 q = p.cwiseMax(-box.half).cwiseMin(box.half), out = p - q;
    const double distance = out.norm();
    if (distance > kNoDirection) return {distance, out / distance, q};
    // Inside: out of the nearest face; of several, of the one that comes first as x, y, z.
    int axis = 0;
    const Vec3 depth = box.half - p.cwiseAbs();
    for (int c = 1; c < 3; ++c)
      if (depth[c] < depth[axis]) axis = c;
    const double side = p[axis] < 0 ? -1 : 1;
    Nearest result{-depth[axis], side * Vec3::Unit(axis), p};
    result.point[axis] = side * box.half[axis];
    return result;
  }

  Nearest operator()(const Capsule& capsule) const {
    const double y = std::clamp(p.y(), -capsule.half_length, capsule.half_length);
    return around(Vec3(0, y, 0), capsule.radius, p, Vec3::UnitX());
  }

  Nearest operator()(const Torus& torus) const {
    const double length = std::hypot(p.x(), p.z());
    const Vec3 outward = length > kNoDirection ? Vec3(p.x() / length, 0, p.z() / length) : Vec3::UnitX();
    return around(torus.radius * outward, torus.tube, p, outward);
  }

  Nearest operator()(const TriangleSolid& solid) const { return solid.surface->nearest(p); }
};

struct BoundsOf {
  static Eigen::AlignedBox3d of(const Vec3& half) { return {-half, half}; }

  Eigen::AlignedBox3d operator()(const Plane&) const {
    return of(Vec3::Constant(std::numeric_limits<double>::infinity()));
  }
  Eigen::AlignedBox3d operator()(const Sphere& sphere) const { return of(Vec3::Constant(sphere.radius)); }
  Eigen::AlignedBox3d operator()(const Box& box) const { return of(box.half); }
  Eigen::AlignedBox3d operator()(const Capsule& capsule) const {
    return of({capsule.radius, capsule.radius + capsule.half_length, capsule.radius});
  }
  Eigen::AlignedBox3d operator()(const Torus& torus) const {
    return of({torus.radius + torus.tube, torus.tube, torus.radius + torus.tube});
  }
  Eigen::AlignedBox3d operator()(const TriangleSolid& solid) const { return solid.surface->bounds(); }
};

}  // namespace

Nearest nearest(const Shape& shape, const Vec3& p) { return std::visit(NearestOf{p}, shape); }

bool clearly_outside(const Shape& shape, const Vec3& p) {
  if (std::holds_alternative<Plane>(shape)) return p.y() > 0;
  const auto* solid = std::get_if<TriangleSolid>(&shape);
  return solid != nullptr && solid->surface->clearly_outside(p);
}

Eigen::AlignedBox3d bounds(const Shape& shape) { return std::visit(BoundsOf{}, shape); }

}  // namespace rebound::sim
