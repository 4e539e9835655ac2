#include "mesh/intersect.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace rebound::mesh {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
__extension__ typedef __float128 Quad;

int sign_of(Quad value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

/// Differences of doubles of like size are exact in 113 bits; what is left of rounding is far below any input's.
int orientation_in_quad(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  Quad u[3], v[3], w[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = Quad(b[k]) - Quad(a[k]);
    v[k] = Quad(c[k]) - Quad(a[k]);
    w[k] = Quad(d[k]) - Quad(a[k]);
  }
  return sign_of((u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
                 (u[0] * v[1] - u[1] * v[0]) * w[2]);
}

int turn(const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  const double left = (b.x() - a.x()) * (c.y() - a.y()), right = (b.y() - a.y()) * (c.x() - a.x());
  const double value = left - right;
  const double bound = 4e-16 * (std::abs(left) + std::abs(right));
  if (value > bound) return 1;
  if (value < -bound) return -1;
  return sign_of((Quad(b.x()) - Quad(a.x())) * (Quad(c.y()) - Quad(a.y())) -
                 (Quad(b.y()) - Quad(a.y())) * (Quad(c.x()) - Quad(a.x())));
}

bool inside_box(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
  return std::min(a.x(), b.x()) <= p.x() && p.x() <= std::max(a.x(), b.x()) && std::min(a.y(), b.y()) <= p.y() &&
         p.y() <= std::max(a.y(), b.y());
}

bool segments_meet(const Vector2d& p, const Vector2d& q, const Vector2d& a, const Vector2d& b) {
  const int pa = turn(p, q, a), pb = turn(p, q, b), ap = turn(a, b, p), aq = turn(a, b, q);
  if (pa * pb < 0 && ap * aq < 0) return true;
  return (pa == 0 && inside_box(a, p, q)) || (pb == 0 && inside_box(b, p, q)) || (ap == 0 && inside_box(p, a, b)) ||
         (aq == 0 && inside_box(q, a, b));
}

bool inside_triangle(const Vector2d& p, const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  const int x = turn(a, b, p), y = turn(b, c, p), z = turn(c, a, p);
  return (x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0);
}

/// The axis along which the triangle is seen largest is dropped.
int widest_axis(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  int axis = 0;
  (b - a).cross(c - a).cwiseAbs().maxCoeff(&axis);
  return axis;
}

Vector2d drop(const Vector3d& p, int axis) { return {p[(axis + 1) % 3], p[(axis + 2) % 3]}; }

bool flat_segment_meets_triangle(const Vector3d& p3, const Vector3d& q3, const Vector3d& a3, const Vector3d& b3,
                                 const Vector3d& c3) {
  const int axis = widest_axis(a3, b3, c3);
  const Vector2d p = drop(p3, axis), q = drop(q3, axis), a = drop(a3, axis), b = drop(b3, axis), c = drop(c3, axis);
  return inside_triangle(p, a, b, c) || segments_meet(p, q, a, b) || segments_meet(p, q, b, c) ||
         segments_meet(p, q, c, a);
}

bool fold_onto_each_other(const std::array<Vector3d, 3>& first, const std::array<Vector3d, 3>& second) {
  if (orientation(first[0], first[1], first[2], second[2]) != 0) return false;
  const int axis = widest_axis(first[0], first[1], first[2]);
  const Vector2d a = drop(first[0], axis), b = drop(first[1], axis);
  return turn(a, b, drop(first[2], axis)) * turn(a, b, drop(second[2], axis)) > 0;
}

}  // namespace

int orientation(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const Vector3d u = b - a, v = c - a, w = d - a;
  const double m0 = u.y() * v.z(), m1 = u.z() * v.y(), m2 = u.z() * v.x(), m3 = u.x() * v.z(), m4 = u.x() * v.y(),
               m5 = u.y() * v.x();
  const double value = (m0 - m1) * w.x() + (m2 - m3) * w.y() + (m4 - m5) * w.z();
  // 8e-16 is a little above Shewchuk's bound for this formula.
  const double bound =
      8e-16 * ((std::abs(m0) + std::abs(m1)) * std::abs(w.x()) + (std::abs(m2) + std::abs(m3)) * std::abs(w.y()) +
               (std::abs(m4) + std::abs(m5)) * std::abs(w.z()));
  if (value > bound) return 1;
  if (value < -bound) return -1;
  if (bound == 0 && value == 0 && (u.cwiseAbs() + v.cwiseAbs() + w.cwiseAbs()).minCoeff() == 0)
    return 0;  // all four in one plane across an axis: common, and no rounding was met
  return orientation_in_quad(a, b, c, d);
}

bool segment_meets_triangle(const Vector3d& p, const Vector3d& q, const Vector3d& a, const Vector3d& b,
                            const Vector3d& c) {
  const int side_p = orientation(a, b, c, p), side_q = orientation(a, b, c, q);
  if (side_p * side_q > 0) return false;
  if (side_p == 0 && side_q == 0) return flat_segment_meets_triangle(p, q, a, b, c);
  const int x = orientation(p, q, a, b), y = orientation(p, q, b, c), z = orientation(p, q, c, a);
  return (x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0);
}

bool triangles_cross(const std::array<Vector3d, 3>& first, const std::array<Vector3d, 3>& second, int shared) {
  if (shared == 2) return fold_onto_each_other(first, second);
  if (shared == 1)
    return segment_meets_triangle(first[1], first[2], second[0], second[1], second[2]) ||
           segment_meets_triangle(second[1], second[2], first[0], first[1], first[2]);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (segment_meets_triangle(first[i], first[j], second[0], second[1], second[2]) ||
        segment_meets_triangle(second[i], second[j], first[0], first[1], first[2]))
      return true;
  }
  return false;
}

}  // namespace rebound::mesh
