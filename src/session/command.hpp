// All that a user can do to a running world, as data: the window's mouse and panels write commands, the session applies
// them between two frames and books what they did to the energy.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scene/description.hpp"
#include "sim/base/types.hpp"

namespace rebound::session {

/// A point of what the user sees.
struct SurfacePoint {
  int body = 0;
  int vertex = 0;  ///< of the body's surface
};

/// Takes hold of a surface point with a spring of rest length zero to `target`.
struct Grab {
  SurfacePoint point;
  sim::Vec3 target = sim::Vec3::Zero();  ///< m
  double strength = 1;                   ///< times the stiffness that swings the whole body about twice a second
};
/// Moves the hand.
struct MoveGrab {
  sim::Vec3 target = sim::Vec3::Zero();  ///< m
};
struct Release {};

struct Pin {
  std::vector<SurfacePoint> points;
};
struct Unpin {
  std::vector<SurfacePoint> points;
};
struct UnpinAll {};
/// These vertices are fixed and no others: how pins are put back.
struct SetPins {
  std::vector<int> vertices;  ///< of the whole world, bodies one after the other
};

struct SetIntegrator {
  std::string id;
};
struct SetBlend {
  double tolerance = 0.01;
  bool forward_blend = true;
};
struct SetSolver {
  scene::Solver solver;
};
struct SetTimeStep {
  double h = 0.033;  ///< s
};
struct SetSubsteps {
  int substeps = 1;  ///< steps a frame
};
struct SetMaterial {
  int body = 0;
  scene::Material material;
};
struct SetDamping {
  scene::Damping damping;
};
struct SetGravity {
  sim::Vec3 g = sim::Vec3::Zero();  ///< m/s^2
};
struct SetContact {
  scene::BodyContact contact;
};

inline constexpr int kLast = -1;

/// Another solid to bump into, among the others at `index`, or after them.
struct AddObstacle {
  scene::Obstacle obstacle;
  int index = kLast;
};
struct RemoveObstacle {
  int index = 0;
};
/// Another one in its place, at once.
struct SetObstacle {
  int index = 0;
  scene::Obstacle obstacle;
};
/// Moves one by hand: it goes there from the next step on, no faster than a hand would, and pushes what is in its way.
struct MoveObstacle {
  int index = 0;
  scene::Vec3 translate{0, 0, 0};  ///< m, as in its transform
  scene::Rotation rotate;          ///< likewise
};

/// Back to the start of the scene, what was set meanwhile kept.
struct Reset {};

using Command = std::variant<Grab, MoveGrab, Release, Pin, Unpin, UnpinAll, SetPins, SetIntegrator, SetBlend, SetSolver,
                             SetTimeStep, SetSubsteps, SetMaterial, SetDamping, SetGravity, SetContact, AddObstacle,
                             RemoveObstacle, SetObstacle, MoveObstacle, Reset>;

/// Does it only move the hand that holds a body?
bool moves_the_hand(const Command& command);
/// Is it about the one hand, the pins, the obstacles or the clock, so that bodies compared side by side must all get
/// it?
bool is_for_all(const Command& command);
/// What it changes, a word or two for the user.
std::string_view subject(const Command& command);
/// Writes what it sets into a description of the world; nothing where it sets nothing that a description has.
void describe(const Command& command, scene::Description& description);
/// Does `newer` make `older` pointless if the two follow one another?
bool replaces(const Command& newer, const Command& older);

}  // namespace rebound::session
