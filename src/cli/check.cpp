// `rebound check`: would this scene run, and what would be simulated?
#include <cstdio>
#include <string>

#include "cli/options.hpp"
#include "mesh/geometry.hpp"
#include "mesh/solidify.hpp"
#include "scene/method_settings.hpp"
#include "scene/wording.hpp"
#include "session/session.hpp"
#include "sim/registry.hpp"

namespace rebound::cli {
namespace {

void print_body(std::size_t number, const std::string& name, const scene::BodyGeometry& geometry) {
  if (geometry.is_affine()) {
    std::printf(
        "body %zu '%s': affine, carried by 4 vertices; %.4g m^3, %d vertices in its mesh, %zu surface triangles\n",
        number, name.c_str(), geometry.fill[0] * mesh::tet_volume(geometry.rest, {0, 1, 2, 3}),
        geometry.numbered_vertices(), geometry.surface.triangles.size());
    return;
  }
  const double unevenness = mesh::unevenness(geometry.rest, geometry.tetrahedra());  // 0 without any
  std::printf("body %zu '%s': %d vertices, %zu tetrahedra", number, name.c_str(), geometry.vertices(),
              geometry.tetrahedra().size());
  if (unevenness > 0) std::printf(" (the stiffest %.3g times the median)", unevenness);
  if (!geometry.triangles().empty()) std::printf(", %zu triangles", geometry.triangles().size());
  std::printf(", %zu springs, %zu surface triangles\n", geometry.edges().size(), geometry.surface.triangles.size());
  if (unevenness <= mesh::kMostUneven) return;
  std::printf(
      "warning: body '%s' has slivers: its stiffest tetrahedron is %.3g times as stiff as the median one, where "
      "%g is well; solves converge slowly, so even out its mesh, or fill its surface by the lattice method\n",
      name.c_str(), unevenness, mesh::kMostUneven);
}

std::string how_it_meets(const scene::Description& d, const scene::Obstacle& obstacle) {
  if (d.contact.is_barrier()) return "behind the barrier";
  if (obstacle.is_constraint()) return "a constraint that nothing sinks into";
  return obstacle.is_cubic() ? scene::number_text(obstacle.cubicStiffness) + " N/m^2 a point, cubic"
                             : scene::number_text(obstacle.stiffness) + " N/m a point";
}

int check(const SceneOptions& options) {
  session::Session session(scene::load_world(options.open_scene()), options.thread_count());
  const scene::Description& d = session.description();
  for (const auto& body : session.world().bodies)
    for (const auto& note : body.notes) std::printf("note: %s\n", note.c_str());
  for (const std::string& line : scene::idle_settings(d)) std::printf("note: %s\n", line.c_str());
  for (const std::string& line : scene::empty_selections(session.world())) std::printf("note: %s\n", line.c_str());
  for (std::size_t b = 0; b < d.bodies.size(); ++b) print_body(b, d.bodies[b].name, session.world().bodies[b]);
  for (std::size_t o = 0; o < d.obstacles.size(); ++o) {
    const scene::Obstacle& obstacle = d.obstacles[o];
    std::printf("obstacle %zu '%s': %s, %s, friction %g%s\n", o, obstacle.name.c_str(),
                scene::kObstacleShapes[obstacle.shape.index()], how_it_meets(d, obstacle).c_str(), obstacle.friction,
                obstacle.motion.empty() ? "" : ", moving");
  }
  if (const auto& barrier = session.model().body_contact.barrier)
    std::printf("contact: a barrier keeps %s%s %.3g mm apart, friction %g, creep below %g m/s\n",
                d.contact.bodies ? "bodies and obstacles" : "bodies from obstacles",
                d.contact.self ? ", and parts of a body," : "", 1e3 * barrier->distance, d.contact.friction,
                barrier->slip);
  else if (scene::bodies_may_meet(d))
    std::printf("contact: bodies meet %s, %g %s a point, friction %g\n",
                !d.contact.self                           ? "one another"
                : d.contact.bodies && d.bodies.size() > 1 ? "one another and themselves"
                                                          : "themselves",
                d.contact.is_cubic() ? d.contact.cubicStiffness : d.contact.stiffness,
                d.contact.is_cubic() ? "N/m^2" : "N/m", d.contact.friction);
  // One step factors the matrices that this integrator needs.
  const bool steps = session.step();
  const auto facts = scene::facts(session.world(), session.model());
  const double factor_megabytes = session.factor_nonzeros() * 12 / 1e6;
  const std::string triangles = facts.triangles > 0 ? std::to_string(facts.triangles) + " triangles, " : "";
  std::printf("total: %d vertices, %d tetrahedra, %s%d springs, %.4g kg\n", facts.vertices, facts.tetrahedra,
              triangles.c_str(), facts.springs, facts.mass);
  const bool solves = !sim::find_integrator(d.integrator.type)->schemes.empty();
  const std::string by = d.solver.type + ", " + std::to_string(scene::solver_settings(d).iterations) + " iterations, ";
  std::printf("method: %s, %stime step %g s, h^2 k/m = %.3g\n", d.integrator.type.c_str(), solves ? by.c_str() : "",
              d.timeStep, session.stiffness_number());
  std::printf("memory: about %.1f MB for the bodies, %.1f MB for the factors (%.0f non-zeros)\n", facts.model_megabytes,
              factor_megabytes, session.factor_nonzeros());
  if (!session.warning().empty()) std::printf("warning: %s\n", session.warning().c_str());
  if (!steps) {
    std::fprintf(stderr, "rebound: %s: %s\n", options.scene.c_str(), session.failure().c_str());
    return failed_status(session);
  }
  std::printf("ok\n");
  return kDone;
}

}  // namespace

void add_check(Program& program) {
  Command command = program.subcommand("check", "Check a scene and its meshes, and say what would be simulated");
  auto options = std::make_shared<SceneOptions>();
  options->add_to(command);
  command.action([options] { return check(*options); });
}

}  // namespace rebound::cli
