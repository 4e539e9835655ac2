#include "sim/collide/triangle_point.hpp"

#include <algorithm>
#include <limits>

namespace rebound::sim {

TrianglePoint nearest_in_triangle(const Corners& corners, const Vec3& p) {
  const Vec3 normal = area_normal(corners);
  const double squared_area = normal.squaredNorm();
  if (squared_area > 0) {
    Vec3 weights;
    for (int c = 0; c < 3; ++c) {
      const Vec3 &b = corners[(c + 1) % 3], &d = corners[(c + 2) % 3];
      weights[c] = (d - b).cross(p - b).dot(normal) / squared_area;
    }
    if (weights.minCoeff() >= 0) {
      const Vec3 at = weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
      return {weights, at, (p - at).squaredNorm()};
    }
  }
  // Beside the face, or where there is none, it is on an edge.
  TrianglePoint best{Vec3::Zero(), p, std::numeric_limits<double>::infinity()};
  for (int c = 0; c < 3; ++c) {
    const int d = (c + 1) % 3;
    const Vec3 along = corners[d] - corners[c];
    const double squared_length = along.squaredNorm();
    const double s = squared_length > 0 ? std::clamp((p - corners[c]).dot(along) / squared_length, 0.0, 1.0) : 0;
    const Vec3 at = corners[c] + s * along;
    const double squared = (p - at).squaredNorm();
    if (!(squared < best.squared_distance)) continue;
    best = {Vec3::Zero(), at, squared};
    best.weights[c] = 1 - s;
    best.weights[d] += s;
  }
  return best;
}

}  // namespace rebound::sim
