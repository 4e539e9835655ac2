#include "scene/method_settings.hpp"

#include "sim/registry.hpp"

namespace rebound::scene {
namespace {

sim::Unresolved unresolved(const std::string& name) {
  if (name == "heat") return sim::Unresolved::heat;
  return name == "held" ? sim::Unresolved::held : sim::Unresolved::moving;
}

}  // namespace

sim::SolverSettings solver_settings(const Description& d) {
  const sim::SolverInfo* solver = sim::find_solver(d.solver.type);
  const sim::IntegratorInfo* integrator = sim::find_integrator(d.integrator.type);
  if (solver == nullptr || integrator == nullptr) return {};
  sim::IntegratorInfo wanted = *integrator;
  wanted.by_need = !d.solver.iterations && (d.solver.iterationsByNeed || wanted.by_need);
  wanted.accelerated = d.solver.acceleration.value_or(wanted.accelerated);
  sim::SolverSettings settings = solver->settings(wanted);
  if (d.solver.iterations) settings.iterations = *d.solver.iterations;
  settings.stabilizer_iterations = d.solver.stabilizerIterations;
  return settings;
}

sim::StepSettings step_settings(const Description& d) {
  sim::StepSettings settings{solver_settings(d),
                             {d.integrator.tolerance, d.integrator.forwardBlend},
                             unresolved(d.integrator.unresolved),
                             d.damping.coefficient,
                             {}};
  if (d.damping.per == "frame") settings.frames_per_step = 1.0 / d.substeps;
  return settings;
}

}  // namespace rebound::scene
