// The points of what the user sees, and the vertices that carry them.
#pragma once

#include <vector>

#include "sim/energy/attachments.hpp"

namespace rebound::session {

class Session;

/// A point of what the user sees.
struct SurfacePoint {
  int body = 0;
  int vertex = 0;  ///< of the body's surface
};

/// Throws InputError if there is no such body.
void require_body(const Session& session, int body);
/// The vertices of the whole world that carry the point. Throws InputError if there is no such point.
sim::BodyPoint body_point(const Session& session, const SurfacePoint& point);
/// The vertices that carry any of the points, some of them more than once. Throws as above.
std::vector<int> carriers(const Session& session, const std::vector<SurfacePoint>& points);

}  // namespace rebound::session
