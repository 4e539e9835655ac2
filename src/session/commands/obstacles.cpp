#include "session/commands/obstacles.hpp"

#include <algorithm>

#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "scene/constraints.hpp"
#include "scene/part_text.hpp"
#include "session/session_editor.hpp"

namespace rebound::session {
namespace {

int count(const Session& session) { return static_cast<int>(session.description().obstacles.size()); }

/// Throws InputError if there is no such obstacle.
const scene::Obstacle& required(const Session& session, int index) {
  if (index < 0 || index >= count(session))
    throw InputError("there is no obstacle " + std::to_string(index) + "; the scene has " +
                     std::to_string(count(session)));
  return session.description().obstacles[static_cast<std::size_t>(index)];
}

/// Null if there is none.
scene::Obstacle* find(scene::Description& d, int index) {
  const auto i = static_cast<std::size_t>(index);
  return i < d.obstacles.size() ? &d.obstacles[i] : nullptr;
}

/// Where it stands once it is added.
int place_of(const AddObstacle& add, int count) { return add.index == kLast ? count : add.index; }

void check_beside_methods(const Session& session, const scene::Obstacle& obstacle) {
  scene::check_obstacle(obstacle);
  scene::Description with_it = session.description();
  with_it.obstacles = {obstacle};
  scene::check_constraints(with_it, with_it.integrator.type, with_it.solver.type);
  scene::check_constraints(with_it, session.model());
  scene::check_contact(with_it);
}

}  // namespace

// ---- another one ----

std::unique_ptr<Preparation> Traits<AddObstacle>::prepare(const Session& session, const AddObstacle& add) {
  if (add.index != kLast && (add.index < 0 || add.index > count(session)))
    throw InputError("an obstacle cannot be number " + std::to_string(add.index) + "; the scene has " +
                     std::to_string(count(session)));
  check_beside_methods(session, add.obstacle);
  return Preparation::of_surface(session, add.obstacle);
}
void Traits<AddObstacle>::apply(SessionEditor& editor, const AddObstacle& add) {
  editor.insert_obstacle(place_of(add, count(editor.session())), add.obstacle);
}
std::optional<Command> Traits<AddObstacle>::inverse(const Session& session, const AddObstacle& add) {
  return RemoveObstacle{place_of(add, count(session))};
}
void Traits<AddObstacle>::describe(const AddObstacle& add, scene::Description& d) {
  const int last = static_cast<int>(d.obstacles.size());
  d.obstacles.insert(d.obstacles.begin() + std::min(place_of(add, last), last), add.obstacle);
}

// ---- one less ----

std::unique_ptr<Preparation> Traits<RemoveObstacle>::prepare(const Session& session, const RemoveObstacle& remove) {
  (void)required(session, remove.index);
  return nullptr;
}
void Traits<RemoveObstacle>::apply(SessionEditor& editor, const RemoveObstacle& remove) {
  editor.remove_obstacle(remove.index);
}
std::optional<Command> Traits<RemoveObstacle>::inverse(const Session& session, const RemoveObstacle& remove) {
  return AddObstacle{required(session, remove.index), remove.index};
}
void Traits<RemoveObstacle>::describe(const RemoveObstacle& remove, scene::Description& d) {
  if (find(d, remove.index) != nullptr) d.obstacles.erase(d.obstacles.begin() + remove.index);
}

// ---- another one in its place ----

std::unique_ptr<Preparation> Traits<SetObstacle>::prepare(const Session& session, const SetObstacle& set) {
  (void)required(session, set.index);
  check_beside_methods(session, set.obstacle);
  return Preparation::of_surface(session, set.obstacle);
}
// Its springs stay where no more than their numbers change; else it goes away, and another one comes.
void Traits<SetObstacle>::apply(SessionEditor& editor, const SetObstacle& set) {
  const scene::Obstacle& before = required(editor.session(), set.index);
  scene::Obstacle like_before = set.obstacle;
  like_before.name = before.name;
  like_before.stiffness = before.stiffness;
  like_before.friction = before.friction;
  if (like_before == before) {
    editor.set_obstacle_springs(set.index, set.obstacle.stiffness, set.obstacle.friction);
  } else {
    editor.replace_obstacle(set.index, set.obstacle);
  }
}
std::optional<Command> Traits<SetObstacle>::inverse(const Session& session, const SetObstacle& set) {
  return SetObstacle{set.index, required(session, set.index)};
}
void Traits<SetObstacle>::describe(const SetObstacle& set, scene::Description& d) {
  if (scene::Obstacle* obstacle = find(d, set.index)) *obstacle = set.obstacle;
}

// ---- by hand ----

std::unique_ptr<Preparation> Traits<MoveObstacle>::prepare(const Session& session, const MoveObstacle& move) {
  scene::Obstacle moved = required(session, move.index);
  moved.transform.translate = move.translate;
  moved.transform.rotate = move.rotate;
  scene::check_obstacle(moved);
  return nullptr;
}
void Traits<MoveObstacle>::apply(SessionEditor& editor, const MoveObstacle& move) { editor.lead_obstacle(move.index); }
std::optional<Command> Traits<MoveObstacle>::inverse(const Session& session, const MoveObstacle& move) {
  const scene::Transform& now = required(session, move.index).transform;
  return MoveObstacle{move.index, now.translate, now.rotate};
}
void Traits<MoveObstacle>::describe(const MoveObstacle& move, scene::Description& d) {
  if (scene::Obstacle* obstacle = find(d, move.index)) {
    obstacle->transform.translate = move.translate;
    obstacle->transform.rotate = move.rotate;
  }
}

}  // namespace rebound::session
