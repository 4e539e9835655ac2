#include "session/commands/method.hpp"

#include "scene/ranges.hpp"
#include "session/methods.hpp"
#include "session/session_editor.hpp"

namespace rebound::session {

// ---- integrator ----

std::unique_ptr<Preparation> Traits<SetIntegrator>::prepare(const Session& session, const SetIntegrator& set) {
  return Preparation::of_factors(session, set.id, session.step_size());
}
void Traits<SetIntegrator>::apply(SessionEditor& editor, const SetIntegrator& set) { editor.set_integrator(set.id); }
std::optional<Command> Traits<SetIntegrator>::inverse(const Session& session, const SetIntegrator&) {
  return SetIntegrator{session.description().integrator.type};
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

// ---- solver ----

std::unique_ptr<Preparation> Traits<SetSolver>::prepare(const Session& session, const SetSolver& set) {
  if (set.solver.iterations) scene::checked("solver.iterations", *set.solver.iterations, "iterations");
  if (set.solver.stabilizerIterations)
    scene::checked("solver.stabilizerIterations", *set.solver.stabilizerIterations, "stabilizerIterations");
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
