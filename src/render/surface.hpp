// How a surface is shaded: which corners share a normal, and the normals of a frame. No OpenGL here.
#pragma once

#include <cstdint>
#include <vector>

#include "render/geometry.hpp"

namespace rebound::render {

/// A vertex as it goes to the graphics card.
struct ShadedVertex {
  std::array<float, 3> position;  ///< metres
  std::array<float, 3> normal;    ///< length 1, outwards
};

/// Triangles whose vertices are split along creases, so that each split vertex has one smooth normal.
struct ShadedSurface {
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< in split vertices, order as given
  std::vector<std::uint32_t> source;                    ///< split vertex -> vertex of the body
};

/// Splits along lines of edges where neighbouring triangles meet, at rest, at more than `crease_angle` radians, and at
/// edges of more than two triangles. Single sharp edges, as scans have them, stay smooth. Throws std::invalid_argument
/// on an index out of range.
ShadedSurface split_creases(PositionSpan rest_positions, std::span<const Triangle> triangles, float crease_angle);

/// Positions and area-weighted normals of every split vertex. A vertex without area gets an upright normal.
void shade(const ShadedSurface& surface, PositionSpan positions, std::vector<ShadedVertex>& vertices);

/// The box round all finite positions.
Box bounds_of(PositionSpan positions);

}  // namespace rebound::render
