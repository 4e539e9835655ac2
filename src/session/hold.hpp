// What the hand holds: a point of a body's surface, and as far around it as the grab reaches.
#pragma once

#include <vector>

#include "session/surface_point.hpp"

namespace rebound::scene {
struct BodyGeometry;
}

namespace rebound::session {

/// Springs of rest length zero from points of a body to a hand that they follow without turning.
struct Hold {
  SurfacePoint point;                    ///< the middle of what is held
  std::vector<int> vertices;             ///< of the body's surface, one a spring; the first is the point's
  std::vector<sim::Attachment> springs;  ///< their stiffnesses sum up to that of the hand

  /// Where the hand is, m.
  const sim::Vec3& target() const { return springs.front().target; }
  /// To there; the springs keep their places around it.
  void move_to(const sim::Vec3& target);
  /// N/m, of all springs together.
  double stiffness() const;
  /// On the body, at these positions, N.
  sim::Vec3 force(const sim::Points& x) const;
};

/// A spring costs a column of the low-rank part of every solve.
inline constexpr std::size_t kMostHeld = 12;

/// The vertices that a grab of `vertex` holds: itself, and such as lie within `radius` (m) of it in the body at rest,
/// spread evenly and at most kMostHeld in all. No others where the radius is 0.
std::vector<int> vertices_within(const scene::BodyGeometry& body, int vertex, double radius);

/// Takes hold with a hand of so many N/m at `target`. The springs are the weaker the farther they are from the middle,
/// where the body is now they pull all alike, and as far apart as they are they stay. Throws as body_point().
Hold hold(const Session& session, const SurfacePoint& point, double radius, double stiffness, const sim::Vec3& target);

}  // namespace rebound::session
