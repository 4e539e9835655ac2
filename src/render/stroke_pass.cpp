#include "render/stroke_pass.hpp"

#include <cstddef>

namespace rebound::render {

namespace {

std::array<float, 3> floats(const Vec3& p) { return {p.x(), p.y(), p.z()}; }
std::array<float, 4> floats(const Color& c) { return {c.r, c.g, c.b, c.a}; }

/// One attribute of an instance: `count` floats from `offset` bytes on.
struct InstanceAttribute {
  GLint count;
  std::size_t offset;
};

void describe_instances(GLuint layout, GLuint buffer, std::size_t stride,
                        std::span<const InstanceAttribute> attributes) {
  glBindVertexArray(layout);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  for (GLuint i = 0; i < attributes.size(); ++i) {
    glEnableVertexAttribArray(i);
    glVertexAttribPointer(i, attributes[i].count, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                          reinterpret_cast<const void*>(attributes[i].offset));
    glVertexAttribDivisor(i, 1);
  }
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindVertexArray(0);
}

template <typename T>
void stream_instances(GLuint buffer, const std::vector<T>& instances) {
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size() * sizeof(T)), instances.data(),
               GL_STREAM_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

}  // namespace

StrokePass::StrokePass()
    : stroke_program_({"stroke.vert.glsl", "stroke.frag.glsl"}),
      marker_program_({"marker.vert.glsl", "marker.frag.glsl"}) {
  const InstanceAttribute segment[] = {{3, offsetof(Segment, before)},     {3, offsetof(Segment, from)},
                                       {3, offsetof(Segment, to)},         {3, offsetof(Segment, after)},
                                       {4, offsetof(Segment, from_color)}, {4, offsetof(Segment, to_color)},
                                       {1, offsetof(Segment, width)}};
  describe_instances(stroke_layout_.id(), stroke_buffer_.id(), sizeof(Segment), segment);
  const InstanceAttribute ball[] = {
      {3, offsetof(Ball, centre)}, {4, offsetof(Ball, color)}, {2, offsetof(Ball, radius)}};
  describe_instances(marker_layout_.id(), marker_buffer_.id(), sizeof(Ball), ball);
}

void StrokePass::draw(const View& view) {
  const Batch segments = collect_segments(view);
  const Batch balls = collect_balls(view);
  if (segments.all + balls.all == 0) return;
  stream_instances(stroke_buffer_.id(), segments_);
  stream_instances(marker_buffer_.id(), balls_);
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  draw_batch(stroke_program_, stroke_layout_, segments);
  draw_batch(marker_program_, marker_layout_, balls);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

StrokePass::Batch StrokePass::collect_segments(const View& view) {
  segments_.clear();
  Batch batch;
  for (const bool through : {true, false}) {
    for (const LineView& line : view.lines) {
      if (line.shows_through != through) continue;
      segments_.push_back({floats(line.from), floats(line.from), floats(line.to), floats(line.to), floats(line.color),
                           floats(line.color), line.width * view.pixel_ratio});
    }
    if (through) batch.through = static_cast<GLsizei>(segments_.size());
  }
  for (const TrailView& trail : view.trails) {
    const std::size_t count = trail.points.size();
    const auto fading = [&](std::size_t i) {
      const float t = trail.fades ? static_cast<float>(i) / static_cast<float>(count - 1) : 1;
      return floats(trail.color.with_alpha(trail.color.a * t * t));
    };
    for (std::size_t i = 0; i + 1 < count; ++i) {
      const Vec3& before = trail.points[i == 0 ? 0 : i - 1];
      const Vec3& after = trail.points[std::min(i + 2, count - 1)];
      segments_.push_back({floats(before), floats(trail.points[i]), floats(trail.points[i + 1]), floats(after),
                           fading(i), fading(i + 1), trail.width * view.pixel_ratio});
    }
  }
  batch.all = static_cast<GLsizei>(segments_.size());
  return batch;
}

StrokePass::Batch StrokePass::collect_balls(const View& view) {
  balls_.clear();
  Batch batch;
  for (const bool through : {true, false}) {
    for (const MarkerView& marker : view.markers) {
      if (marker.shows_through != through) continue;
      balls_.push_back({floats(marker.position), floats(marker.color), marker.radius * view.pixel_ratio,
                        marker.glossy ? 1.0f : 0.0f});
    }
    if (through) batch.through = static_cast<GLsizei>(balls_.size());
  }
  batch.all = static_cast<GLsizei>(balls_.size());
  return batch;
}

void StrokePass::draw_batch(Program& program, const gl::VertexArray& layout, const Batch& batch) {
  constexpr float hidden_visibility = 0.25f;
  program.use();
  glBindVertexArray(layout.id());
  if (batch.through > 0) {
    program.set("visibility", hidden_visibility);
    glDepthFunc(GL_GREATER);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, batch.through);
  }
  if (batch.all > 0) {
    program.set("visibility", 1.0f);
    glDepthFunc(GL_LEQUAL);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, batch.all);
  }
  glBindVertexArray(0);
}

}  // namespace rebound::render
