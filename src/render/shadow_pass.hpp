// The pictures that shadows are read from.
#pragma once

#include "render/shader.hpp"
#include "render/shadow_window.hpp"
#include "render/view.hpp"

namespace rebound::render {

/// Depth as the light sees it.
class ShadowMap {
 public:
  explicit ShadowMap(int resolution);

  /// Draws all casters of the view. Changes framebuffer and viewport.
  void draw(const View& view, const ShadowWindow& window);
  int resolution() const { return resolution_; }

  /// The texture units that bind() fills: the map for comparisons, and for its depths.
  static constexpr int compare_unit = 1;
  static constexpr int depth_unit = 2;
  void bind() const;

 private:
  int resolution_;
  Program program_;
  gl::Texture depth_;
  gl::Sampler comparing_;
  gl::Sampler reading_;
  gl::Framebuffer target_;
};

/// How dark a floor is, seen from below: red is the shadow that is cast on it, green how near something stands.
class FloorMask {
 public:
  explicit FloorMask(int resolution);

  /// Draws and blurs all casters of the view. Changes framebuffer and viewport.
  void draw(const View& view, const FloorWindow& window);

  static constexpr int unit = 3;
  void bind() const;

 private:
  void blur(const FloorWindow& window);

  int resolution_;
  Program program_;
  Program blur_program_;
  gl::Texture images_[2];
  gl::Framebuffer targets_[2];
  gl::VertexArray no_attributes_;
};

/// Frees the texture units of both.
void unbind_shadows();

}  // namespace rebound::render
