// How bodies meet one another, themselves and obstacles: by springs, by energies of the third power, or by a barrier
// that nothing passes through.
#include <algorithm>
#include <array>

#include "app/panels/panels.hpp"
#include "app/plot_data.hpp"
#include "app/widgets.hpp"
#include "scene/build.hpp"
#include "sim/collide/contact_body.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

constexpr std::array kKinds = {"Springs", "Cubic", "Barrier"};
/// As scenes say it.
constexpr std::array kKindTypes = {"springs", "cubic", "barrier"};
constexpr std::array<std::string_view, 3> kPromises = {
    "Push out what has sunk in. Any solver, fast; hard impacts go through.",
    "Push out with the square of the depth, so that contacts come and go softly. Newton's solvers and gast.",
    "Nothing passes through anything. Newton's solvers alone, slower where many touch."};

/// What a barrier or cubic contacts cannot have is changed first, so that one click does.
void make_room(Desk& desk, bool sim::SolverInfo::*takes) {
  choose_newton_unless(desk, takes);
  const sim::IntegratorInfo* integrator = sim::find_integrator(desk.now().description.integrator.type);
  if (integrator == nullptr || integrator->schemes.empty())
    desk.requests.commands.push_back(session::SetIntegrator{std::string(sim::integrators().front().id), {}});
}

void kind_row(Desk& desk, scene::BodyContact& contact) {
  const int now = contact.is_barrier() ? 2 : contact.is_cubic() ? 1 : 0;
  row_label(desk, "They meet by", kPromises[static_cast<std::size_t>(now)]);
  if (const auto chosen = segmented(desk, "contact kind", kKinds, now); chosen && *chosen != now) {
    contact.type = kKindTypes[static_cast<std::size_t>(*chosen)];
    if (contact.is_barrier()) make_room(desk, &sim::SolverInfo::takes_barriers);
    if (contact.is_cubic()) make_room(desk, &sim::SolverInfo::takes_cubic_contacts);
  }
  muted_text(desk, std::string(kPromises[static_cast<std::size_t>(now)]));
}

void barrier_rows(Desk& desk, scene::BodyContact& contact) {
  const auto& seen = desk.now();
  const double distance = seen.contact_distance;
  // The model that is on show has no barrier yet.
  if (!(distance > 0)) return;
  if (const auto d = range_field(desk, "  begins at##barrier", "contact.distance", contact.distance.value_or(distance)))
    contact.distance = *d;
  if (seen.finest_edge > 0)
    muted_text(desk, "  " + with_unit(distance, "m", 3) + ": " + with_unit(100 * distance / seen.finest_edge, "%", 2) +
                         " of the finest body's edges");
  // Of a barrier that could not begin it is not known.
  if (const double firmness = contact.firmness.value_or(seen.contact_firmness); firmness > 0)
    if (const auto k = range_field(desk, "  stiffness##barrier", "contact.firmness", firmness)) contact.firmness = *k;
  if (const auto v = range_field(desk, "  creeps up to##barrier", "contact.slip", contact.slip)) contact.slip = *v;
  if (const auto n =
          range_field(desk, "  solves for friction##barrier", "contact.frictionSolves", contact.frictionSolves))
    contact.frictionSolves = static_cast<int>(*n);
}

void constraints_row(Desk& desk) {
  const auto& seen = desk.now();
  if (seen.constraints == 0) return;
  double force = 0;
  for (const auto& held : seen.held) force = std::max(force, held.force);
  muted_text(desk, std::to_string(seen.constraints) + (seen.constraints == 1 ? " rod or wire" : " rods and wires") +
                       " hold with at most " + with_unit(force, "N", 3) + ", to " +
                       with_unit(seen.record.constraint_drift, "m", 2) + ".");
}

void state_row(Desk& desk) {
  const auto& seen = desk.now();
  const auto& obstacles = seen.description.obstacles;
  const bool holds_unseen =
      std::any_of(obstacles.begin(), obstacles.end(), [](const auto& o) { return o.is_constraint(); });
  if (holds_unseen) muted_text(desk, "What obstacles that are constraints hold is not counted here.");
  if (seen.contacts.empty()) {
    if (!holds_unseen) muted_text(desk, "Nothing touches now.");
    return;
  }
  double force = 0;
  for (const auto& contact : seen.contacts) force = std::max(force, contact.force);
  std::string text = std::to_string(seen.contacts.size()) + (seen.contacts.size() == 1 ? " place" : " places") +
                     " in contact, at most " + with_unit(force, "N", 3);
  if (seen.smallest_gap > 0) text += ", smallest gap " + with_unit(seen.smallest_gap, "m", 3);
  muted_text(desk, text + ".");
}

}  // namespace

void choose_newton_unless(Desk& desk, bool sim::SolverInfo::*can) {
  const scene::Solver& now = desk.now().description.solver;
  const sim::SolverInfo* solver = sim::find_solver(now.type);
  if (solver != nullptr && solver->*can) return;
  scene::Solver other = now;
  other.type = "newton";
  other.iterations.reset();
  other.iterationsByNeed = false;
  desk.requests.commands.push_back(session::SetSolver{other});
}

void contacts_panel(Desk& desk) {
  if (!begin_section(desk, "Contacts")) return;
  const scene::BodyContact before = desk.now().description.contact;
  scene::BodyContact contact = before;
  const bool many = desk.now().description.bodies.size() > 1;
  kind_row(desk, contact);
  if (many) {
    row_label(desk, "Bodies meet", "Different bodies push each other away");
    ImGui::Checkbox("##bodies meet", &contact.bodies);
  }
  row_label(desk, "Meets itself", "Limbs and folds push each other away; all of a body is searched in every step");
  ImGui::Checkbox("##meets itself", &contact.self);
  const bool meets = contact.is_barrier() || contact.self || (contact.bodies && many);
  if (contact.is_barrier()) {
    barrier_rows(desk, contact);
  } else if (meets && contact.is_cubic()) {
    if (const auto k = range_field(desk, "  stiffness##cubic", "contact.cubicStiffness", before.cubicStiffness))
      contact.cubicStiffness = *k;
  } else if (meets) {
    if (const auto k = range_field(desk, "  stiffness##contact", "contact.stiffness", before.stiffness))
      contact.stiffness = *k;
  }
  if (meets) {
    if (const auto k = range_field(desk, "  friction##contact", "contact.friction", before.friction))
      contact.friction = *k;
  }
  state_row(desk);
  constraints_row(desk);
  if (desk.now().crossing) {
    if (ImGui::Button("Push apart")) desk.requests.commands.push_back(session::PushApart{});
    tooltip(desk, "Moves what passes through something to where it does not");
  }
  if (!(contact == before)) desk.requests.commands.push_back(session::SetContact{contact});
  end_section(desk);
}

}  // namespace rebound::app
