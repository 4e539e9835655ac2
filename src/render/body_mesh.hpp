// A body's surface on the graphics card: its triangles stay, its positions are sent each frame.
#pragma once

#include <vector>

#include "render/geometry.hpp"
#include "render/gl.hpp"
#include "render/surface.hpp"

namespace rebound::render {

struct BodyMeshOptions {
  /// Edges that are sharper than this at rest stay sharp: radians. Above pi everything is smooth.
  float crease_angle = 0.7f;
};

/// Needs the GL context of its renderer to be current, from construction to destruction.
class BodyMesh {
 public:
  /// Throws std::invalid_argument on triangle indices out of range.
  BodyMesh(PositionSpan rest_positions, std::span<const Triangle> triangles, const BodyMeshOptions& options = {});

  /// Sends a frame: as many positions as at rest. Normals are computed here.
  void update(PositionSpan positions);
  /// One number a vertex, for the heat map; empty to have none. Kept until set again.
  void set_scalars(std::span<const float> scalars);

  /// How much lighter (to 1) or darker (to -1) than the body a vertex is; empty for none. Kept until set again.
  void set_shades(std::span<const float> shades);

  bool has_scalars() const { return has_scalars_; }
  /// Of the finite positions of the last update, metres.
  const Box& bounds() const { return bounds_; }
  std::size_t vertex_count() const { return vertex_count_; }
  std::size_t triangle_count() const { return surface_.triangles.size(); }

  /// Draws the triangles with the program in use: attribute 0 position, 1 normal, 2 scalar, 3 shade.
  void draw() const;

 private:
  ShadedSurface surface_;
  std::size_t vertex_count_ = 0;
  std::vector<ShadedVertex> vertices_;
  void set_numbers(unsigned attribute, const gl::Buffer& buffer, std::span<const float> numbers);
  std::vector<float> split_numbers_;
  Box bounds_;
  bool has_scalars_ = false;
  gl::VertexArray layout_;
  gl::Buffer vertex_buffer_;
  gl::Buffer scalar_buffer_;
  gl::Buffer shade_buffer_;
  gl::Buffer index_buffer_;
};

}  // namespace rebound::render
