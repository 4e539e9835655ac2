// Where things stand in the window. The picture gets what the panels leave, and never less than it needs.
#pragma once

#include <vector>

namespace rebound::app {

struct Settings;

/// In window coordinates (ImGui's), from the upper left corner.
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
  bool contains(float px, float py) const { return px >= x && px < x + width && py >= y && py < y + height; }
  bool empty() const { return width < 1 || height < 1; }
  bool operator==(const Rect&) const = default;
};

struct Layout {
  Rect top, side, plots, timeline, picture;
};

/// `unit`: window coordinates a point. Panels that would leave the picture no room are left out (empty).
Layout arrange(float width, float height, float unit, const Settings& settings);

/// Where `count` panes stand in the picture, all of one size: whole, halves, two by two, three by two; in whole units.
std::vector<Rect> pane_places(const Rect& picture, std::size_t count, float unit);

}  // namespace rebound::app
