// What bodies are made of, what pulls at them, how they meet; and back to the start.
#pragma once

#include "scene/description.hpp"
#include "scene/identifiers.hpp"
#include "session/commands/solver_fields.hpp"
#include "session/commands/traits.hpp"
#include "sim/base/types.hpp"

namespace rebound::session {

struct SetMaterial {
  int body = 0;
  scene::Material material;
  /// That it brings along, as the present one does not solve it; of no type: that one stays.
  scene::Solver solver{std::string(), {}};
};
template <>
struct Traits<SetMaterial> : CommandTraits {
  static constexpr Subject subject{"material"};
  static constexpr const char* name = "setMaterial";
  static constexpr bool changes_energy = true;
  static void fields(auto& visitor, auto& c) {
    visitor.index("body", c.body);
    auto& m = c.material;
    visitor.choice("model", scene::built().materials, m.model);
    visitor.choice("law", scene::named().laws, m.law);
    visitor.number("young", "material.young", m.young);
    visitor.number("poisson", "material.poisson", m.poisson);
    visitor.number("density", "material.density", m.density);
    visitor.number("stiffness", "material.stiffness", m.stiffness);
    visitor.later_choice("soft", scene::built().materials, m.soft, scene::Material().soft);
    visitor.later_number("rigidity", "material.rigidity", m.rigidity);
    visitor.later_number("thickness", "material.thickness", m.thickness);
    visitor.later_number("bending", "material.bending", m.bending);
    visitor.later_number("pretension", "material.pretension", m.pretension);
    visitor.numbers("restLengths", "material.restLength", m.restLengths);
    visitor.later_choice("solver", scene::built().solvers, c.solver.type, std::string());
    solver_fields(visitor, c.solver);
  }
  static bool replaces(const SetMaterial& newer, const SetMaterial& older) {
    return newer.body == older.body && newer.solver.type.empty() && older.solver.type.empty();
  }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetMaterial& c);
  /// All that it changes is in what is prepared.
  static void apply(SessionEditor&, const SetMaterial&) {}
  static std::optional<Command> inverse(const Session& session, const SetMaterial& c);
  static void describe(const SetMaterial& c, scene::Description& d);
};

/// What parts of a body are made of, in the place of all that was said of its parts.
struct SetRegions {
  int body = 0;
  std::vector<scene::MaterialRegion> regions;
};
template <>
struct Traits<SetRegions> : CommandTraits {
  static constexpr Subject subject{"material"};
  static constexpr const char* name = "setRegions";
  static constexpr bool changes_energy = true;
  static void fields(auto& visitor, auto& c) {
    visitor.index("body", c.body);
    visitor.regions("regions", c.regions);
  }
  /// One region more is not made pointless by another one more.
  static bool replaces(const SetRegions& newer, const SetRegions& older) {
    return newer.body == older.body && newer.regions.size() == older.regions.size();
  }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetRegions& c);
  /// All that it changes is in what is prepared.
  static void apply(SessionEditor&, const SetRegions&) {}
  static std::optional<Command> inverse(const Session& session, const SetRegions& c);
  static void describe(const SetRegions& c, scene::Description& d);
};

struct SetGravity {
  sim::Vec3 g = sim::Vec3::Zero();  ///< m/s^2
};
template <>
struct Traits<SetGravity> : CommandTraits {
  static constexpr Subject subject{"gravity"};
  static constexpr const char* name = "setGravity";
  static constexpr bool changes_energy = true;
  static constexpr bool clears_failure = false;
  static void fields(auto& visitor, auto& c) { visitor.gravity("gravity", c.g); }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetGravity& c);
  static void apply(SessionEditor& editor, const SetGravity& c);
  static std::optional<Command> inverse(const Session& session, const SetGravity& c);
  static void describe(const SetGravity& c, scene::Description& d) { d.gravity = {c.g[0], c.g[1], c.g[2]}; }
};

struct SetWind {
  scene::Wind wind;
};
template <>
struct Traits<SetWind> : CommandTraits {
  static constexpr Subject subject{"wind"};
  static constexpr const char* name = "setWind";
  static constexpr bool clears_failure = false;
  static void fields(auto& visitor, auto& c) {
    visitor.number("x", "wind.velocity", c.wind.velocity[0]);
    visitor.number("y", "wind.velocity", c.wind.velocity[1]);
    visitor.number("z", "wind.velocity", c.wind.velocity[2]);
    visitor.number("gusts", "wind.gusts", c.wind.gusts);
    visitor.integer("seed", "wind.seed", c.wind.seed);
    visitor.number("from", "wind.from", c.wind.from);
    visitor.number("until", "wind.until", c.wind.until);
    visitor.number("density", "wind.density", c.wind.density);
  }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetWind& c);
  /// It blows from the next step on.
  static void apply(SessionEditor&, const SetWind&) {}
  static std::optional<Command> inverse(const Session& session, const SetWind& c);
  static void describe(const SetWind& c, scene::Description& d) {
    d.wind = c.wind == scene::Wind() ? std::nullopt : std::optional(c.wind);
  }
};

/// How bodies meet one another, and themselves.
struct SetContact {
  scene::BodyContact contact;
};
template <>
struct Traits<SetContact> : CommandTraits {
  static constexpr Subject subject{"contact"};
  static constexpr const char* name = "setContact";
  static constexpr bool changes_energy = true;
  static constexpr bool clears_failure = false;
  static void fields(auto& visitor, auto& c) {
    visitor.later_choice("type", {"springs", "barrier", "cubic"}, c.contact.type, "springs");
    visitor.truth("bodies", c.contact.bodies);
    visitor.truth("self", c.contact.self);
    visitor.number("stiffness", "contact.stiffness", c.contact.stiffness);
    visitor.number("friction", "contact.friction", c.contact.friction);
    visitor.number("thickness", "contact.thickness", c.contact.thickness);
    visitor.number("distance", "contact.distance", c.contact.distance);
    visitor.number("firmness", "contact.firmness", c.contact.firmness);
    visitor.later_number("slip", "contact.slip", c.contact.slip);
    visitor.later_integer("frictionSolves", "contact.frictionSolves", c.contact.frictionSolves);
    visitor.later_number("cubicStiffness", "contact.cubicStiffness", c.contact.cubicStiffness);
  }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetContact& c);
  static void apply(SessionEditor& editor, const SetContact& c);
  static std::optional<Command> inverse(const Session& session, const SetContact& c);
  static void describe(const SetContact& c, scene::Description& d) { d.contact = c.contact; }
};

/// Moves bodies that pass through one another to where they do not.
struct PushApart {};
template <>
struct Traits<PushApart> : CommandTraits {
  static constexpr Subject subject{"places"};
  static constexpr const char* name = "pushApart";
  static constexpr bool is_edit = false;
  static constexpr bool changes_energy = true;
  static void fields(auto&, auto&) {}
  static std::unique_ptr<Preparation> prepare(const Session& session, const PushApart& c);
  static void apply(SessionEditor& editor, const PushApart& c);
};

/// Back to the start of the scene, what was set meanwhile kept.
struct Reset {};
template <>
struct Traits<Reset> : CommandTraits {
  static constexpr Subject subject{"reset"};
  static constexpr const char* name = "reset";
  static constexpr bool for_all_panes = true;
  static constexpr bool is_edit = false;
  static void fields(auto&, auto&) {}
  static void apply(SessionEditor& editor, const Reset& c);
};

}  // namespace rebound::session
