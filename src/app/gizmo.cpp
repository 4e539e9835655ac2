#include "app/gizmo.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rebound::app {
namespace {

// Points.
constexpr float kArrow = 78, kRing = 56, kClear = 12, kReach = 7;
constexpr int kCorners = 64;
// Cosines: an axis that one looks along has no length, a ring that one looks at from its edge has no area.
constexpr float kAlong = 0.985f, kEdgeOn = 0.12f;

float distance_to_segment(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 way = b - a;
  const float length = way.squaredNorm();
  const float share = length > 0 ? std::clamp((p - a).dot(way) / length, 0.0f, 1.0f) : 0;
  return (a + share * way - p).norm();
}

}  // namespace

Gizmo::Gizmo(const render::Camera& camera, const Vec3& centre, float pixel_ratio)
    : camera_(camera), centre_(centre), ratio_(pixel_ratio), point_(pixel_ratio * camera.metres_per_pixel(centre)) {}

// An arrow begins beside the centre, so that the obstacle itself can still be taken there.
std::vector<Vec2> Gizmo::line(const GizmoPart& part) const {
  if (!part.turns)
    return {seen(kClear * point_ * Vec3::Unit(part.axis)), seen(kArrow * point_ * Vec3::Unit(part.axis))};
  std::vector<Vec2> ring;
  for (int i = 0; i <= kCorners; ++i) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / kCorners;
    Vec3 offset = Vec3::Zero();
    offset[(part.axis + 1) % 3] = kRing * point_ * std::cos(angle);
    offset[(part.axis + 2) % 3] = kRing * point_ * std::sin(angle);
    ring.push_back(seen(offset));
  }
  return ring;
}

std::optional<GizmoPart> Gizmo::pick(const Vec2& pixel) const {
  if (!(camera_.project(centre_).depth > 0)) return std::nullopt;
  for (const bool turns : {false, true}) {
    std::optional<GizmoPart> best;
    float nearest = kReach * ratio_;
    for (const GizmoPart& part : kGizmoParts) {
      if (part.turns != turns) continue;
      const std::vector<Vec2> corners = line(part);
      for (std::size_t i = 1; i < corners.size(); ++i) {
        const float away = distance_to_segment(pixel, corners[i - 1], corners[i]);
        if (!(away < nearest)) continue;
        nearest = away;
        best = part;
      }
    }
    if (best) return best;
  }
  return std::nullopt;
}

double Gizmo::moved(int axis, const Vec2& from, const Vec2& to) const {
  const Vec3 along = Vec3::Unit(axis);
  // Of the axis, the point that a ray passes closest by.
  const auto nearest = [&](const Vec2& pixel) -> std::optional<double> {
    const render::Ray ray = camera_.ray(pixel);
    const float b = along.dot(ray.direction);
    if (std::abs(b) > kAlong) return std::nullopt;
    const Vec3 gap = centre_ - ray.origin;
    return (b * ray.direction.dot(gap) - along.dot(gap)) / (1 - b * b);
  };
  const auto begin = nearest(from), end = nearest(to);
  return begin && end ? *end - *begin : 0;
}

double Gizmo::turned(int axis, const Vec2& from, const Vec2& to) const {
  const Vec3 normal = Vec3::Unit(axis);
  const Vec3 towards = (centre_ - camera_.eye()).normalized();
  if (std::abs(normal.dot(towards)) < kEdgeOn) {
    // Seen from its edge, it rolls under the hand.
    const Vec3 tangent = normal.cross(-towards).normalized();
    const Vec2 way = seen(kRing * point_ * tangent) - seen(Vec3::Zero());
    return way.norm() > 0 ? (to - from).dot(way) / way.squaredNorm() : 0;
  }
  const auto arm = [&](const Vec2& pixel) -> Vec3 {
    const render::Ray ray = camera_.ray(pixel);
    return ray.at(normal.dot(centre_ - ray.origin) / normal.dot(ray.direction)) - centre_;
  };
  const Vec3 begin = arm(from), end = arm(to);
  return std::atan2(normal.dot(begin.cross(end)), begin.dot(end));
}

}  // namespace rebound::app
