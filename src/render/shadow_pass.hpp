// The two pictures that shadows are read from: depth as the light sees it, and nearness to the floor.
#pragma once

#include "render/shader.hpp"
#include "render/view.hpp"

namespace rebound::render {

/// The light's view of what casts shadows.
struct ShadowWindow {
  Mat4 map_from_world = Mat4::Identity();  ///< to [0, 1] in each direction
  Vec3 size = Vec3::Ones();                ///< width, height, depth range: metres
  float texel = 1;                         ///< metres
};

/// Covers `casters` in steps, so that shadow edges do not crawl while a body moves. `to_light` has length 1.
ShadowWindow fit_shadow_window(const Box& casters, const Vec3& to_light, int resolution);

/// The floor's view of what stands on it.
struct ContactWindow {
  Mat4 map_from_world = Mat4::Identity();  ///< x, y: place on the floor, 0..1; z: height above it, 0..1
  Box footprint;                           ///< in the coordinates of the floor's frame, metres
  float height = 1;                        ///< metres above the floor at which darkening ends
};

/// Two directions that span a plane; with its normal they make a right-handed frame.
struct PlaneFrame {
  Vec3 u;
  Vec3 v;
};
PlaneFrame frame_of(const PlaneView& plane);

/// `height` in metres; the window is wider than the casters by as much.
ContactWindow fit_contact_window(const Box& casters, const PlaneView& plane, float height);

class ShadowPass {
 public:
  explicit ShadowPass(int resolution, int contact_resolution);

  /// Draws all casters of the view. Changes framebuffer and viewport.
  void draw_shadow(const View& view, const ShadowWindow& window);
  void draw_contact(const View& view, const ContactWindow& window);

  /// The texture units that bind() fills: the map for comparisons, for its depths, and the nearness to the floor.
  static constexpr int compare_unit = 1;
  static constexpr int depth_unit = 2;
  static constexpr int contact_unit = 3;
  void bind() const;
  static void unbind();
  int resolution() const { return resolution_; }

 private:
  int resolution_;
  int contact_resolution_;
  Program depth_program_;
  Program contact_program_;
  Program blur_program_;
  gl::Texture depth_;
  gl::Sampler comparing_;
  gl::Sampler reading_;
  gl::Framebuffer depth_target_;
  gl::Texture contact_[2];
  gl::Framebuffer contact_target_[2];
  gl::VertexArray no_attributes_;
};

}  // namespace rebound::render
