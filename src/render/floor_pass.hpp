// The endless floor with its unit lines, and the shadows that lie on it.
#pragma once

#include "render/shader.hpp"
#include "render/shadow_window.hpp"
#include "render/view.hpp"

namespace rebound::render {

/// Sets what shaders/background.glsl needs; `area` is what is drawn to, in the coordinates of its framebuffer.
void set_background(Program& program, const Theme& theme, const Viewport& area);

class FloorPass {
 public:
  /// `fine`: soft shadows and gradients without bands, at several times the cost.
  explicit FloorPass(bool fine);

  /// Whether the floor is seen from above; from below it is glass, so that one sees what stands on it.
  static bool is_opaque(const View& view, const PlaneView& plane);
  /// Draws where nothing nearer stands, and brings its own background, so that this need not be drawn below it.
  void draw_opaque(const View& view, const PlaneView& plane, const Viewport& area);
  /// Draws over what is there.
  void draw_blended(const View& view, const PlaneView& plane);
  /// Multiplies the floor by its shadows. The shadow map, the frame's uniforms and this plane's mask must be bound.
  void draw_shadow(const View& view, const PlaneView& plane, const FloorWindow& window);

 private:
  static void set_grid(Program& program, const View& view, const PlaneView& plane);
  void draw_rectangle(Program& program, const PlaneView& plane, const Vec3& centre, const Vec2& half_size);

  Program floor_program_;
  Program glass_program_;
  Program shadow_program_;
  gl::VertexArray no_attributes_;
};

}  // namespace rebound::render
