// Obstacles that are added, duplicated and removed, by key or in the panel.
#pragma once

#include <filesystem>
#include <future>
#include <optional>

#include "app/new_obstacle.hpp"
#include "app/shortcuts.hpp"
#include "app/world.hpp"

namespace rebound::app {

class UnderMouse;

class ObstacleTools {
 public:
  ObstacleTools(const World& world, UnderMouse& under_mouse) : world_(world), under_mouse_(under_mouse) {}

  /// True if the action was about obstacles.
  bool act(Action action);
  void add(ObstacleKind kind);
  /// The closed surface in a file, which is read in the background.
  void add(const std::filesystem::path& file);
  /// Takes on a surface that was read. True if there is one.
  bool poll();

 private:
  void add_sphere();
  /// The number of the obstacle that is pointed at, or else of the chosen one.
  std::optional<int> pointed_or_chosen() const;
  void remove();
  void duplicate();

  World world_;
  UnderMouse& under_mouse_;
  std::future<scene::Obstacle> read_;
};

}  // namespace rebound::app
