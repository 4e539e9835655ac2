#include "session/methods.hpp"

#include <string>

#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "scene/constraints.hpp"
#include "scene/identifiers.hpp"
#include "scene/material.hpp"
#include "scene/ranges.hpp"

namespace rebound::session {
namespace {

template <class Info>
const Info& known(const Info* info, const char* what, std::string_view id, std::span<const Info> registry) {
  if (info != nullptr) return *info;
  std::string ids;
  for (const Info& other : registry) ids += (ids.empty() ? "" : ", ") + std::string(other.id);
  throw InputError(std::string(what) + " '" + std::string(id) + "' is not known; one of: " + ids);
}

}  // namespace

const sim::IntegratorInfo& known_integrator(std::string_view id) {
  return known(sim::find_integrator(id), "integrator", id, sim::integrators());
}

const sim::SolverInfo& known_solver(const scene::Description& d) {
  const std::string& id = d.solver.type;
  const sim::SolverInfo& info = known(sim::find_solver(id), "solver", id, sim::solvers());
  for (std::size_t b = 0; b < d.bodies.size(); ++b)
    scene::check_material(d.bodies[b], id, d.place("/bodies/" + std::to_string(b)));
  scene::check_contact(d);
  scene::check_constraints(d, d.integrator.type, id);
  scene::check_hard_constraints(d, d.integrator.type, id);
  return info;
}

const sim::DampingInfo& known_damping(const scene::Damping& damping) {
  const sim::DampingInfo& info = known(sim::find_damping(damping.type), "damping", damping.type, sim::dampings());
  scene::checked(scene::damping_range(damping.type), damping.coefficient, "damping");
  scene::checked("damping.mass", damping.mass, "damping");
  return info;
}

std::vector<double> stiffness_factors(std::string_view integrator, double h) {
  std::vector<double> result;
  for (const sim::Scheme& scheme : known_integrator(integrator).schemes) result.push_back(scheme.stiffness_factor(h));
  return result;
}

}  // namespace rebound::session
