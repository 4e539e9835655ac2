// Obstacles that come, go, change and follow a hand while bodies bump into them.
//
// What comes in is not booked: the springs of an obstacle that appears inside a body hold energy that was nowhere
// before, and the integrator takes it out as the body is pushed out [Dinev18 Sec. 4.3]. What goes away with an
// obstacle, or changes with its stiffness, was part of the ledger's energy and is booked as an edit. What an obstacle
// does that is moved is work of the hand.
#pragma once

#include "scene/description.hpp"
#include "session/commands/traits.hpp"

namespace rebound::session {

struct ObstacleTraits : CommandTraits {
  static constexpr Subject subject{"obstacles"};
  static constexpr bool for_all_panes = true;
};

inline constexpr int kLast = -1;

/// Another solid to bump into, among the others at `index`, or after them.
struct AddObstacle {
  scene::Obstacle obstacle;
  int index = kLast;
};
template <>
struct Traits<AddObstacle> : ObstacleTraits {
  static constexpr const char* name = "addObstacle";
  static void fields(auto& visitor, auto& c) {
    visitor.index_or_last("index", c.index);
    visitor.obstacle("obstacle", c.obstacle);
  }
  static bool replaces(const AddObstacle&, const AddObstacle&) { return false; }
  static std::unique_ptr<Preparation> prepare(const Session& session, const AddObstacle& c);
  static void apply(SessionEditor& editor, const AddObstacle& c);
  static std::optional<Command> inverse(const Session& session, const AddObstacle& c);
  static void describe(const AddObstacle& c, scene::Description& d);
};

struct RemoveObstacle {
  int index = 0;
};
template <>
struct Traits<RemoveObstacle> : ObstacleTraits {
  static constexpr const char* name = "removeObstacle";
  static constexpr bool changes_energy = true;
  static void fields(auto& visitor, auto& c) { visitor.index("index", c.index); }
  static bool replaces(const RemoveObstacle&, const RemoveObstacle&) { return false; }
  static std::unique_ptr<Preparation> prepare(const Session& session, const RemoveObstacle& c);
  static void apply(SessionEditor& editor, const RemoveObstacle& c);
  static std::optional<Command> inverse(const Session& session, const RemoveObstacle& c);
  static void describe(const RemoveObstacle& c, scene::Description& d);
};

/// Another one in its place, at once.
struct SetObstacle {
  int index = 0;
  scene::Obstacle obstacle;
};
template <>
struct Traits<SetObstacle> : ObstacleTraits {
  static constexpr const char* name = "setObstacle";
  static constexpr bool changes_energy = true;
  static void fields(auto& visitor, auto& c) {
    visitor.index("index", c.index);
    visitor.obstacle("obstacle", c.obstacle);
  }
  static bool replaces(const SetObstacle& newer, const SetObstacle& older) { return newer.index == older.index; }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetObstacle& c);
  static void apply(SessionEditor& editor, const SetObstacle& c);
  static std::optional<Command> inverse(const Session& session, const SetObstacle& c);
  static void describe(const SetObstacle& c, scene::Description& d);
};

/// Moves one by hand: it goes there from the next step on, no faster than a hand would, and pushes what is in its way.
struct MoveObstacle {
  int index = 0;
  scene::Vec3 translate{0, 0, 0};  ///< m, as in its transform
  scene::Rotation rotate;          ///< likewise
};
template <>
struct Traits<MoveObstacle> : ObstacleTraits {
  static constexpr const char* name = "moveObstacle";
  static void fields(auto& visitor, auto& c) {
    visitor.index("index", c.index);
    visitor.translate("translate", c.translate);
    visitor.rotate("rotate", c.rotate);
  }
  static bool replaces(const MoveObstacle& newer, const MoveObstacle& older) { return newer.index == older.index; }
  static std::unique_ptr<Preparation> prepare(const Session& session, const MoveObstacle& c);
  static void apply(SessionEditor& editor, const MoveObstacle& c);
  static std::optional<Command> inverse(const Session& session, const MoveObstacle& c);
  static void describe(const MoveObstacle& c, scene::Description& d);
};

}  // namespace rebound::session
