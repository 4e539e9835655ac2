#include "session/command.hpp"

namespace rebound::session {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace

bool moves_the_hand(const Command& command) {
  return std::holds_alternative<Grab>(command) || std::holds_alternative<MoveGrab>(command) ||
         std::holds_alternative<Release>(command);
}

bool is_for_all(const Command& command) {
  return moves_the_hand(command) || subject(command) == "pins" || std::holds_alternative<Reset>(command);
}

std::string_view subject(const Command& command) {
  return std::visit(
      Overloaded{[](const Grab&) { return "hand"; }, [](const MoveGrab&) { return "hand"; },
                 [](const Release&) { return "hand"; }, [](const Pin&) { return "pins"; },
                 [](const Unpin&) { return "pins"; }, [](const UnpinAll&) { return "pins"; },
                 [](const SetPins&) { return "pins"; }, [](const SetIntegrator&) { return "integrator"; },
                 [](const SetBlend&) { return "blend"; }, [](const SetSolver&) { return "solver"; },
                 [](const SetTimeStep&) { return "time step"; }, [](const SetSubsteps&) { return "substeps"; },
                 [](const SetMaterial&) { return "material"; }, [](const SetDamping&) { return "damping"; },
                 [](const SetGravity&) { return "gravity"; }, [](const SetContact&) { return "contact"; },
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
          [&](const SetContact& set) { d.contact = set.contact; }, [](const auto&) {}},
      command);
}

bool replaces(const Command& newer, const Command& older) {
  if (newer.index() != older.index()) return false;
  return std::visit(Overloaded{[&](const SetMaterial& set) { return set.body == std::get<SetMaterial>(older).body; },
                               [](const Grab&) { return false; }, [](const Pin&) { return false; },
                               [](const Unpin&) { return false; }, [](const auto&) { return true; }},
                    newer);
}

}  // namespace rebound::session
