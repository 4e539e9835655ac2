#include "motion/measure.hpp"

#include <cmath>
#include <cstdio>

#include "mesh/error.hpp"
#include "motion/kept.hpp"
#include "scene/ranges.hpp"

namespace rebound::motion {
namespace {

scene::World with(const scene::World& world, const Reference& reference) {
  scene::World changed = world;
  scene::Description& d = changed.description;
  d.integrator.type = reference.integrator;
  d.substeps *= reference.substeps;
  d.solver.iterations = reference.iterations;
  d.solver.iterationsByNeed = false;
  d.solver.acceleration = false;
  return changed;
}

}  // namespace

Reference parse_reference(const std::string& text) {
  Reference reference;
  const auto slash = text.find('/');
  char rest = 0;
  if (slash == std::string::npos ||
      std::sscanf(text.c_str() + slash, "/%dx%d%c", &reference.substeps, &reference.iterations, &rest) != 2)
    throw InputError("--reference: '" + text + "' is not ID/SUBSTEPSxITERATIONS, such as implicit-midpoint/20x20");
  reference.integrator = text.substr(0, slash);
  scene::checked("substeps", reference.substeps, "--reference, substeps");
  scene::checked("solver.iterations", reference.iterations, "--reference, iterations");
  return reference;
}

std::vector<Row> measure(const scene::Description& description, const std::vector<std::string>& integrators,
                         const Reference& reference, std::int64_t frames, int threads, sim::FactorCache* cache,
                         const Progress& progress) {
  const scene::World world = scene::load_world(description);
  if (!world.contact_shapes.obstacles.empty()) cache = nullptr;  // their meshes are not part of a kept run's name
  const auto run = [&](const scene::World& what, const std::string& name, std::int64_t length) {
    return record(what, threads, length, [&](std::int64_t frame) {
      progress.show(name, static_cast<double>(frame) / static_cast<double>(length));
    });
  };
  const auto kept_run = [&](const Reference& of, const std::string& name, std::int64_t length) {
    const scene::World what = with(world, of);
    const std::string key = kept_name(what, length);
    if (std::optional<Recording> found = find(cache, key)) return std::move(*found);
    Recording made = run(what, name, length);
    if (made.blew_up_at) throw std::runtime_error("the reference blew up: " + made.failure);
    keep(cache, key, made);
    return made;
  };
  const Recording truth = kept_run(reference, "the reference", frames);
  Reference finer = reference;
  finer.substeps *= 2;
  const auto two_seconds = std::min<std::int64_t>(frames, std::llround(2 / description.timeStep) + 3);
  const Recording check = kept_run(finer, "the reference, refined", two_seconds);

  std::vector<Row> rows;
  for (const std::string& integrator : integrators) {
    scene::World what = world;
    what.description.integrator.type = integrator;
    const Recording seen = run(what, integrator, frames);
    Row row;
    row.scene = description.name;
    row.integrator = integrator;
    row.solver = description.solver.type;
    row.frames = frames;
    row.bands = bands(seen);
    row.reference_bands = bands(truth);
    row.visible_kinetic = visible_kinetic(seen);
    row.reference_visible_kinetic = visible_kinetic(truth);
    row.worst_energy_error = seen.worst_energy_error;
    row.unresolved = seen.unresolved;
    row.angular_momentum_error = seen.angular_momentum_error;
    row.path_error = path_error(seen, truth);
    const double swing = late_swing(truth);
    // A swing of a thousandth of the body is none.
    if (swing > 1e-3 * truth.diagonal) row.late_amplitude = late_swing(seen) / swing;
    row.blew_up_at = seen.blew_up_at;
    row.solves_per_step = seen.solves_per_step;
    row.ms_per_step = seen.ms_per_step;
    row.reference_path_error = path_error(truth, check);
    row.seconds = truth.seconds;
    row.course = course(seen);
    row.reference_course = course(truth);
    progress.done(row);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace rebound::motion
