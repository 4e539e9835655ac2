#include "session/commands/world.hpp"

#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "scene/ranges.hpp"
#include "session/session_editor.hpp"

namespace rebound::session {

// ---- material ----

std::unique_ptr<Preparation> Traits<SetMaterial>::prepare(const Session& session, const SetMaterial& set) {
  require_body(session, set.body);
  check_solver(set.solver);
  scene::Description d = session.description();
  describe(set, d);
  return Preparation::of_elements(session, std::move(d));
}
std::optional<Command> Traits<SetMaterial>::inverse(const Session& session, const SetMaterial& set) {
  const scene::Description& now = session.description();
  SetMaterial back{set.body, now.bodies.at(static_cast<std::size_t>(set.body)).material};
  if (!set.solver.type.empty()) back.solver = now.solver;
  return back;
}
void Traits<SetMaterial>::describe(const SetMaterial& set, scene::Description& d) {
  const auto body = static_cast<std::size_t>(set.body);
  if (body >= d.bodies.size()) return;
  d.bodies[body].material = set.material;
  if (!set.solver.type.empty()) d.solver = set.solver;
}

std::unique_ptr<Preparation> Traits<SetRegions>::prepare(const Session& session, const SetRegions& set) {
  require_body(session, set.body);
  const scene::BodyGeometry& geometry = session.world().bodies[static_cast<std::size_t>(set.body)];
  if (!set.regions.empty() && (!geometry.is_solid() || geometry.is_affine()))
    throw InputError("/bodies/" + std::to_string(set.body) + "/regions: only soft bodies of tetrahedra have regions");
  scene::Description d = session.description();
  describe(set, d);
  return Preparation::of_elements(session, std::move(d));
}
std::optional<Command> Traits<SetRegions>::inverse(const Session& session, const SetRegions& set) {
  return SetRegions{set.body, session.description().bodies.at(static_cast<std::size_t>(set.body)).regions};
}
void Traits<SetRegions>::describe(const SetRegions& set, scene::Description& d) {
  const auto body = static_cast<std::size_t>(set.body);
  if (body < d.bodies.size()) d.bodies[body].regions = set.regions;
}

// ---- gravity ----

std::unique_ptr<Preparation> Traits<SetGravity>::prepare(const Session&, const SetGravity& set) {
  for (int c = 0; c < 3; ++c) scene::checked("gravity", set.g[c], "gravity");
  return nullptr;
}
void Traits<SetGravity>::apply(SessionEditor& editor, const SetGravity& set) { editor.set_gravity(set.g); }
std::optional<Command> Traits<SetGravity>::inverse(const Session& session, const SetGravity&) {
  return SetGravity{scene::to_eigen(session.description().gravity)};
}

// ---- wind ----

std::unique_ptr<Preparation> Traits<SetWind>::prepare(const Session&, const SetWind& set) {
  for (const double component : set.wind.velocity) scene::checked("wind.velocity", component, "wind");
  scene::checked("wind.gusts", set.wind.gusts, "gusts");
  scene::checked("wind.density", set.wind.density, "density");
  return nullptr;
}
std::optional<Command> Traits<SetWind>::inverse(const Session& session, const SetWind&) {
  return SetWind{session.description().wind.value_or(scene::Wind())};
}

// ---- contact ----

std::unique_ptr<Preparation> Traits<SetContact>::prepare(const Session& session, const SetContact& set) {
  scene::checked("contact.stiffness", set.contact.stiffness, "stiffness");
  scene::checked("contact.cubicStiffness", set.contact.cubicStiffness, "stiffness of cubic contacts");
  scene::checked("contact.friction", set.contact.friction, "friction");
  if (set.contact.thickness) scene::checked("contact.thickness", *set.contact.thickness, "thickness");
  if (set.contact.distance) scene::checked("contact.distance", *set.contact.distance, "distance");
  if (set.contact.firmness) scene::checked("contact.firmness", *set.contact.firmness, "contact stiffness");
  scene::checked("contact.slip", set.contact.slip, "slip");
  scene::checked("contact.frictionSolves", set.contact.frictionSolves, "solves for friction");
  scene::Description d = session.description();
  describe(set, d);
  scene::check_contact(d);
  if (!scene::bodies_may_meet(d) || !session.model().contact_bodies.empty()) return nullptr;
  return Preparation::of_meeting(session);
}
void Traits<SetContact>::apply(SessionEditor& editor, const SetContact&) { editor.contact_law_changes(); }
std::optional<Command> Traits<SetContact>::inverse(const Session& session, const SetContact&) {
  return SetContact{session.description().contact};
}

// ---- places ----

std::unique_ptr<Preparation> Traits<PushApart>::prepare(const Session& session, const PushApart&) {
  if (session.model().contact_bodies.empty())
    throw InputError("nothing here has a surface that could pass through another");
  return nullptr;
}
void Traits<PushApart>::apply(SessionEditor& editor, const PushApart&) { editor.push_apart(); }

void Traits<Reset>::apply(SessionEditor& editor, const Reset&) { editor.restart(); }

}  // namespace rebound::session
