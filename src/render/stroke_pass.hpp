// Lines, trails and markers: flat things of constant size on the screen, with smooth edges.
#pragma once

#include <vector>

#include "render/shader.hpp"
#include "render/view.hpp"

namespace rebound::render {

class StrokePass {
 public:
  StrokePass();

  /// Draws over what is there, tested against its depth. The frame's uniforms must be bound.
  void draw(const View& view);

 private:
  /// One segment of a polyline, as the shader reads it.
  struct Segment {
    std::array<float, 3> before, from, to, after;
    std::array<float, 4> from_color, to_color;
    float width;
  };
  struct Ball {
    std::array<float, 3> centre;
    std::array<float, 4> color;
    float radius;
    float glossy;
  };
  /// How many of the first instances also show where a body hides them.
  struct Batch {
    GLsizei through = 0;
    GLsizei all = 0;
  };

  Batch collect_segments(const View& view);
  Batch collect_balls(const View& view);
  static void draw_batch(Program& program, const gl::VertexArray& layout, const Batch& batch);

  Program stroke_program_;
  Program marker_program_;
  std::vector<Segment> segments_;
  std::vector<Ball> balls_;
  gl::VertexArray stroke_layout_;
  gl::VertexArray marker_layout_;
  gl::Buffer stroke_buffer_;
  gl::Buffer marker_buffer_;
};

}  // namespace rebound::render
