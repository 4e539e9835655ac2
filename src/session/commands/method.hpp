// How steps are made: one pane's own.
#pragma once

#include <optional>
#include <string>

#include "scene/description.hpp"
#include "scene/identifiers.hpp"
#include "session/commands/solver_fields.hpp"
#include "session/commands/traits.hpp"

namespace rebound::session {

struct SetIntegrator {
  std::string id;
  /// true: the target is what there is, unless that has run away. false: it is again what it was before such switches.
  /// None: it stays, and the new method makes up for what the old one was off.
  std::optional<bool> rebase{};
};
template <>
struct Traits<SetIntegrator> : CommandTraits {
  static constexpr Subject subject{"integrator"};
  static constexpr const char* name = "setIntegrator";
  static void fields(auto& visitor, auto& c) {
    visitor.choice("type", scene::built().integrators, c.id);
    visitor.truth("rebase", c.rebase);
  }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetIntegrator& c);
  static void apply(SessionEditor& editor, const SetIntegrator& c);
  static std::optional<Command> inverse(const Session& session, const SetIntegrator& c);
  static void describe(const SetIntegrator& c, scene::Description& d) { d.integrator.type = c.id; }
};

struct SetBlend {
  double tolerance = 0.01;
  bool forward_blend = true;
};
template <>
struct Traits<SetBlend> : CommandTraits {
  static constexpr Subject subject{"blend"};
  static constexpr const char* name = "setBlend";
  static constexpr bool clears_failure = false;
  static void fields(auto& visitor, auto& c) {
    visitor.number("tolerance", "integrator.tolerance", c.tolerance);
    visitor.truth("forwardBlend", c.forward_blend);
  }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetBlend& c);
  static void apply(SessionEditor&, const SetBlend&) {}
  static std::optional<Command> inverse(const Session& session, const SetBlend& c);
  static void describe(const SetBlend& c, scene::Description& d) {
    d.integrator.tolerance = c.tolerance;
    d.integrator.forwardBlend = c.forward_blend;
  }
};

/// What becomes of energy that a step cannot resolve: "heat", "moving" or "held".
struct SetUnresolved {
  std::string becomes = "moving";
};
template <>
struct Traits<SetUnresolved> : CommandTraits {
  static constexpr Subject subject{"unresolved energy"};
  static constexpr const char* name = "setUnresolved";
  static constexpr bool clears_failure = false;
  static void fields(auto& visitor, auto& c) { visitor.choice("unresolved", {"heat", "moving", "held"}, c.becomes); }
  static void apply(SessionEditor&, const SetUnresolved&) {}
  static std::optional<Command> inverse(const Session& session, const SetUnresolved& c);
  static void describe(const SetUnresolved& c, scene::Description& d) { d.integrator.unresolved = c.becomes; }
};

/// Between which a-search looks for its alpha, how often, and on what base.
struct SetAlpha {
  double min = 0, max = 1.1;
  int every = 1;
  std::string base = "backward-euler";
};
template <>
struct Traits<SetAlpha> : CommandTraits {
  static constexpr Subject subject{"alpha"};
  static constexpr const char* name = "setAlpha";
  static void fields(auto& visitor, auto& c) {
    visitor.number("alphaMin", "integrator.alphaMin", c.min);
    visitor.number("alphaMax", "integrator.alphaMax", c.max);
    visitor.integer("every", "integrator.every", c.every);
    visitor.choice("base", {"backward-euler", "sdirk2"}, c.base);
  }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetAlpha& c);
  static void apply(SessionEditor&, const SetAlpha&) {}
  static std::optional<Command> inverse(const Session& session, const SetAlpha& c);
  static void describe(const SetAlpha& c, scene::Description& d);
};

/// What generalized-alpha leaves of the fastest motion after a step.
struct SetRho {
  double rho = 0.8;
};
template <>
struct Traits<SetRho> : CommandTraits {
  static constexpr Subject subject{"rho"};
  static constexpr const char* name = "setRho";
  static void fields(auto& visitor, auto& c) { visitor.number("rho", "integrator.rho", c.rho); }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetRho& c);
  static void apply(SessionEditor&, const SetRho&) {}
  static std::optional<Command> inverse(const Session& session, const SetRho& c);
  static void describe(const SetRho& c, scene::Description& d) { d.integrator.rho = c.rho; }
};

/// How many of the slowest modes SIERE takes exactly.
struct SetModes {
  int modes = 5;
};
template <>
struct Traits<SetModes> : CommandTraits {
  static constexpr Subject subject{"modes"};
  static constexpr const char* name = "setModes";
  static void fields(auto& visitor, auto& c) { visitor.integer("modes", "integrator.modes", c.modes); }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetModes& c);
  static void apply(SessionEditor&, const SetModes&) {}
  static std::optional<Command> inverse(const Session& session, const SetModes& c);
  static void describe(const SetModes& c, scene::Description& d) { d.integrator.modes = c.modes; }
};

/// What the target is asked to do from now on: times are those of the pane.
struct SetEnergy {
  std::vector<scene::EnergyPiece> pieces;
};
template <>
struct Traits<SetEnergy> : CommandTraits {
  static constexpr Subject subject{"wished energy"};
  static constexpr const char* name = "setEnergy";
  static constexpr bool clears_failure = false;
  static void fields(auto& visitor, auto& c) { visitor.energy("energy", c.pieces); }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetEnergy& c);
  static void apply(SessionEditor&, const SetEnergy&) {}
  static std::optional<Command> inverse(const Session& session, const SetEnergy& c);
  static void describe(const SetEnergy& c, scene::Description& d) { d.energy = c.pieces; }
};

struct SetSolver {
  scene::Solver solver;
};
template <>
struct Traits<SetSolver> : CommandTraits {
  static constexpr Subject subject{"solver"};
  static constexpr const char* name = "setSolver";
  static void fields(auto& visitor, auto& c) {
    visitor.choice("type", scene::built().solvers, c.solver.type);
    solver_fields(visitor, c.solver);
  }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetSolver& c);
  static void apply(SessionEditor&, const SetSolver&) {}
  static std::optional<Command> inverse(const Session& session, const SetSolver& c);
  static void describe(const SetSolver& c, scene::Description& d) { d.solver = c.solver; }
};

struct SetTimeStep {
  double h = 0.033;  ///< s
};
template <>
struct Traits<SetTimeStep> : CommandTraits {
  static constexpr Subject subject{"time step"};
  static constexpr const char* name = "setTimeStep";
  static void fields(auto& visitor, auto& c) { visitor.number("timeStep", "timeStep", c.h); }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetTimeStep& c);
  static void apply(SessionEditor& editor, const SetTimeStep& c);
  static std::optional<Command> inverse(const Session& session, const SetTimeStep& c);
  static void describe(const SetTimeStep& c, scene::Description& d) { d.timeStep = c.h; }
};

struct SetSubsteps {
  int substeps = 1;  ///< steps a frame
};
template <>
struct Traits<SetSubsteps> : CommandTraits {
  static constexpr Subject subject{"substeps"};
  static constexpr const char* name = "setSubsteps";
  static void fields(auto& visitor, auto& c) { visitor.integer("substeps", "substeps", c.substeps); }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetSubsteps& c);
  static void apply(SessionEditor& editor, const SetSubsteps& c);
  static std::optional<Command> inverse(const Session& session, const SetSubsteps& c);
  static void describe(const SetSubsteps& c, scene::Description& d) { d.substeps = c.substeps; }
};

struct SetDamping {
  scene::Damping damping;
};
template <>
struct Traits<SetDamping> : CommandTraits {
  static constexpr Subject subject{"damping"};
  static constexpr const char* name = "setDamping";
  static constexpr bool clears_failure = false;
  static void fields(auto& visitor, auto& c) {
    visitor.choice("type", scene::built().dampings, c.damping.type);
    visitor.number("coefficient", scene::damping_range(c.damping.type), c.damping.coefficient);
    visitor.later_number("mass", "damping.mass", c.damping.mass);
    visitor.choice("per", {"frame", "second"}, c.damping.per);
  }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetDamping& c);
  static void apply(SessionEditor& editor, const SetDamping& c);
  static std::optional<Command> inverse(const Session& session, const SetDamping& c);
  static void describe(const SetDamping& c, scene::Description& d) { d.damping = c.damping; }
};

}  // namespace rebound::session
