#include "scene/method_settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "scene/wording.hpp"
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

template <class Info, class Reads>
std::string those_that_read(std::span<const Info> registry, const Reads& reads) {
  std::vector<std::string> ids;
  for (const Info& info : registry)
    if (reads(info)) ids.push_back(in_quotes(info.id));
  return "; only " + either(ids) + (ids.size() == 1 ? " does" : " do");
}

// Of a description, what differs from one that says nothing and is not read.
class IdleSettings {
 public:
  explicit IdleSettings(const Description& d) : d_(d) {}

  template <class T>
  void integrator(const char* key, T Integrator::*member) {
    by_integrator("/integrator/" + std::string(key), d_.integrator.*member != usual_.integrator.*member);
  }
  /// The pointer ends with the key.
  void by_integrator(const std::string& pointer, bool is_said) {
    const std::string key = pointer.substr(pointer.rfind('/') + 1);
    const auto reads = [&](const sim::IntegratorInfo& info) { return info.reads(key); };
    if (!is_said || reads(*sim::find_integrator(d_.integrator.type))) return;
    add(pointer, "integrator " + in_quotes(d_.integrator.type), those_that_read(sim::integrators(), reads));
  }
  template <class T, class Reads>
  void solver(const char* key, T Solver::*member, const Reads& reads) {
    if (d_.solver.*member == usual_.solver.*member || reads(*sim::find_solver(d_.solver.type))) return;
    add("/solver/" + std::string(key), "solver " + in_quotes(d_.solver.type), those_that_read(sim::solvers(), reads));
  }
  template <class T>
  void contact(const char* key, T BodyContact::*member, const char* type) {
    if (d_.contact.*member == usual_.contact.*member || d_.contact.type == type) return;
    add("/contact/" + std::string(key), "contact of type " + in_quotes(d_.contact.type),
        "; only " + in_quotes(type) + " does");
  }
  void add(const std::string& pointer, const std::string& what, const std::string& instead) {
    add(pointer, what + " does not read it" + instead);
  }
  void add(const std::string& pointer, const std::string& why) {
    lines_.push_back(d_.place(pointer) + ": has no effect, as " + why);
  }

  std::vector<std::string> take() { return std::move(lines_); }

 private:
  const Description& d_;
  const Description usual_;
  std::vector<std::string> lines_;
};

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
  if (piece.foldTime) {
    wish.keep *= std::exp(-std::min(h, end - piece.from) / *piece.foldTime);
    wish.by_method_alone = *piece.foldTime < h;
  }
  return wish;
}

bool needs_rest(const std::vector<EnergyPiece>& energy) {
  return std::any_of(energy.begin(), energy.end(), [](const EnergyPiece& p) { return !p.target && !p.ground; });
}

std::vector<std::string> idle_settings(const Description& d) {
  IdleSettings idle(d);
  idle.integrator("tolerance", &Integrator::tolerance);
  idle.integrator("forwardBlend", &Integrator::forwardBlend);
  idle.integrator("unresolved", &Integrator::unresolved);
  idle.integrator("alphaMin", &Integrator::alphaMin);
  idle.integrator("alphaMax", &Integrator::alphaMax);
  idle.integrator("every", &Integrator::every);
  idle.integrator("base", &Integrator::base);
  idle.integrator("rho", &Integrator::rho);
  idle.integrator("modes", &Integrator::modes);
  using Info = sim::SolverInfo;
  idle.solver("acceleration", &Solver::acceleration, [](const Info& info) { return info.accelerates; });
  idle.solver("tolerance", &Solver::tolerance, [](const Info& info) { return info.goes_to_tolerance; });
  idle.solver("projection", &Solver::projection, [](const Info& info) { return info.projects; });
  idle.by_integrator("/solver/stabilizerIterations", d.solver.stabilizerIterations.has_value());
  idle.by_integrator("/energy", !d.energy.empty());
  idle.contact("cubicStiffness", &BodyContact::cubicStiffness, "cubic");
  idle.contact("distance", &BodyContact::distance, "barrier");
  idle.contact("slip", &BodyContact::slip, "barrier");
  idle.contact("frictionSolves", &BodyContact::frictionSolves, "barrier");
  for (std::size_t b = 0; b < d.bodies.size(); ++b)
    if (const Body& body = d.bodies[b], usual; !body.masses.empty() && body.material.density != usual.material.density)
      idle.add("/bodies/" + std::to_string(b) + "/material/density", "'masses' says what each vertex weighs");
  if (d.wind && d.wind->gusts > 0 && d.wind->velocity == Wind().velocity)
    idle.add("/wind/gusts", "the wind has no velocity, of which gusts are a share");
  for (std::size_t o = 0; o < d.obstacles.size(); ++o) {
    const Obstacle &obstacle = d.obstacles[o], usual;
    const std::string place = "/obstacles/" + std::to_string(o);
    if (obstacle.cubicStiffness != usual.cubicStiffness && !obstacle.is_cubic())
      idle.add(place + "/cubicStiffness", "an obstacle that meets by " + in_quotes(obstacle.meets),
               "; only one that meets by 'cubic' does");
    if (obstacle.stiffness != usual.stiffness && obstacle.meets != usual.meets && !d.contact.is_barrier())
      idle.add(place + "/stiffness", "an obstacle that meets by " + in_quotes(obstacle.meets),
               "; only one that meets by " + in_quotes(usual.meets) + " does");
    if (obstacle.stiffness != usual.stiffness && d.contact.is_barrier())
      idle.add(place + "/stiffness", "contact of type 'barrier'", "; its own is /contact/stiffness");
  }
  return idle.take();
}

}  // namespace rebound::scene
