// The hand in the scene: carries out the mouse's gestures on the camera and, as commands, on the simulation.
#pragma once

#include <optional>
#include <vector>

#include "app/canvas.hpp"
#include "app/gizmo.hpp"
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
  /// The part of the chosen obstacle's arrows and rings that lies under a pixel of the pane under the mouse.
  std::optional<GizmoPart> pick_gizmo(const Stage& stage, const Vec2& pixel, float pixel_ratio) const;
  /// `settings`: how strong a grab is, and how far it reaches; the wheel changes that.
  void carry_out(const Gesture& gesture, Stage& stage, Settings& settings, float pixel_ratio);
  void unpin_all(Stage& stage);
  /// Forgets pins that an undo or going back has taken, and does what waited for a moment.
  void follow(Stage& stage);
  /// Has it been told what a region is to hold, and not been shown yet what lies there?
  bool waits_for_vertices() const { return asked_region_.has_value(); }
  /// A new world: nothing is held or pinned by hand any more.
  void forget();
  std::optional<int> held_obstacle() const { return dragged_ ? std::optional(dragged_->obstacle) : std::nullopt; }
  /// By which its arrows or rings are held.
  std::optional<GizmoPart> held_part() const { return dragged_ ? dragged_->part : std::nullopt; }
  /// Whose arrows and rings are shown; -1 for none.
  void choose_obstacle(int obstacle) { chosen_ = obstacle; }
  /// Where the arrows of an obstacle begin, m.
  static render::Vec3 gizmo_centre(const Stage& stage, int obstacle);
  /// Of that body, m.
  double grab_radius(int body, const Settings& settings) const;

 private:
  void grab(const Gesture& gesture, Stage& stage, const Settings& settings, float pixel_ratio);
  void widen(const Gesture& gesture, Stage& stage, Settings& settings);
  bool grab_gizmo(const Gesture& gesture, const Stage& stage, float pixel_ratio);
  bool grab_obstacle(const Gesture& gesture, const Stage& stage, float pixel_ratio);
  void drag_obstacle(const Gesture& gesture, Stage& stage);
  void toggle_pin(const Gesture& gesture, Stage& stage, float pixel_ratio);
  void box(const Gesture& gesture, Stage& stage, bool pins);
  void mark_region(Stage& stage);
  void let_go_of_the_past(Stage& stage);
  void pin(const std::vector<session::SurfacePoint>& points, Stage& stage);
  void unpin(const std::vector<session::SurfacePoint>& points, Stage& stage);
  bool is_pinned(const session::Snapshot& moment, const session::SurfacePoint& point) const;
  std::optional<Picked> pick_net(std::size_t body, const session::Snapshot& moment, const Vec2& pixel,
                                 float pixel_ratio) const;

  Canvas& canvas_;
  struct Held {
    render::Vec3 plane;  ///< a point of the picking plane
    session::Grab grab;  ///< with the target that it has now
  };
  std::optional<Held> held_;
  bool let_go_ = false;  ///< that is under way
  int chosen_ = -1;
  std::vector<session::SurfacePoint> pins_;  ///< by this hand
  std::size_t pinned_ = 0;                   ///< vertices, when last looked
  struct Dragged {
    int obstacle;
    render::Vec3 at;         ///< the point that was taken
    Vec2 from;               ///< the pixel
    scene::Transform start;  ///< where the obstacle was put before
    bool turns;
    std::optional<sim::Vec3> along{};              ///< a plane's normal: it goes nowhere else
    std::optional<GizmoPart> part = std::nullopt;  ///< by which it is held
    render::Vec3 centre = render::Vec3::Zero();    ///< of the arrows, when it was taken
    Vec2 last = Vec2::Zero();                      ///< the pixel to which it was dragged
    double angle = 0;                              ///< rad, by which it was turned so far
  };
  std::optional<Dragged> dragged_;
  std::optional<PixelBox> asked_region_;
};

}  // namespace rebound::app
