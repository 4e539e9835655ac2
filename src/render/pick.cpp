// Source: Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013.
// Equations used: the points are sheared into a frame where the ray is the third axis (section 3); the hit is then the
// sign of three 2D edge functions, each computed from the same two products in both triangles that share the edge.
// We differ: every vertex is sheared once, not once a triangle; edge functions that are exactly 0 count as inside.
#include "render/pick.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace rebound::render {

namespace {

/// Points in the frame of the ray: x and y across it, z along it.
struct ShearedPoints {
  std::vector<float> x, y, z;
};

ShearedPoints shear(const Ray& ray, PositionSpan positions) {
  int along = 0;
  ray.direction.cwiseAbs().maxCoeff(&along);
  const int across = (along + 1) % 3;
  const int upward = (along + 2) % 3;
  const float shear_z = 1 / ray.direction[along];
  const float shear_x = ray.direction[across] * shear_z;
  const float shear_y = ray.direction[upward] * shear_z;

  const std::size_t count = positions.size() / 3;
  ShearedPoints points{std::vector<float>(count), std::vector<float>(count), std::vector<float>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const float* p = positions.data() + 3 * i;
    const float depth = p[along] - ray.origin[along];
    points.x[i] = p[across] - ray.origin[across] - shear_x * depth;
    points.y[i] = p[upward] - ray.origin[upward] - shear_y * depth;
    points.z[i] = shear_z * depth;
  }
  return points;
}

}  // namespace

int Hit::nearest_corner() const {
  int corner = 0;
  barycentric.maxCoeff(&corner);
  return corner;
}

std::optional<Hit> pick(const Ray& ray, PositionSpan positions, std::span<const Triangle> triangles) {
  const ShearedPoints points = shear(ray, positions);
  Hit nearest;
  nearest.distance = std::numeric_limits<float>::infinity();
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto a = static_cast<std::size_t>(triangles[t][0]);
    const auto b = static_cast<std::size_t>(triangles[t][1]);
    const auto c = static_cast<std::size_t>(triangles[t][2]);
    const float u = points.x[c] * points.y[b] - points.y[c] * points.x[b];
    const float v = points.x[a] * points.y[c] - points.y[a] * points.x[c];
    const float w = points.x[b] * points.y[a] - points.y[b] * points.x[a];
    const bool outside = (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0);
    const float sum = u + v + w;
    if (outside || sum == 0 || !std::isfinite(sum)) continue;
    const float distance = (u * points.z[a] + v * points.z[b] + w * points.z[c]) / sum;
    if (distance >= 0 && distance < nearest.distance) {
      nearest = {static_cast<int>(t), Vec3(u, v, w) / sum, distance};
    }
  }
  if (nearest.triangle < 0) return std::nullopt;
  return nearest;
}

}  // namespace rebound::render
