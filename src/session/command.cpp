#include "session/command.hpp"

#include <algorithm>

namespace rebound::session {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

// What waits may be about an obstacle that will turn out not to be there.
scene::Obstacle* find(std::vector<scene::Obstacle>& obstacles, int index) {
  const auto i = static_cast<std::size_t>(index);
  return i < obstacles.size() ? &obstacles[i] : nullptr;
}

}  // namespace

bool moves_the_hand(const Command& command) {
  return std::holds_alternative<Grab>(command) || std::holds_alternative<MoveGrab>(command) ||
         std::holds_alternative<Release>(command);
}

bool is_for_all(const Command& command) {
  return moves_the_hand(command) || subject(command) == "pins" || subject(command) == "obstacles" ||
         std::holds_alternative<Reset>(command);
}

std::string_view subject(const Command& command) {
  return std::visit(Overloaded{[](const Grab&) { return "hand"; },
                               [](const MoveGrab&) { return "hand"; },
                               [](const Release&) { return "hand"; },
                               [](const Pin&) { return "pins"; },
                               [](const Unpin&) { return "pins"; },
                               [](const UnpinAll&) { return "pins"; },
                               [](const SetPins&) { return "pins"; },
                               [](const SetIntegrator&) { return "integrator"; },
                               [](const SetBlend&) { return "blend"; },
                               [](const SetSolver&) { return "solver"; },
                               [](const SetTimeStep&) { return "time step"; },
                               [](const SetSubsteps&) { return "substeps"; },
                               [](const SetMaterial&) { return "material"; },
                               [](const SetDamping&) { return "damping"; },
                               [](const SetGravity&) { return "gravity"; },
                               [](const SetContact&) { return "contact"; },
                               [](const AddObstacle&) { return "obstacles"; },
                               [](const RemoveObstacle&) { return "obstacles"; },
                               [](const SetObstacle&) { return "obstacles"; },
                               [](const MoveObstacle&) { return "obstacles"; },
                               [](const Reset&) { return "reset"; }},
                    command);
}

void describe(const Command& command, scene::Description& d) {
  std::visit(
      Overloaded{
          [&](const SetIntegrator& set) { d.integrator.type = set.id; },
          [&](const SetBlend& set) {
            d.integrator.tolerance = set.tolerance;
            d.integrator.forwardBlend = set.forward_blend;
          },
          [&](const SetSolver& set) { d.solver = set.solver; }, [&](const SetTimeStep& set) { d.timeStep = set.h; },
          [&](const SetSubsteps& set) { d.substeps = set.substeps; },
          [&](const SetMaterial& set) { d.bodies.at(static_cast<std::size_t>(set.body)).material = set.material; },
          [&](const SetDamping& set) { d.damping = set.damping; },
          [&](const SetGravity& set) {
            d.gravity = {set.g[0], set.g[1], set.g[2]};
          },
          [&](const SetContact& set) { d.contact = set.contact; },
          [&](const AddObstacle& add) {
            const int last = static_cast<int>(d.obstacles.size());
            d.obstacles.insert(d.obstacles.begin() + (add.index == kLast ? last : std::min(add.index, last)),
                               add.obstacle);
          },
          [&](const RemoveObstacle& remove) {
            if (find(d.obstacles, remove.index)) d.obstacles.erase(d.obstacles.begin() + remove.index);
          },
          [&](const SetObstacle& set) {
            if (scene::Obstacle* obstacle = find(d.obstacles, set.index)) *obstacle = set.obstacle;
          },
          [&](const MoveObstacle& move) {
            if (scene::Obstacle* obstacle = find(d.obstacles, move.index)) {
              obstacle->transform.translate = move.translate;
              obstacle->transform.rotate = move.rotate;
            }
          },
          [](const auto&) {}},
      command);
}

bool replaces(const Command& newer, const Command& older) {
  if (newer.index() != older.index()) return false;
  return std::visit(
      Overloaded{[&](const SetMaterial& set) { return set.body == std::get<SetMaterial>(older).body; },
                 [&](const SetObstacle& set) { return set.index == std::get<SetObstacle>(older).index; },
                 [&](const MoveObstacle& move) { return move.index == std::get<MoveObstacle>(older).index; },
                 [](const AddObstacle&) { return false; }, [](const RemoveObstacle&) { return false; },
                 [](const Grab&) { return false; }, [](const Pin&) { return false; },
                 [](const Unpin&) { return false; }, [](const auto&) { return true; }},
      newer);
}

}  // namespace rebound::session
