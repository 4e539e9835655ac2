// What is said of surfaces that are through one another.
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

/// Do a segment and a triangle cross, or touch? In one plane with it, a segment does not.
bool segment_crosses(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& triangle);

}  // namespace rebound::sim
