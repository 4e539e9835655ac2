// Whether surfaces are through one another: an edge of one that passes through a triangle, a point below a plane, or
// within the offset of another surface. The test stands on its own: it knows nothing of distances' derivatives, of
// lists kept from before, or of ways.
#pragma once

#include <optional>
#include <string>

#include "sim/contact/contact_surface.hpp"

namespace rebound::sim {

/// A triangle of a surface.
struct CrossingTriangle {
  int body = -1, obstacle = -1;                                              ///< of the model; one of them is -1
  int triangle = -1;                                                         ///< of its surface; -1: it has none
  std::array<Vec3, 3> corners{Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)};  ///< m
};

/// Two that are through one another; the first is that of a body.
struct Crossing {
  CrossingTriangle one, other;
};

/// All of them up to `most`, in the order of the surface; p: the surface's points.
std::vector<Crossing> find_crossings(const ContactSurface& surface, const Model& model, const Points& p,
                                     std::size_t most, Workers& workers);

/// Do a segment and a triangle cross, or touch? In one plane with it, a segment does not.
bool segment_crosses(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& triangle);

}  // namespace rebound::sim
