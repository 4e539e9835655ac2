#include "motion/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "mesh/error.hpp"
#include "motion/kept.hpp"
#include "scene/material.hpp"
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

namespace {

/// A scene at one of its stiffnesses, and what its motion truly is.
struct Start {
  scene::World world;
  Recording truth, refined;
};

Row row_of(const Start& start, const std::string& integrator, const Recording& seen, std::int64_t frames) {
  const Recording& truth = start.truth;
  Row row;
  row.scene = start.world.description.name;
  row.integrator = integrator;
  row.solver = start.world.description.solver.type;
  row.frames = frames;
  row.bands = bands(seen);
  row.reference_bands = bands(truth);
  row.visible_kinetic = visible_kinetic(seen);
  row.reference_visible_kinetic = visible_kinetic(truth);
  const double of_truth = row.reference_visible_kinetic;
  row.visible_least = row.visible_most = of_truth > 0 ? row.visible_kinetic / of_truth : 0;
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
  row.reference_path_error = path_error(truth, start.refined);
  row.reference_energy_error = truth.worst_energy_error;
  row.seconds = truth.seconds;
  row.course = course(seen);
  row.reference_course = course(truth);
  return row;
}

Row mean_of(const std::vector<Row>& rows) {
  Row mean = rows[rows.size() / 2];
  mean.starts = static_cast<int>(rows.size());
  const auto average = [&](auto of) {
    for (const Row& row : rows)
      if (&row != &rows[rows.size() / 2]) of(mean) += of(row);
    of(mean) /= static_cast<double>(rows.size());
  };
  for (Bands Row::*bands : {&Row::bands, &Row::reference_bands})
    for (double Bands::*band : {&Bands::below_4, &Bands::from_4_to_8, &Bands::above_8})
      average([=](auto& row) -> auto& { return row.*bands.*band; });
  for (double Row::*figure : {&Row::visible_kinetic, &Row::reference_visible_kinetic, &Row::unresolved,
                              &Row::path_error, &Row::solves_per_step, &Row::ms_per_step, &Row::reference_path_error})
    average([=](auto& row) -> auto& { return row.*figure; });
  for (const Row& row : rows) {
    mean.visible_least = std::min(mean.visible_least, row.visible_least);
    mean.visible_most = std::max(mean.visible_most, row.visible_most);
    for (double Row::*worst : {&Row::worst_energy_error, &Row::reference_energy_error})
      mean.*worst = std::max(mean.*worst, row.*worst);
    mean.angular_momentum_error = std::max(mean.angular_momentum_error, row.angular_momentum_error);
    if (row.blew_up_at) mean.blew_up_at = std::min(*row.blew_up_at, mean.blew_up_at.value_or(*row.blew_up_at));
  }
  if (std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.late_amplitude.has_value(); }))
    average([](auto& row) -> auto& { return *row.late_amplitude; });
  return mean;
}

}  // namespace

std::vector<Row> measure(const scene::Description& description, const std::vector<std::string>& integrators,
                         const Trial& trial, const Progress& progress) {
  const auto run = [&](const scene::World& what, const std::string& name, std::int64_t length) {
    return record(what, trial.threads, length, [&](std::int64_t frame) {
      progress.show(name, static_cast<double>(frame) / static_cast<double>(length));
    });
  };
  const auto kept_run = [&](const scene::World& world, const Reference& of, const std::string& name,
                            std::int64_t length) {
    // Obstacles' meshes are not part of a kept run's name.
    sim::FactorCache* cache = world.contact_shapes.obstacles.empty() ? trial.cache : nullptr;
    const scene::World what = with(world, of);
    const std::string key = kept_name(what, length);
    if (std::optional<Recording> found = find(cache, key)) return std::move(*found);
    Recording made = run(what, name, length);
    if (made.blew_up_at) throw std::runtime_error("the reference blew up: " + made.failure);
    keep(cache, key, made);
    return made;
  };
  Reference finer = trial.reference;
  finer.substeps *= 2;
  const auto two_seconds = std::min<std::int64_t>(trial.frames, std::llround(2 / description.timeStep) + 3);

  std::vector<Start> starts;
  for (int i = 0; i < trial.starts; ++i) {
    scene::Description changed = description;
    scene::scale_stiffness(changed, 1 + kStiffnessStep * (i - (trial.starts - 1) / 2));
    Start& start = starts.emplace_back(Start{scene::load_world(changed), {}, {}});
    start.truth = kept_run(start.world, trial.reference, "the reference", trial.frames);
    start.refined = kept_run(start.world, finer, "the reference, refined", two_seconds);
  }

  std::vector<Row> rows;
  for (const std::string& integrator : integrators) {
    std::vector<Row> of_starts;
    for (const Start& start : starts) {
      scene::World what = start.world;
      what.description.integrator.type = integrator;
      of_starts.push_back(row_of(start, integrator, run(what, integrator, trial.frames), trial.frames));
    }
    rows.push_back(mean_of(of_starts));
    progress.done(rows.back());
  }
  return rows;
}

}  // namespace rebound::motion
