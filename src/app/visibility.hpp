// What a person sees inside a rectangle of the picture.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "render/camera.hpp"

namespace rebound::app {

/// The surface of one body as it is drawn.
struct DrawnSurface {
  render::PositionSpan positions;
  std::span<const render::Triangle> triangles;  ///< empty: a net, of which everything is seen
};

/// A rectangle of the picture, framebuffer pixels, corners in any order.
struct PixelBox {
  render::Vec2 from, to;
};

/// Indices of the points of surfaces[body] within the box that no surface hides, for every body.
std::vector<std::vector<int>> visible_points(const render::Camera& camera, std::span<const DrawnSurface> surfaces,
                                             const PixelBox& box);

/// The tetrahedra whose middle lies within the box, hidden or not. positions: of their vertices.
std::vector<int> tetrahedra_in(const render::Camera& camera, render::PositionSpan positions,
                               std::span<const std::array<int, 4>> tetrahedra, const PixelBox& box);

}  // namespace rebound::app
