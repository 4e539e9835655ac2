// The endless floor with its unit lines, and the shadows that lie on it.
#pragma once

#include "render/shader.hpp"
#include "render/shadow_pass.hpp"
#include "render/view.hpp"

namespace rebound::render {

class FloorPass {
 public:
  explicit FloorPass(bool fine_shadows);

  /// Draws over the background, tested against the depth of what stands there.
  void draw_floor(const View& view, const PlaneView& plane);
  /// Multiplies the floor by its shadows. `contact` is where it was drawn; null if it was not, for this plane.
  void draw_shadow(const View& view, const PlaneView& plane, const Box& casters, const Vec3& to_light,
                   const ContactWindow* contact);

 private:
  void draw_rectangle(Program& program, const Vec3& origin, const Vec3& side_u, const Vec3& side_v);

  Program floor_program_;
  Program shadow_program_;
  gl::VertexArray no_attributes_;
};

}  // namespace rebound::render
