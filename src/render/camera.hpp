// The camera that a person turns round a body. Pixels are framebuffer pixels from the viewport's upper left corner, x
// to the right and y down, as windows report the mouse (times the content scale); the centre of the first is (0.5,
// 0.5).
#pragma once

#include <optional>

#include "render/geometry.hpp"

namespace rebound::render {

/// Where the camera stands: on a sphere round `target`. Angles in radians, lengths in metres.
struct CameraPose {
  Vec3 target = Vec3::Zero();
  float yaw = 0.6f;       ///< turns about the vertical; 0 looks along -z
  float pitch = 0.32f;    ///< height above the horizon, within (-pi/2, pi/2)
  float distance = 4.0f;  ///< from the eye to the target
};

/// A point seen by the camera.
struct Projected {
  Vec2 pixel = Vec2::Zero();
  float depth = 0;  ///< metres in front of the eye, along the viewing direction; negative behind it
};

class Camera {
 public:
  static constexpr float field_of_view = 0.56f;  ///< radians, vertical: about a 60 mm lens, calm perspective
  static constexpr float min_distance = 1e-3f;   ///< metres
  static constexpr float max_distance = 1e4f;    ///< metres

  /// Tell the camera the size of its viewport in framebuffer pixels. Sizes below 1 count as 1.
  void resize(int width, int height);
  int width() const { return width_; }
  int height() const { return height_; }

  // --- what the mouse does. Each of these ends a transition where it stands.

  /// Turns by a drag of `pixels`; half a turn for a drag across the viewport's height.
  void orbit(const Vec2& pixels);
  /// Moves so that what is under `from`, in the picking plane of `through`, comes under `to`.
  void pan(const Vec2& from, const Vec2& to, const Vec3& through);
  void pan(const Vec2& from, const Vec2& to) { pan(from, to, pose_.target); }
  /// Scales the distance by `factor` (below 1 comes nearer); the point under `pixel` at the depth of `through` stays.
  void zoom(float factor, const Vec2& pixel, const Vec3& through);
  void zoom(float factor, const Vec2& pixel) { zoom(factor, pixel, pose_.target); }

  // --- where to go. Smooth: call advance() each frame; or finish() to be there at once.

  /// Looks at `point` from the same side and distance.
  void focus(const Vec3& point);
  /// Looks at the whole of `box` from the same side. An empty or non-finite box is ignored.
  void frame(const Box& box);
  /// The default view of `box`.
  void home(const Box& box);
  /// The same from another side: from where `towards_eye`, of length 1, points.
  void home(const Box& box, const Vec3& towards_eye);
  /// Goes to `pose`.
  void go_to(const CameraPose& pose);
  /// Moves the transition on by `seconds`; true while there is more to come.
  bool advance(float seconds);
  void finish();
  bool moving() const { return transition_.has_value(); }

  const CameraPose& pose() const { return pose_; }
  void set_pose(const CameraPose& pose);

  // --- matrices and rays

  Vec3 eye() const;
  Vec3 forward() const;
  Vec3 right() const;
  Vec3 up() const;
  float near_plane() const { return 0.01f * pose_.distance; }
  float far_plane() const { return 400.0f * pose_.distance; }
  Mat4 view() const;
  Mat4 projection() const;
  Mat4 view_projection() const { return projection() * view(); }

  /// From the eye through a pixel.
  Ray ray(const Vec2& pixel) const;
  /// The point under `pixel` in the plane through `through` that faces the camera: the picking plane of a drag.
  Vec3 point_at_depth(const Vec2& pixel, const Vec3& through) const;
  Projected project(const Vec3& point) const;
  /// The size of a pixel at the depth of `point`, metres.
  float metres_per_pixel(const Vec3& point) const;

 private:
  struct Transition {
    CameraPose from;
    CameraPose to;
    float elapsed = 0;
  };

  CameraPose framing(const Box& box, CameraPose pose) const;

  int width_ = 1;
  int height_ = 1;
  CameraPose pose_;
  std::optional<Transition> transition_;
};

}  // namespace rebound::render
