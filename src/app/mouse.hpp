// What a mouse movement means: presses, moves and wheel turns become gestures. No window, no scene: a test can play it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "render/geometry.hpp"

namespace rebound::app {

using render::Vec2;

enum class Button { left, right, middle };

/// One thing that the mouse did. `at` is in framebuffer pixels from the picture's upper left corner.
struct MouseEvent {
  enum class Kind { press, release, move, wheel };
  Kind kind = Kind::move;
  Vec2 at = Vec2::Zero();
  Button button = Button::left;
  bool shift = false;
  bool ctrl = false;
  float wheel = 0;  ///< notches, away from the person positive
  double time = 0;  ///< s
};

/// What is asked of the scene or the camera.
struct Gesture {
  enum class Kind {
    orbit,
    pan,
    zoom,
    grab,
    move_grab,
    widen_grab,
    release_grab,
    toggle_pin,
    centre,
    box_pin,
    box_unpin,
    box_region
  };
  Kind kind;
  Vec2 from = Vec2::Zero();
  Vec2 to = Vec2::Zero();
  float factor = 1;   ///< of the distance, for zoom; notches of the wheel, to widen a grab
  bool ctrl = false;  ///< was it held when a grab began?

  const Vec2& at() const { return to; }
};

/// What a box is drawn round.
enum class BoxFor { nothing, pins, region };

class Mouse {
 public:
  enum class Mode { idle, orbit, pan, grab, click_or_pan, box };

  /// Is there anything to grab under this pixel? Asked only when a press has to know.
  using HitTest = std::function<bool(const Vec2&)>;

  /// `pixel_ratio`: framebuffer pixels a point, so that a click forgives the same tremble on every display.
  std::vector<Gesture> on(const MouseEvent& event, const HitTest& hits_body, float pixel_ratio = 1);
  /// Ends whatever is going on. The gestures let go of what is held.
  std::vector<Gesture> cancel();

  /// The next left drag draws a box for this.
  void arm_box(BoxFor what) { box_for_ = what; }
  BoxFor box_armed() const { return box_for_; }

  Mode mode() const { return mode_; }
  struct Box {
    Vec2 from, to;
    bool unpins;
  };
  /// The rectangle being drawn.
  std::optional<Box> box() const;

 private:
  std::vector<Gesture> press(const MouseEvent& event, const HitTest& hits_body, float pixel_ratio);
  std::vector<Gesture> move(const MouseEvent& event, float pixel_ratio);
  std::vector<Gesture> release(const MouseEvent& event);
  bool unpins(const MouseEvent& event) const { return box_for_ == BoxFor::pins && event.ctrl; }
  bool is_second_click(const MouseEvent& event, float pixel_ratio);

  Mode mode_ = Mode::idle;
  Button button_ = Button::left;  ///< the one that began the mode
  BoxFor box_for_ = BoxFor::nothing;
  bool box_unpins_ = false;
  Vec2 began_ = Vec2::Zero();
  Vec2 last_ = Vec2::Zero();
  std::optional<MouseEvent> last_click_;
};

}  // namespace rebound::app
