#include "session/surface_point.hpp"

#include "mesh/error.hpp"
#include "session/session.hpp"

namespace rebound::session {

void require_body(const Session& session, int body) {
  const auto bodies = static_cast<int>(session.world().bodies.size());
  if (body < 0 || body >= bodies)
    throw InputError("there is no body " + std::to_string(body) + "; the scene has " + std::to_string(bodies));
}

sim::BodyPoint body_point(const Session& session, const SurfacePoint& point) {
  require_body(session, point.body);
  const auto body = static_cast<std::size_t>(point.body);
  const auto& embedding = session.world().bodies[body].embedding;
  if (point.vertex < 0 || point.vertex >= static_cast<int>(embedding.vertices.size()))
    throw InputError("body " + std::to_string(point.body) + " has no surface vertex " + std::to_string(point.vertex));
  const auto vertex = static_cast<std::size_t>(point.vertex);
  sim::BodyPoint result{embedding.vertices[vertex], embedding.weights[vertex]};
  for (int& v : result.vertices) v += session.model().bodies[body].first;
  return result;
}

std::vector<int> carriers(const Session& session, const std::vector<SurfacePoint>& points) {
  std::vector<int> vertices;
  for (const SurfacePoint& point : points) {
    const sim::BodyPoint p = body_point(session, point);
    for (int j = 0; j < 4; ++j)
      if (p.weights[j] != 0) vertices.push_back(p.vertices[j]);
  }
  return vertices;
}

}  // namespace rebound::session
