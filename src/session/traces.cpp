#include "session/traces.hpp"

namespace rebound::session {
namespace {

// Below this sine two directions are one, and span no plane.
constexpr double kParallel = 1e-6;

/// Length 1, at a right angle to `offset`: of the plane that `offset` and `velocity` span. Where they span none, the
/// plane faces z, or y where the offset itself is along z.
sim::Vec3 plane_normal(const sim::Vec3& offset, const sim::Vec3& velocity) {
  const sim::Vec3 u = offset.normalized();
  const sim::Vec3 across = u.cross(velocity);
  if (across.norm() > kParallel * velocity.norm()) return across.normalized();
  const sim::Vec3 facing = std::abs(u.z()) < 1 - kParallel ? sim::Vec3::UnitZ() : sim::Vec3::UnitY();
  return (facing - facing.dot(u) * u).normalized();
}

}  // namespace

void Traces::restart(const scene::WorldView& world, const sim::Model& model, const sim::State& start) {
  paths_.clear();
  followed_.clear();
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const auto at = [&](int vertex) { return world.bodies[b].numbered_point(vertex, model.bodies[b].first); };
    for (const scene::Trace& trace : world.description.bodies[b].traces) {
      TracePath path{static_cast<int>(b), {}, {}};
      Followed followed{trace.vertex, {}};
      const sim::BodyPoint point = at(trace.vertex);
      for (const int vertex : trace.around) {
        const sim::BodyPoint centre = at(vertex);
        const sim::Vec3 offset = point.of(start.x) - centre.of(start.x);
        // Of vertices that begin in one place, there is no circle to see.
        if (!(offset.norm() > 0)) continue;
        const sim::Vec3 velocity = point.of(start.v) - centre.of(start.v);
        path.circles.push_back({centre.of(start.x), plane_normal(offset, velocity), offset.norm()});
        followed.centres.push_back(vertex);
      }
      paths_.push_back(std::move(path));
      followed_.push_back(std::move(followed));
    }
  }
  append(world.bodies, model, start.x);
}

void Traces::append(const scene::BodyList& bodies, const sim::Model& model, const sim::Points& x) {
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const auto body = static_cast<std::size_t>(paths_[i].body);
    const auto at = [&](int vertex) { return bodies[body].numbered_point(vertex, model.bodies[body].first).of(x); };
    auto& points = paths_[i].points;
    if (points.size() == kMostPoints) points.erase(points.begin());
    points.push_back(at(followed_[i].vertex));
    for (std::size_t c = 0; c < paths_[i].circles.size(); ++c)
      paths_[i].circles[c].centre = at(followed_[i].centres[c]);
  }
}

}  // namespace rebound::session
