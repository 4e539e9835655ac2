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

void Traces::restart(const std::vector<scene::Body>& bodies, const sim::Model& model, const sim::State& start) {
  paths_.clear();
  followed_.clear();
  const auto row = [](const sim::Points& points, int i) { return sim::Vec3(points.row(i).transpose()); };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const int first = model.bodies[b].first;
    for (const scene::Trace& trace : bodies[b].traces) {
      TracePath path{static_cast<int>(b), {}, {}};
      Followed followed{first + trace.vertex, {}};
      for (const int vertex : trace.around) {
        const int centre = first + vertex;
        const sim::Vec3 offset = row(start.x, followed.vertex) - row(start.x, centre);
        // Of vertices that begin in one place, there is no circle to see.
        if (!(offset.norm() > 0)) continue;
        const sim::Vec3 velocity = row(start.v, followed.vertex) - row(start.v, centre);
        path.circles.push_back({row(start.x, centre), plane_normal(offset, velocity), offset.norm()});
        followed.centres.push_back(centre);
      }
      paths_.push_back(std::move(path));
      followed_.push_back(std::move(followed));
    }
  }
  append(start.x);
}

void Traces::append(const sim::Points& x) {
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    auto& points = paths_[i].points;
    if (points.size() == kMostPoints) points.erase(points.begin());
    points.emplace_back(x.row(followed_[i].vertex).transpose());
    for (std::size_t c = 0; c < paths_[i].circles.size(); ++c)
      paths_[i].circles[c].centre = x.row(followed_[i].centres[c]).transpose();
  }
}

}  // namespace rebound::session
