#include "scene/method_settings.hpp"

#include <algorithm>
#include <cmath>

#include "sim/registry.hpp"

namespace rebound::scene {
namespace {

sim::Unresolved unresolved(const std::string& name) {
  if (name == "heat") return sim::Unresolved::heat;
  return name == "held" ? sim::Unresolved::held : sim::Unresolved::moving;
}

sim::Projection projection(const std::string& name) {
  const auto found = std::find(sim::kProjections.begin(), sim::kProjections.end(), name);
  return static_cast<sim::Projection>(found - sim::kProjections.begin());
}

}  // namespace

sim::SolverSettings solver_settings(const Description& d) {
  const sim::SolverInfo* solver = sim::find_solver(d.solver.type);
  const sim::IntegratorInfo* integrator = sim::find_integrator(d.integrator.type);
  if (solver == nullptr || integrator == nullptr) return {};
  sim::IntegratorInfo wanted = *integrator;
  if (d.solver.iterations)
    wanted.ending = sim::Ending::after_all;
  else if (d.solver.iterationsByNeed && wanted.ending == sim::Ending::after_all)
    wanted.ending = sim::Ending::by_need;
  wanted.accelerated = d.solver.acceleration.value_or(wanted.accelerated);
  sim::SolverSettings settings = solver->settings(wanted);
  if (d.solver.iterations) settings.iterations = *d.solver.iterations;
  // Under a barrier 1e-3 m/s is what an eye does not see; the last digits of forces that grow without bound are dear.
  constexpr double kBarrierTolerance = 1e-3;
  settings.tolerance = d.solver.tolerance.value_or(d.contact.is_barrier() ? kBarrierTolerance : settings.tolerance);
  settings.projection = projection(d.solver.projection);
  settings.stabilizer_iterations = d.solver.stabilizerIterations;
  return settings;
}

sim::StepSettings step_settings(const Description& d) {
  sim::StepSettings settings{
      solver_settings(d),
      {d.integrator.tolerance, d.integrator.forwardBlend},
      unresolved(d.integrator.unresolved),
      {d.integrator.alphaMin, d.integrator.alphaMax, d.integrator.every, d.integrator.base == "sdirk2"},
      d.integrator.rho,
      d.integrator.modes,
      {},
      {d.damping.coefficient, d.damping.mass},
      {}};
  if (d.damping.per == "frame") settings.frames_per_step = 1.0 / d.substeps;
  return settings;
}

// A piece whose moment is within the step begins with it. Moments of steps are sums and miss by rounding: a moment that
// is the end of one and the beginning of the next must be within one of them.
sim::Wish wish(const std::vector<EnergyPiece>& energy, double t, double h, double rest) {
  const double rounding = 1e-3 * h, end = t + h;
  const auto is_later = [&](const EnergyPiece& p) { return p.from >= end - rounding; };
  const auto after = std::find_if(energy.begin(), energy.end(), is_later);
  if (after == energy.begin()) return {};
  const EnergyPiece& piece = *(after - 1);
  const bool begins = piece.from >= t - rounding;
  if (piece.target) {
    if (after == energy.end() || !after->target) return begins ? sim::Wish{*piece.target, 0} : sim::Wish{};
    const double share = (end - piece.from) / (after->from - piece.from);
    return {*piece.target + share * (*after->target - *piece.target), 0};
  }
  sim::Wish wish{piece.ground.value_or(rest), begins ? piece.factor : 1};
  if (piece.foldTime) wish.keep *= std::exp(-std::min(h, end - piece.from) / *piece.foldTime);
  return wish;
}

bool needs_rest(const std::vector<EnergyPiece>& energy) {
  return std::any_of(energy.begin(), energy.end(), [](const EnergyPiece& p) { return !p.target && !p.ground; });
}

}  // namespace rebound::scene
