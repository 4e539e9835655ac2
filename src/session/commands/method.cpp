#include "session/commands/method.hpp"

#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "scene/method_settings.hpp"
#include "scene/part_text.hpp"
#include "scene/ranges.hpp"
#include "session/methods.hpp"
#include "session/session_editor.hpp"

namespace rebound::session {

// ---- integrator ----

std::unique_ptr<Preparation> Traits<SetIntegrator>::prepare(const Session& session, const SetIntegrator& set) {
  scene::Description d = session.description();
  d.integrator.type = known_integrator(set.id).id;
  scene::check_contact(d);
  return Preparation::of_factors(session, set.id, session.step_size());
}
void Traits<SetIntegrator>::apply(SessionEditor& editor, const SetIntegrator& set) {
  if (set.rebase) *set.rebase ? editor.rebase_target() : editor.restore_target();
  editor.set_integrator(set.id);
}
std::optional<Command> Traits<SetIntegrator>::inverse(const Session& session, const SetIntegrator& set) {
  std::optional<bool> back;
  if (set.rebase && (*set.rebase ? session.left_at_a_switch() : session.record().left) != 0) back = !*set.rebase;
  return SetIntegrator{session.description().integrator.type, back};
}

std::unique_ptr<Preparation> Traits<SetBlend>::prepare(const Session&, const SetBlend& set) {
  scene::checked("integrator.tolerance", set.tolerance, "tolerance");
  return nullptr;
}
std::optional<Command> Traits<SetBlend>::inverse(const Session& session, const SetBlend&) {
  const scene::Integrator& now = session.description().integrator;
  return SetBlend{now.tolerance, now.forwardBlend};
}

std::optional<Command> Traits<SetUnresolved>::inverse(const Session& session, const SetUnresolved&) {
  return SetUnresolved{session.description().integrator.unresolved};
}

std::unique_ptr<Preparation> Traits<SetAlpha>::prepare(const Session&, const SetAlpha& set) {
  scene::checked("integrator.alphaMin", set.min, "alphaMin");
  scene::checked("integrator.alphaMax", set.max, "alphaMax");
  scene::checked("integrator.every", set.every, "every");
  if (set.min > set.max) throw InputError("alphaMin is above alphaMax; the search goes from alphaMin to alphaMax");
  return nullptr;
}
std::optional<Command> Traits<SetAlpha>::inverse(const Session& session, const SetAlpha&) {
  const scene::Integrator& now = session.description().integrator;
  return SetAlpha{now.alphaMin, now.alphaMax, now.every, now.base};
}
void Traits<SetAlpha>::describe(const SetAlpha& set, scene::Description& d) {
  d.integrator.alphaMin = set.min;
  d.integrator.alphaMax = set.max;
  d.integrator.every = set.every;
  d.integrator.base = set.base;
}

std::unique_ptr<Preparation> Traits<SetRho>::prepare(const Session&, const SetRho& set) {
  scene::checked("integrator.rho", set.rho, "rho");
  return nullptr;
}
std::optional<Command> Traits<SetRho>::inverse(const Session& session, const SetRho&) {
  return SetRho{session.description().integrator.rho};
}

std::unique_ptr<Preparation> Traits<SetModes>::prepare(const Session&, const SetModes& set) {
  scene::checked("integrator.modes", set.modes, "modes");
  return nullptr;
}
std::optional<Command> Traits<SetModes>::inverse(const Session& session, const SetModes&) {
  return SetModes{session.description().integrator.modes};
}

// ---- wished energy ----

std::unique_ptr<Preparation> Traits<SetEnergy>::prepare(const Session& session, const SetEnergy& set) {
  scene::check_energy(set.pieces);
  return scene::needs_rest(set.pieces) ? Preparation::of_rest(session) : nullptr;
}
std::optional<Command> Traits<SetEnergy>::inverse(const Session& session, const SetEnergy&) {
  return SetEnergy{session.description().energy};
}

// ---- solver ----

void check_solver(const scene::Solver& solver) {
  if (solver.iterations) scene::checked("solver.iterations", *solver.iterations, "iterations");
  if (solver.stabilizerIterations)
    scene::checked("solver.stabilizerIterations", *solver.stabilizerIterations, "stabilizerIterations");
  if (solver.tolerance) scene::checked("solver.tolerance", *solver.tolerance, "tolerance");
}

std::unique_ptr<Preparation> Traits<SetSolver>::prepare(const Session& session, const SetSolver& set) {
  check_solver(set.solver);
  if (set.solver.type == session.description().solver.type) return nullptr;
  scene::Description d = session.description();
  describe(set, d);
  return Preparation::of_solver(session, std::move(d));
}
std::optional<Command> Traits<SetSolver>::inverse(const Session& session, const SetSolver&) {
  return SetSolver{session.description().solver};
}

// ---- time step ----

std::unique_ptr<Preparation> Traits<SetTimeStep>::prepare(const Session& session, const SetTimeStep& set) {
  const scene::Description& d = session.description();
  const double h = scene::checked("timeStep", set.h, "time step") / d.substeps;
  check_conditioning(h, session.stiffest());
  return Preparation::of_factors(session, d.integrator.type, h);
}
void Traits<SetTimeStep>::apply(SessionEditor& editor, const SetTimeStep&) {
  editor.count_time_from_here();
  editor.forget_state_before();
}
std::optional<Command> Traits<SetTimeStep>::inverse(const Session& session, const SetTimeStep&) {
  return SetTimeStep{session.description().timeStep};
}

std::unique_ptr<Preparation> Traits<SetSubsteps>::prepare(const Session& session, const SetSubsteps& set) {
  const scene::Description& d = session.description();
  const double substeps = scene::checked("substeps", set.substeps, "substeps");
  return Preparation::of_factors(session, d.integrator.type, d.timeStep / substeps);
}
void Traits<SetSubsteps>::apply(SessionEditor& editor, const SetSubsteps&) { editor.forget_state_before(); }
std::optional<Command> Traits<SetSubsteps>::inverse(const Session& session, const SetSubsteps&) {
  return SetSubsteps{session.description().substeps};
}

// ---- damping ----

std::unique_ptr<Preparation> Traits<SetDamping>::prepare(const Session&, const SetDamping& set) {
  (void)known_damping(set.damping);
  return nullptr;
}
void Traits<SetDamping>::apply(SessionEditor& editor, const SetDamping& set) { editor.set_damping(set.damping); }
std::optional<Command> Traits<SetDamping>::inverse(const Session& session, const SetDamping&) {
  return SetDamping{session.description().damping};
}

}  // namespace rebound::session
