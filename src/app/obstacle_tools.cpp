#include "app/obstacle_tools.hpp"

#include <algorithm>
#include <chrono>

#include "app/canvas.hpp"
#include "app/file_dialog.hpp"
#include "app/messages.hpp"
#include "app/under_mouse.hpp"
#include "mesh/error.hpp"

namespace rebound::app {
namespace fs = std::filesystem;
namespace {

std::optional<int> level_floor(const std::vector<scene::Obstacle>& obstacles) {
  const auto is_level = [](const scene::Obstacle& obstacle) {
    const auto* plane = std::get_if<scene::PlaneShape>(&obstacle.shape);
    return plane != nullptr && plane->normal[0] == 0 && plane->normal[1] > 0 && plane->normal[2] == 0 &&
           obstacle.transform.rotate.angle == 0 && obstacle.motion.empty();
  };
  const auto at = std::ranges::find_if(obstacles, is_level);
  return at != obstacles.end() ? std::optional(static_cast<int>(at - obstacles.begin())) : std::nullopt;
}

}  // namespace

bool ObstacleTools::act(Action action) {
  switch (action) {
    case Action::add_sphere:
      add_sphere();
      return true;
    case Action::remove_obstacle:
      remove();
      return true;
    case Action::duplicate_obstacle:
      duplicate();
      return true;
    case Action::open_obstacle:
      world_.dialog.ask(FileDialog::Purpose::obstacle, fs::path(".") / "");
      return true;
    default:
      return false;
  }
}

void ObstacleTools::add_sphere() {
  const auto& pixel = under_mouse_.pixel();
  if (!pixel) return add(ObstacleKind::sphere);
  const auto& camera = world_.canvas.camera();
  const render::Box bodies = world_.canvas.picture().bounds();
  const render::Vec3 at = camera.point_at_depth(*pixel, bodies.isEmpty() ? camera.pose().target : bodies.center());
  world_.stage->post(session::AddObstacle{new_obstacle(ObstacleKind::sphere, bodies, at)});
}

// A floor comes where one is drawn, so that what is seen becomes solid. Another would lie in the first.
void ObstacleTools::add(ObstacleKind kind) {
  if (kind == ObstacleKind::floor)
    if (const auto floor = level_floor(world_.stage->now().description.obstacles)) {
      under_mouse_.chosen_obstacle() = *floor;
      return world_.messages.say("There is a floor already. It is chosen: its arrows move it.");
    }
  const auto& picture = world_.canvas.picture();
  const render::Vec3 at =
      kind == ObstacleKind::floor ? render::Vec3(0, picture.floor_height(), 0) : world_.canvas.beside_the_bodies();
  under_mouse_.chosen_obstacle() = static_cast<int>(world_.stage->now().description.obstacles.size());
  world_.stage->post(session::AddObstacle{new_obstacle(kind, picture.bounds(), at)});
}

void ObstacleTools::add(const fs::path& file) {
  if (read_.valid()) return world_.messages.say("A surface is being read already.");
  read_ = std::async(std::launch::async,
                     [file = fs::absolute(file), bodies = world_.canvas.picture().bounds(),
                      at = world_.canvas.beside_the_bodies()] { return new_obstacle(file, bodies, at); });
}

bool ObstacleTools::poll() {
  if (!read_.valid() || read_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
  try {
    world_.stage->post(session::AddObstacle{read_.get()});
  } catch (const InputError& error) {
    world_.messages.fail("The surface cannot be read", error.what());
  }
  return true;
}

std::optional<int> ObstacleTools::pointed_or_chosen() const {
  const int index = under_mouse_.marked_obstacle().value_or(under_mouse_.chosen_obstacle());
  const auto count = static_cast<int>(world_.stage->now().description.obstacles.size());
  return 0 <= index && index < count ? std::optional(index) : std::nullopt;
}

void ObstacleTools::remove() {
  const std::optional<int> index = pointed_or_chosen();
  if (!index)
    return world_.messages.say("Click the obstacle to be removed, or point at it; at a floor or wall, hold Ctrl.");
  world_.stage->post(session::RemoveObstacle{*index});
  under_mouse_.forget_obstacle();
}

void ObstacleTools::duplicate() {
  const auto& obstacles = world_.stage->now().description.obstacles;
  const std::optional<int> index = pointed_or_chosen();
  if (!index) return world_.messages.say("Click the obstacle to be duplicated, or point at it.");
  scene::Obstacle copy = obstacles[static_cast<std::size_t>(*index)];
  // Beside it, so that both are seen.
  const render::Box bodies = world_.canvas.picture().bounds();
  copy.transform.translate[0] += bodies.isEmpty() ? 1 : 0.4 * static_cast<double>(bodies.diagonal().norm());
  under_mouse_.chosen_obstacle() = static_cast<int>(obstacles.size());
  world_.stage->post(session::AddObstacle{std::move(copy)});
}

}  // namespace rebound::app
