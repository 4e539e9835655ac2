// Where a picture is drawn on its way to the screen when its edges are to be smoothed.
#pragma once

#include <optional>

#include "render/renderer.hpp"
#include "render/shader.hpp"

namespace rebound::render {

class SceneTarget {
 public:
  /// Throws GlError if the shader or the samples are refused.
  explicit SceneTarget(Antialiasing antialiasing);

  /// Where begin() has the picture of `area` drawn, in the framebuffer it binds.
  Viewport area(const Viewport& area) const;
  /// Binds what to draw into and sets the viewport; its size is `area`'s.
  void begin(const Viewport& area, GLuint destination);
  /// Brings the picture into `area` of the framebuffer `destination`, smoothed.
  void end(const Viewport& area, GLuint destination);

 private:
  /// Colour and depth of one size.
  struct Storage {
    int width, height;
    gl::Texture color;
    gl::Renderbuffer sampled_color;
    gl::Renderbuffer depth;
    gl::Framebuffer framebuffer;
  };
  void provide(int width, int height);

  Antialiasing antialiasing_;
  std::optional<Program> smoothing_;
  std::optional<Storage> storage_;
  gl::VertexArray no_attributes_;
};

}  // namespace rebound::render
