// Pictures without a window: an OpenGL context of its own through EGL, and a framebuffer that can be read back.
#pragma once

#include <memory>

#include "render/geometry.hpp"
#include "render/gl.hpp"
#include "render/image.hpp"

namespace rebound::render {

/// A current OpenGL 3.3 core context with neither display nor window. One at a time a thread.
class OffscreenContext {
 public:
  /// Throws GlError naming what the machine lacks.
  OffscreenContext();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

  /// Makes it the calling thread's context again.
  void make_current();

 private:
  struct Egl;
  std::unique_ptr<Egl> egl_;
};

/// A framebuffer of colour and depth, for any context, also a window's.
class RenderTarget {
 public:
  /// Throws GlError if the driver refuses the size. Sizes below 1 count as 1.
  RenderTarget(int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }
  Viewport viewport() const { return {0, 0, width_, height_}; }

  void bind() const;
  /// The picture so far. Leaves the framebuffer bindings as they were.
  Image read() const;
  void read_into(Image& image) const;

 private:
  int width_;
  int height_;
  gl::Texture color_;
  gl::Renderbuffer depth_;
  gl::Framebuffer framebuffer_;
};

/// The pixels of a rectangle of the bound read framebuffer: how a window takes its own screenshot.
void read_pixels(const Viewport& area, Image& image);

}  // namespace rebound::render
