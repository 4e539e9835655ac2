#include "scene/constraints.hpp"

#include <algorithm>

#include "mesh/error.hpp"
#include "scene/wording.hpp"
#include "sim/registry.hpp"

namespace rebound::scene {
namespace {

template <class Info>
std::string those_that_keep(std::span<const Info> registry) {
  std::vector<std::string> ids;
  for (const Info& info : registry)
    if (info.keeps_constraints) ids.push_back('"' + std::string(info.id) + '"');
  return either(ids);
}

std::string place_of(std::size_t obstacle) { return "/obstacles/" + std::to_string(obstacle) + "/meets: "; }

}  // namespace

std::optional<std::string> constraint_fault(const Obstacle& obstacle, std::string_view integrator,
                                            std::string_view solver) {
  if (!obstacle.constraint) return {};
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

void check_constraints(std::span<const Obstacle> obstacles, std::string_view integrator, std::string_view solver) {
  for (std::size_t o = 0; o < obstacles.size(); ++o)
    if (const auto fault = constraint_fault(obstacles[o], integrator, solver)) throw InputError(place_of(o) + *fault);
}

void check_constraints(std::span<const Obstacle> obstacles, const sim::Model& model) {
  const auto constraint =
      std::find_if(obstacles.begin(), obstacles.end(), [](const Obstacle& o) { return o.constraint; });
  if (constraint == obstacles.end()) return;
  const bool vertices = std::all_of(model.colliders.begin(), model.colliders.end(),
                                    [](const sim::BodyPoint& point) { return point.weights[0] == 1; });
  if (!vertices)
    throw InputError(place_of(static_cast<std::size_t>(constraint - obstacles.begin())) +
                     "a constraint holds vertices, and a body here hangs in a lattice; leave out \"meets\", or give "
                     "the body tetrahedra of its own");
}

}  // namespace rebound::scene
