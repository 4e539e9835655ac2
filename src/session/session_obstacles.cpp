// Obstacles that come, go, change and follow a hand while bodies bump into them.
//
// What comes in is not booked: the springs of an obstacle that appears inside a body hold energy that was nowhere
// before, and the integrator takes it out as the body is pushed out [Dinev18 Sec. 4.3]. What goes away with an
// obstacle, or changes with its stiffness, was part of the ledger's energy and is booked as an edit. What an obstacle
// does that is moved is work of the hand.
#include <algorithm>

#include "mesh/error.hpp"
#include "scene/build_obstacles.hpp"
#include "scene/obstacle_text.hpp"
#include "session/session.hpp"

namespace rebound::session {
// ---- where they are ----

sim::Pose Session::obstacle_goal(int obstacle) const {
  return scene::obstacle_pose(description().obstacles[static_cast<std::size_t>(obstacle)], record_.time);
}

void Session::place_obstacles(double time) {
  const std::size_t count = model_->obstacles.size();
  led_.assign(count, 0);
  for (std::size_t o = 0; o < count; ++o) {
    sim::Obstacle& obstacle = model_->obstacles[o];
    obstacle.pose = obstacle.before = scene::obstacle_pose(description().obstacles[o], time);
  }
}

// ---- commands ----

const scene::Obstacle& Session::required_obstacle(int index) const {
  const auto& obstacles = description().obstacles;
  if (index < 0 || index >= static_cast<int>(obstacles.size()))
    throw InputError("there is no obstacle " + std::to_string(index) + "; the scene has " +
                     std::to_string(obstacles.size()));
  return obstacles[static_cast<std::size_t>(index)];
}

std::unique_ptr<Preparation> Session::with_surface_of(const scene::Obstacle& obstacle) const {
  scene::check_obstacle(obstacle);
  const auto* mesh = std::get_if<scene::MeshShape>(&obstacle.shape);
  if (mesh == nullptr || world_.contact_shapes.obstacles.contains({mesh->file, obstacle.transform.scale})) return nullptr;
  auto made = std::make_unique<Preparation>();
  made->new_obstacle_ = obstacle;
  return made;
}

std::unique_ptr<Preparation> Session::prepare(const AddObstacle& add) const {
  const int count = static_cast<int>(description().obstacles.size());
  if (add.index != kLast && (add.index < 0 || add.index > count))
    throw InputError("an obstacle cannot be number " + std::to_string(add.index) + "; the scene has " +
                     std::to_string(count));
  return with_surface_of(add.obstacle);
}

std::unique_ptr<Preparation> Session::prepare(const RemoveObstacle& remove) const {
  (void)required_obstacle(remove.index);
  return nullptr;
}

std::unique_ptr<Preparation> Session::prepare(const SetObstacle& set) const {
  (void)required_obstacle(set.index);
  return with_surface_of(set.obstacle);
}

std::unique_ptr<Preparation> Session::prepare(const MoveObstacle& move) const {
  scene::Obstacle moved = required_obstacle(move.index);
  moved.transform.translate = move.translate;
  moved.transform.rotate = move.rotate;
  scene::check_obstacle(moved);
  return nullptr;
}

// It is met in the next step.
void Session::do_command(const AddObstacle& add) {
  auto& obstacles = model_->obstacles;
  const int count = static_cast<int>(obstacles.size()), at = add.index == kLast ? count : add.index;
  obstacles.insert(obstacles.begin() + at, scene::build_obstacle(add.obstacle, world_.contact_shapes.obstacles, record_.time));
  led_.insert(led_.begin() + at, 0);
  for (sim::Contact& contact : model_->contacts.items)
    if (contact.obstacle >= at) ++contact.obstacle;
  failure_.clear();
}

void Session::do_command(const RemoveObstacle& remove) {
  const int at = remove.index;
  model_->obstacles.erase(model_->obstacles.begin() + at);
  led_.erase(led_.begin() + at);
  lose_contacts_with(at);
  for (sim::Contact& contact : model_->contacts.items)
    if (contact.obstacle > at) --contact.obstacle;
  failure_.clear();
}

// Its springs stay where no more than their numbers change; else it goes away, and another one comes.
void Session::do_command(const SetObstacle& set) {
  const scene::Obstacle& before = required_obstacle(set.index);
  const auto at = static_cast<std::size_t>(set.index);
  sim::Obstacle& obstacle = model_->obstacles[at];
  scene::Obstacle like_before = set.obstacle;
  like_before.name = before.name;
  like_before.stiffness = before.stiffness;
  like_before.friction = before.friction;
  if (like_before == before) {
    obstacle.stiffness = set.obstacle.stiffness;
    obstacle.friction = set.obstacle.friction;
    for (sim::Contact& contact : model_->contacts.items) {
      if (contact.obstacle != set.index) continue;
      contact.stiffness = obstacle.stiffness;
      contact.friction = obstacle.friction;
    }
  } else {
    obstacle = scene::build_obstacle(set.obstacle, world_.contact_shapes.obstacles, record_.time);
    led_[at] = 0;
    lose_contacts_with(set.index);
  }
  failure_.clear();
}

void Session::do_command(const MoveObstacle& move) {
  led_[static_cast<std::size_t>(move.index)] = 1;
  failure_.clear();
}

void Session::lose_contacts_with(int obstacle) {
  std::erase_if(model_->contacts.items, [=](const sim::Contact& contact) { return contact.obstacle == obstacle; });
}

}  // namespace rebound::session
