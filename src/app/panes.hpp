// Where the panes' pictures are in the window, and which of them the mouse means.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "app/canvas.hpp"
#include "app/controller.hpp"
#include "app/layout.hpp"
#include "app/window.hpp"

namespace rebound::app {

class Panes {
 public:
  Panes(const Window& window, const Settings& settings, Canvas& canvas, const Mouse& mouse, Controller& controller)
      : window_(window), settings_(settings), canvas_(canvas), mouse_(mouse), controller_(controller) {}

  /// Shares out the window's picture among so many panes. unit: window coordinates of a point.
  void arrange(const Rect& picture, std::size_t panes, float unit);
  /// One each, or one for all where they lie over one another.
  const std::vector<Rect>& places() const { return places_; }
  const Rect& place_of(std::size_t pane) const { return places_[std::min(pane, places_.size() - 1)]; }

  void draw(const Stage& stage, Canvas::Quality quality);
  /// The box by which vertices are being pinned.
  void draw_box(const Style& style) const;

  /// Chooses the pane under the mouse and what lies there. events: since the last picture.
  void look_under_mouse(Stage& stage, const std::vector<MouseEvent>& events);
  /// Each pane is the same picture: what begins in one is meant for the body as it is there, and goes on from there
  /// wherever the mouse is taken.
  void take_mouse(Stage& stage, const std::vector<MouseEvent>& events);

 private:
  using Place = std::vector<Rect>::const_iterator;
  Place under(const Vec2& pixel) const;
  Vec2 origin(const Rect& place) const;
  void point_at(Stage& stage, Place place) const;

  const Window& window_;
  const Settings& settings_;
  Canvas& canvas_;
  const Mouse& mouse_;
  Controller& controller_;
  std::vector<Rect> places_ = {{}};
  std::optional<MouseEvent> last_mouse_;
};

}  // namespace rebound::app
