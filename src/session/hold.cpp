#include "session/hold.hpp"

#include <algorithm>
#include <limits>

#include "session/session.hpp"

namespace rebound::session {
namespace {

/// 1 in the middle, 0 where the reach ends, smooth in between [Wendland's C2 function, one-dimensional].
double falloff(double share) {
  const double rest = std::max(0.0, 1 - share);
  return rest * rest * rest * (3 * share + 1);
}

double distance(const scene::BodyGeometry& body, int a, int b) {
  return (body.surface.points.row(a) - body.surface.points.row(b)).norm();
}

}  // namespace

void Hold::move_to(const sim::Vec3& target) {
  const sim::Vec3 way = target - springs.front().target;
  for (sim::Attachment& spring : springs) spring.move_to(spring.target + way);
  springs.front().target = target;
}

double Hold::stiffness() const {
  double sum = 0;
  for (const sim::Attachment& spring : springs) sum += spring.stiffness;
  return sum;
}

sim::Vec3 Hold::force(const sim::Points& x) const {
  sim::Vec3 sum = sim::Vec3::Zero();
  for (const sim::Attachment& spring : springs) sum += spring.stiffness * (spring.target - spring.point.of(x));
  return sum;
}

// Each next one is the one that lies farthest from all that are taken.
std::vector<int> vertices_within(const scene::BodyGeometry& body, int vertex, double radius) {
  std::vector<int> taken{vertex}, near;
  std::vector<double> gap;
  const auto count = static_cast<int>(body.surface.points.rows());
  for (int v = 0; v < count && radius > 0; ++v) {
    const double away = distance(body, v, vertex);
    if (!(away > 0 && away < radius)) continue;
    near.push_back(v);
    gap.push_back(away);
  }
  while (taken.size() < kMostHeld && !near.empty()) {
    const auto farthest = static_cast<std::size_t>(std::max_element(gap.begin(), gap.end()) - gap.begin());
    if (!(gap[farthest] > 0)) break;
    taken.push_back(near[farthest]);
    for (std::size_t i = 0; i < near.size(); ++i) gap[i] = std::min(gap[i], distance(body, near[i], taken.back()));
  }
  return taken;
}

Hold hold(const Session& session, const SurfacePoint& point, double radius, double stiffness, const sim::Vec3& target) {
  const sim::BodyPoint middle = body_point(session, point);
  const scene::BodyGeometry& body = session.world().bodies[static_cast<std::size_t>(point.body)];
  const sim::Points& x = session.state().x;
  Hold hold{point, vertices_within(body, point.vertex, radius), {}};
  double sum = 0;
  for (const int vertex : hold.vertices) {
    const sim::BodyPoint held = body_point(session, {point.body, vertex});
    const double share = radius > 0 ? falloff(distance(body, vertex, point.vertex) / radius) : 1;
    hold.springs.push_back({held, share, target + held.of(x) - middle.of(x)});
    sum += share;
  }
  hold.springs.front().target = target;
  for (sim::Attachment& spring : hold.springs) spring.stiffness *= stiffness / sum;
  return hold;
}

}  // namespace rebound::session
