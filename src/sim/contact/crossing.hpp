// Whether surfaces are through one another: an edge of one that passes through a triangle, a point below a plane, or
// within the offset of another surface. The test stands on its own: it knows nothing of distances' derivatives, of
// lists kept from before, or of ways.
#pragma once

#include <optional>
#include <string>

#include "sim/contact/contact_surface.hpp"

namespace rebound::sim {

/// Two places that are through one another. Of a body: its number and a triangle (or point) of its surface.
struct Crossing {
  int body = -1, other_body = -1;  ///< -1: an obstacle
  int obstacle = -1;               ///< where one of the two is one
  std::array<int, 3> triangle{-1, -1, -1};        ///< of `body`, points of the contact surface
  std::array<int, 3> other_triangle{-1, -1, -1};  ///< of the other; none of a plane or a round obstacle
  Vec3 at{0, 0, 0};                               ///< m
};

/// All of them up to `most`, in the order of the surface; p: the surface's points.
std::vector<Crossing> find_crossings(const ContactSurface& surface, const Model& model, const Points& p,
                                     std::size_t most, Workers& workers);

/// Do a segment and a triangle cross? Touching at a corner or an edge does not count.
bool segment_crosses(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& triangle);

}  // namespace rebound::sim
