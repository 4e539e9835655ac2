// Undoing: an edit is taken back by a command like any other, so that it is booked, prepared and recorded as they are.
#include "session/session.hpp"

namespace rebound::session {
namespace {

std::vector<int> numbers_of(const std::vector<std::uint8_t>& fixed) {
  std::vector<int> vertices;
  for (std::size_t v = 0; v < fixed.size(); ++v)
    if (fixed[v]) vertices.push_back(static_cast<int>(v));
  return vertices;
}

}  // namespace

std::optional<Command> Session::inverse(const Command& command) const {
  if (subject(command) == "pins") return SetPins{numbers_of(model_->fixed)};
  const scene::Description& d = description();
  struct {
    const scene::Description& d;
    std::optional<Command> operator()(const SetIntegrator&) const { return SetIntegrator{d.integrator.type}; }
    std::optional<Command> operator()(const SetBlend&) const {
      return SetBlend{d.integrator.tolerance, d.integrator.forwardBlend};
    }
    std::optional<Command> operator()(const SetSolver&) const { return SetSolver{d.solver}; }
    std::optional<Command> operator()(const SetTimeStep&) const { return SetTimeStep{d.timeStep}; }
    std::optional<Command> operator()(const SetSubsteps&) const { return SetSubsteps{d.substeps}; }
    std::optional<Command> operator()(const SetMaterial& set) const {
      return SetMaterial{set.body, d.bodies.at(static_cast<std::size_t>(set.body)).material};
    }
    std::optional<Command> operator()(const SetDamping&) const { return SetDamping{d.damping}; }
    std::optional<Command> operator()(const SetContact&) const { return SetContact{d.contact}; }
    std::optional<Command> operator()(const SetGravity&) const {
      return SetGravity{{d.gravity[0], d.gravity[1], d.gravity[2]}};
    }
    std::optional<Command> operator()(const AddObstacle& add) const {
      return RemoveObstacle{add.index == kLast ? static_cast<int>(d.obstacles.size()) : add.index};
    }
    std::optional<Command> operator()(const RemoveObstacle& remove) const {
      return AddObstacle{d.obstacles.at(static_cast<std::size_t>(remove.index)), remove.index};
    }
    std::optional<Command> operator()(const SetObstacle& set) const {
      return SetObstacle{set.index, d.obstacles.at(static_cast<std::size_t>(set.index))};
    }
    std::optional<Command> operator()(const MoveObstacle& move) const {
      const scene::Transform& now = d.obstacles.at(static_cast<std::size_t>(move.index)).transform;
      return MoveObstacle{move.index, now.translate, now.rotate};
    }
    std::optional<Command> operator()(const Grab&) const { return {}; }
    std::optional<Command> operator()(const MoveGrab&) const { return {}; }
    std::optional<Command> operator()(const Release&) const { return {}; }
    std::optional<Command> operator()(const Pin&) const { return {}; }
    std::optional<Command> operator()(const Unpin&) const { return {}; }
    std::optional<Command> operator()(const UnpinAll&) const { return {}; }
    std::optional<Command> operator()(const SetPins&) const { return {}; }
    std::optional<Command> operator()(const Reset&) const { return {}; }
  } of{d};
  return std::visit(of, command);
}

}  // namespace rebound::session
