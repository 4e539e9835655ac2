// What lies under the mouse, and which obstacle is marked or chosen.
#pragma once

#include <optional>
#include <vector>

#include "app/gizmo.hpp"
#include "app/mouse.hpp"
#include "app/world.hpp"

namespace rebound::app {

class UnderMouse {
 public:
  explicit UnderMouse(const World& world) : world_(world) {}

  /// The mouse is at a pixel of the picture, or elsewhere.
  void look(const std::optional<MouseEvent>& mouse, float pixel_ratio);

  /// A pixel of the picture; empty where the mouse is elsewhere.
  const std::optional<Vec2>& pixel() const { return pixel_; }
  /// What a press would take hold of, m: a vertex of a body, then what lies within reach; empty for nothing.
  const std::vector<render::Vec3>& hovered_points() const { return points_; }
  /// Of the chosen obstacle's arrows and rings, the part that is held or that a press would take.
  std::optional<GizmoPart> gizmo_part() const;
  /// The obstacle that is held, pointed at in the picture, or in the list.
  std::optional<int> marked_obstacle() const;
  void set_listed_obstacle(std::optional<int> obstacle) { listed_ = obstacle; }
  /// What the panel shows, and what has arrows and rings; -1 for none.
  int& chosen_obstacle() { return chosen_; }
  int chosen_obstacle() const { return chosen_; }
  /// An obstacle is gone: none is marked or chosen until the mouse moves.
  void forget_obstacle();

 private:
  World world_;
  std::optional<Vec2> pixel_;
  std::optional<int> hovered_, listed_;
  std::vector<render::Vec3> points_;
  std::optional<GizmoPart> part_;
  int chosen_ = -1;
};

}  // namespace rebound::app
