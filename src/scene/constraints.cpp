#include "scene/constraints.hpp"

#include <algorithm>

#include "mesh/error.hpp"
#include "scene/build_constraints.hpp"
#include "scene/wording.hpp"
#include "sim/registry.hpp"

namespace rebound::scene {
namespace {

template <class Info, class Keeps>
std::string those_that(std::span<const Info> registry, const Keeps& keeps) {
  std::vector<std::string> ids;
  for (const Info& info : registry)
    if (keeps(info)) ids.push_back('"' + std::string(info.id) + '"');
  return either(ids);
}

template <class Info>
std::string those_that_keep(std::span<const Info> registry, bool Info::*keeps = &Info::keeps_constraints) {
  return those_that(registry, [keeps](const Info& info) { return info.*keeps; });
}

std::string place_of(const Description& description, std::size_t obstacle) {
  return description.place("/obstacles/" + std::to_string(obstacle) + "/meets: ");
}

}  // namespace

std::optional<std::string> cubic_fault(std::string_view integrator, std::string_view solver) {
  const sim::SolverInfo* solves = sim::find_solver(solver);
  if (solves != nullptr && !solves->takes_cubic_contacts)
    return "solver '" + std::string(solver) + "' takes no contacts that are cubic; set /solver/type to " +
           those_that_keep(sim::solvers(), &sim::SolverInfo::takes_cubic_contacts);
  const auto solves_for_places = [](const sim::IntegratorInfo& info) { return !info.schemes.empty(); };
  const sim::IntegratorInfo* steps = sim::find_integrator(integrator);
  if (steps != nullptr && !solves_for_places(*steps))
    return "integrator '" + std::string(integrator) + "' takes no contacts that are cubic; set /integrator/type to " +
           those_that(sim::integrators(), solves_for_places);
  return {};
}

std::optional<std::string> constraint_fault(const Obstacle& obstacle, std::string_view integrator,
                                            std::string_view solver) {
  if (obstacle.is_cubic()) {
    const auto fault = cubic_fault(integrator, solver);
    return fault ? std::optional(*fault + ", or leave out \"meets\"") : fault;
  }
  if (!obstacle.is_constraint()) return {};
  if (std::holds_alternative<MeshShape>(obstacle.shape))
    return "a mesh is no constraint, as its distance has kinks everywhere; leave out \"meets\", or take another shape";
  const sim::SolverInfo* solves = sim::find_solver(solver);
  if (solves != nullptr && !solves->keeps_constraints)
    return "solver '" + std::string(solver) + "' keeps no constraints; set /solver/type to " +
           those_that_keep(sim::solvers()) + ", or leave out \"meets\"";
  const sim::IntegratorInfo* steps = sim::find_integrator(integrator);
  if (steps != nullptr && !steps->keeps_constraints)
    return "integrator '" + std::string(integrator) + "' keeps no constraints; set /integrator/type to " +
           those_that_keep(sim::integrators()) + ", or leave out \"meets\"";
  return {};
}

void check_constraints(const Description& description, std::string_view integrator, std::string_view solver) {
  for (std::size_t o = 0; o < description.obstacles.size(); ++o)
    if (const auto fault = constraint_fault(description.obstacles[o], integrator, solver))
      throw InputError(place_of(description, o) + *fault);
}

void check_constraints(const Description& description, const sim::Model& model) {
  const std::vector<Obstacle>& obstacles = description.obstacles;
  const auto constraint =
      std::find_if(obstacles.begin(), obstacles.end(), [](const Obstacle& o) { return o.is_constraint(); });
  if (constraint == obstacles.end()) return;
  const bool vertices = std::all_of(model.colliders.begin(), model.colliders.end(),
                                    [](const sim::BodyPoint& point) { return point.weights[0] == 1; });
  if (!vertices)
    throw InputError(place_of(description, static_cast<std::size_t>(constraint - obstacles.begin())) +
                     "a constraint holds vertices, and a body here hangs in a lattice; leave out \"meets\", or give "
                     "the body tetrahedra of its own");
}

std::optional<std::string> hard_constraint_fault(const Description& description, std::string_view integrator,
                                                 std::string_view solver) {
  if (!has_constraints(description)) return {};
  const sim::SolverInfo* solves = sim::find_solver(solver);
  if (solves != nullptr && !solves->keeps_hard_constraints)
    return "rods and wires are not kept by solver '" + std::string(solver) + "'; set /solver/type to " +
           those_that_keep(sim::solvers(), &sim::SolverInfo::keeps_hard_constraints) + ", or leave out \"constraints\"";
  const sim::IntegratorInfo* steps = sim::find_integrator(integrator);
  if (steps != nullptr && !steps->keeps_hard_constraints)
    return "rods and wires are not kept by integrator '" + std::string(integrator) + "'; set /integrator/type to " +
           those_that_keep(sim::integrators(), &sim::IntegratorInfo::keeps_hard_constraints) +
           ", or leave out \"constraints\"";
  if (description.contact.is_barrier())
    return "rods and wires do not go with a barrier yet; set /contact/type to \"springs\", or leave out "
           "\"constraints\"";
  if (description.contact.is_cubic())
    return "rods and wires do not go with contacts that are cubic yet; set /contact/type to \"springs\", or leave out "
           "\"constraints\"";
  for (const Obstacle& obstacle : description.obstacles) {
    if (obstacle.is_constraint())
      return "rods and wires do not go with obstacles that are constraints; leave out \"meets\" or \"constraints\"";
    if (obstacle.is_cubic())
      return "rods and wires do not go with obstacles that are cubic yet; leave out \"meets\" or \"constraints\"";
  }
  return {};
}

void check_hard_constraints(const Description& description, std::string_view integrator, std::string_view solver) {
  if (const auto fault = hard_constraint_fault(description, integrator, solver))
    throw InputError(description.place("/bodies: ") + *fault);
}

}  // namespace rebound::scene
