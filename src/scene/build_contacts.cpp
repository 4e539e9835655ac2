// What bodies need to meet one another, and themselves.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/error.hpp"
#include "scene/affine_geometry.hpp"
#include "scene/build.hpp"
#include "scene/constraints.hpp"
#include "scene/wording.hpp"
#include "sim/collide/contact_body.hpp"
#include "sim/registry.hpp"

namespace rebound::scene {
namespace {

// Of the mean length of the finest body's edges.
constexpr double kUsualDistance = 0.1;

}  // namespace

bool bodies_may_meet(const Description& description) {
  const BodyContact& contact = description.contact;
  return contact.is_barrier() || contact.self || (contact.bodies && description.bodies.size() > 1);
}

std::shared_ptr<const sim::ContactBody> contact_body(const BodyGeometry& geometry) {
  const auto tets = geometry.tetrahedra();
  sim::BodyShape shape{geometry.rest, {tets.begin(), tets.end()}, geometry.fill, {}, geometry.surface.triangles, {}};
  if (shape.faces.empty()) shape.edges.assign(geometry.edges().begin(), geometry.edges().end());
  if (geometry.is_affine()) {
    shape.fill = {0};  // what is in the tet may be outside of the surface
    shape.cage = affine_cage(geometry);
  }
  for (std::size_t i = 0; i < geometry.embedding.vertices.size(); ++i)
    shape.corners.push_back({geometry.embedding.vertices[i], geometry.embedding.weights[i]});
  return std::make_shared<const sim::ContactBody>(std::move(shape));
}

sim::BodyContactLaw contact_law(const BodyContact& contact,
                                const std::vector<std::shared_ptr<const sim::ContactBody>>& bodies) {
  sim::BodyContactLaw law{contact.bodies, contact.self, contact.stiffness, contact.friction,
                          contact.thickness.value_or(0)};
  if (contact.is_cubic()) law.cubic = contact.cubicStiffness;
  if (!contact.is_barrier()) return law;
  double finest = std::numeric_limits<double>::infinity();
  for (const auto& body : bodies)
    if (body->edge() > 0) finest = std::min(finest, body->edge());
  const double usual = std::isfinite(finest) ? kUsualDistance * finest : sim::BarrierLaw().distance;
  law.barrier =
      sim::BarrierLaw{contact.distance.value_or(usual), contact.firmness, contact.slip, contact.frictionSolves};
  return law;
}

void check_contact(const Description& description) {
  check_hard_constraints(description, description.integrator.type, description.solver.type);
  const std::string place = description.place("/contact/type: ");
  if (description.contact.is_cubic())
    if (const auto fault = cubic_fault(description.integrator.type, description.solver.type))
      throw InputError(place + *fault + ", or use \"springs\"");
  if (!description.contact.is_barrier()) return;
  const auto named = [](const auto& all, const auto& takes) {
    std::vector<std::string> ids;
    for (const auto& info : all)
      if (takes(info)) ids.push_back("\"" + std::string(info.id) + "\"");
    return either(ids);
  };
  for (std::size_t o = 0; o < description.obstacles.size(); ++o)
    if (const std::string& meets = description.obstacles[o].meets; meets != kObstacleMeets[0])
      throw InputError(place + "a barrier meets obstacles by itself, and /obstacles/" + std::to_string(o) +
                       "/meets is \"" + meets + "\"; leave that out, or use \"springs\"");
  const sim::SolverInfo* solver = sim::find_solver(description.solver.type);
  const auto by_solver = [](const sim::SolverInfo& info) { return info.takes_barriers; };
  if (solver != nullptr && !by_solver(*solver))
    throw InputError(place + "solver \"" + description.solver.type +
                     "\" does not take a barrier; set /solver/type to " + named(sim::solvers(), by_solver) +
                     ", or use \"springs\"");
  const sim::IntegratorInfo* integrator = sim::find_integrator(description.integrator.type);
  const auto by_integrator = [](const sim::IntegratorInfo& info) { return !info.schemes.empty(); };
  if (integrator != nullptr && !by_integrator(*integrator))
    throw InputError(place + "integrator \"" + description.integrator.type +
                     "\" solves for no position that a barrier could bound; set /integrator/type to " +
                     named(sim::integrators(), by_integrator) + ", or use \"springs\"");
}

}  // namespace rebound::scene
