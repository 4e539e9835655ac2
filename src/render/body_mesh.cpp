#include "render/body_mesh.hpp"

#include <cassert>
#include <cstddef>

namespace rebound::render {

namespace {

enum Attribute : GLuint { position_attribute = 0, normal_attribute = 1, scalar_attribute = 2, shade_attribute = 3 };

template <typename T>
GLsizeiptr bytes_of(const std::vector<T>& data) {
  return static_cast<GLsizeiptr>(data.size() * sizeof(T));
}

/// New storage each frame: the card may still be reading the last one, and neither waits for the other.
template <typename T>
void stream(GLuint buffer, const std::vector<T>& data) {
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, bytes_of(data), data.data(), GL_STREAM_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

const void* offset(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

}  // namespace

BodyMesh::BodyMesh(PositionSpan rest_positions, std::span<const Triangle> triangles, const BodyMeshOptions& options)
    : surface_(split_creases(rest_positions, triangles, options.crease_angle)),
      vertex_count_(rest_positions.size() / 3) {
  glBindVertexArray(layout_.id());
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, index_buffer_.id());
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, bytes_of(surface_.triangles), surface_.triangles.data(), GL_STATIC_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, vertex_buffer_.id());
  glEnableVertexAttribArray(position_attribute);
  glVertexAttribPointer(position_attribute, 3, GL_FLOAT, GL_FALSE, sizeof(ShadedVertex),
                        offset(offsetof(ShadedVertex, position)));
  glEnableVertexAttribArray(normal_attribute);
  glVertexAttribPointer(normal_attribute, 3, GL_FLOAT, GL_FALSE, sizeof(ShadedVertex),
                        offset(offsetof(ShadedVertex, normal)));
  glBindBuffer(GL_ARRAY_BUFFER, scalar_buffer_.id());
  glVertexAttribPointer(scalar_attribute, 1, GL_FLOAT, GL_FALSE, sizeof(float), nullptr);
  glBindBuffer(GL_ARRAY_BUFFER, shade_buffer_.id());
  glVertexAttribPointer(shade_attribute, 1, GL_FLOAT, GL_FALSE, sizeof(float), nullptr);
  glBindVertexArray(0);
  update(rest_positions);
}

void BodyMesh::update(PositionSpan positions) {
  assert(positions.size() == 3 * vertex_count_);
  shade(surface_, positions, vertices_);
  bounds_ = bounds_of(positions);
  stream(vertex_buffer_.id(), vertices_);
}

void BodyMesh::set_scalars(std::span<const float> scalars) {
  has_scalars_ = !scalars.empty();
  set_numbers(scalar_attribute, scalar_buffer_, scalars);
}

void BodyMesh::set_shades(std::span<const float> shades) { set_numbers(shade_attribute, shade_buffer_, shades); }

void BodyMesh::set_numbers(unsigned attribute, const gl::Buffer& buffer, std::span<const float> numbers) {
  assert(numbers.empty() || numbers.size() == vertex_count_);
  glBindVertexArray(layout_.id());
  if (!numbers.empty()) {
    split_numbers_.resize(surface_.source.size());
    for (std::size_t i = 0; i < split_numbers_.size(); ++i) split_numbers_[i] = numbers[surface_.source[i]];
    stream(buffer.id(), split_numbers_);
    glEnableVertexAttribArray(attribute);
  } else {
    glDisableVertexAttribArray(attribute);
  }
  glBindVertexArray(0);
}

void BodyMesh::draw() const {
  glBindVertexArray(layout_.id());
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * surface_.triangles.size()), GL_UNSIGNED_INT, nullptr);
  glBindVertexArray(0);
}

}  // namespace rebound::render
