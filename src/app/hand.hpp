// The hand in the scene: carries out the mouse's gestures on the camera and, as commands, on the simulation.
#pragma once

#include <optional>
#include <vector>

#include "app/canvas.hpp"
#include "app/mouse.hpp"
#include "app/stage.hpp"

namespace rebound::app {

/// What lies under a pixel.
struct Picked {
  session::SurfacePoint point;  ///< the nearest surface point
  render::Vec3 at;              ///< where the ray meets the body
};

class Hand {
 public:
  explicit Hand(Canvas& canvas) : canvas_(canvas) {}

  /// The body's.
  std::optional<Picked> pick(const session::Snapshot& moment, const Vec2& pixel, float pixel_ratio) const;
  /// The obstacle that a press in the pane under the mouse would take: not behind a body, and a plane only if asked
  /// for.
  std::optional<film::Obstacles::Met> pick_obstacle(const Stage& stage, const Vec2& pixel, float pixel_ratio,
                                                    bool planes_too) const;
  void carry_out(const Gesture& gesture, Stage& stage, double grab_strength, float pixel_ratio);
  void unpin_all(Stage& stage);
  /// Forgets pins that an undo or going back has taken.
  void follow(const Stage& stage);
  /// A new world: nothing is held or pinned by hand any more.
  void forget();
  std::optional<int> held_obstacle() const { return dragged_ ? std::optional(dragged_->obstacle) : std::nullopt; }

 private:
  void grab(const Gesture& gesture, Stage& stage, double strength, float pixel_ratio);
  bool grab_obstacle(const Gesture& gesture, const Stage& stage, float pixel_ratio);
  void drag_obstacle(const Gesture& gesture, Stage& stage);
  void toggle_pin(const Gesture& gesture, Stage& stage, float pixel_ratio);
  void box(const Gesture& gesture, Stage& stage, bool pins);
  void pin(const std::vector<session::SurfacePoint>& points, Stage& stage);
  void unpin(const std::vector<session::SurfacePoint>& points, Stage& stage);
  bool is_pinned(const session::Snapshot& moment, const session::SurfacePoint& point) const;
  std::optional<Picked> pick_net(std::size_t body, const session::Snapshot& moment, const Vec2& pixel,
                                 float pixel_ratio) const;

  Canvas& canvas_;
  std::optional<render::Vec3> held_;         ///< a point of the picking plane, while something is held
  std::vector<session::SurfacePoint> pins_;  ///< by this hand
  std::size_t pinned_ = 0;                   ///< vertices, when last looked
  struct Dragged {
    int obstacle;
    render::Vec3 at;         ///< the point that was taken
    Vec2 from;               ///< the pixel
    scene::Transform start;  ///< where the obstacle was put before
    bool turns;
    std::optional<sim::Vec3> along;  ///< a plane's normal: it goes nowhere else
  };
  std::optional<Dragged> dragged_;
};

}  // namespace rebound::app
