// `rebound run`: headless, deterministic, as fast as it can.
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "cli/progress_bar.hpp"
#include "film/ledger_plot.hpp"
#include "film/motion_file.hpp"
#include "film/sheet.hpp"
#include "mesh/atomic_file.hpp"
#include "mesh/error.hpp"
#include "mesh/obj.hpp"
#include "scene/ranges.hpp"
#include "session/disk_cache.hpp"
#include "session/journal.hpp"
#include "session/output_file.hpp"
#include "session/run_file.hpp"
#include "session/tables.hpp"

namespace rebound::cli {
namespace {

struct RunOptions {
  SceneOptions scene;
  std::optional<double> frames;
  std::string ledger, states, meshes, motion, plot, summary, replay, save_run;
};

/// What is left to say when the run is over.
struct Tally {
  double worst_error = 0;  ///< largest |H - target| / scale
  double total_ms = 0;
  std::int64_t blended = 0, fully_backward = 0, iterations = 0;

  void count(const session::FrameRecord& r) {
    worst_error = std::max(worst_error, std::abs(r.measured.total() - r.target) / r.scale);
    total_ms += r.step_ms;
    iterations += r.iterations;
    if (r.blend && *r.blend != 0) ++blended;
    if (r.blend == 1.0) ++fully_backward;
  }
};

class Writer {
 public:
  Writer(const RunOptions& options, const scene::WorldView& world) : mesh_folder_(options.meshes), plot_(options.plot) {
    if (!options.ledger.empty()) {
      ledger_ = std::make_unique<session::OutputFile>(options.ledger);
      ledger_->write(session::ledger_header());
    }
    if (!options.states.empty()) {
      states_ = std::make_unique<session::OutputFile>(options.states);
      states_->write(session::states_header());
    }
    if (!options.plot.empty()) film::require_plot_name(options.plot);
    if (!options.motion.empty()) motion_ = std::make_unique<film::MotionFile>(options.motion, world);
    if (!mesh_folder_.empty()) {
      std::error_code error;
      std::filesystem::create_directories(mesh_folder_, error);
      if (error) throw InputError(options.meshes + ": the folder cannot be made (" + error.message() + ")");
    }
  }

  void frame(const session::Session& session) {
    if (ledger_) ledger_->write(session::ledger_row(session.record()));
    if (states_) states_->write(session::states_rows(session));
    if (!plot_.empty()) records_.push_back(session.record());
    if (!mesh_folder_.empty()) write_meshes(session);
    if (motion_) {
      session::look(session, moment_);
      motion_->add(moment_);
    }
  }

  void commit(const session::Session& session) {
    if (ledger_) ledger_->commit();
    if (states_) states_->commit();
    if (motion_) motion_->commit();
    if (!plot_.empty()) {
      const auto& d = session.description();
      film::write_ledger_plot(plot_, d.name + ", " + film::title_of(d.integrator.type), records_);
    }
  }

 private:
  void write_meshes(const session::Session& session) {
    for (std::size_t body = 0; body < session.world().bodies.size(); ++body) {
      std::string name = session.description().bodies[body].name;
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
      char number[64];
      std::snprintf(number, sizeof number, "_%zu_%06lld.obj", body, static_cast<long long>(session.frame()));
      const auto surface = session.surface(static_cast<int>(body));
      mesh::write_obj(mesh_folder_ / ((name.empty() ? "body" : name) + number),
                      {surface, session.world().bodies[body].surface.triangles});
    }
  }

  std::unique_ptr<session::OutputFile> ledger_, states_;
  std::filesystem::path mesh_folder_;
  std::filesystem::path plot_;
  std::vector<session::FrameRecord> records_;  ///< for the plot
  std::unique_ptr<film::MotionFile> motion_;
  session::Snapshot moment_;
};

void write_summary(const std::string& file, const session::Session& session, const Tally& tally) {
  nlohmann::ordered_json notes = nlohmann::json::array();
  for (const auto& body : session.world().bodies)
    for (const auto& note : body.notes) notes.push_back(note);
  const auto& r = session.record();
  const auto facts = scene::facts(session.world(), session.model());
  const double frames = static_cast<double>(std::max<std::int64_t>(r.frame, 1));
  const nlohmann::ordered_json summary = {
      {"scene", session.description().name},
      {"integrator", session.description().integrator.type},
      {"solver", session.description().solver.type},
      {"timeStep", session.description().timeStep},
      {"threads", session.threads()},
      {"vertices", facts.vertices},
      {"tetrahedra", facts.tetrahedra},
      {"springs", facts.springs},
      {"frames", r.frame},
      {"time", r.time},
      {"energy",
       {{"initial", r.initial},
        {"added", r.added_total()},
        {"dissipated", r.dissipated_total()},
        {"target", r.target},
        {"total", r.measured.total()},
        {"worstError", tally.worst_error}}},
      {"blendedFrames", tally.blended},
      {"fullyBackwardFrames", tally.fully_backward},
      {"iterationsAFrame", static_cast<double>(tally.iterations) / frames},
      {"millisecondsAFrame", tally.total_ms / frames},
      {"stiffness", session.stiffness_number()},
      {"failure", session.failure()},
      {"notes", notes},
  };
  write_file_atomically(file, summary.dump(2) + "\n");
}

/// What is simulated, and until when: a scene, or a run that was recorded.
struct Plan {
  std::optional<session::Journal> recorded;
  scene::Description description;
  std::int64_t frames = 0;
};

Plan plan(const RunOptions& options) {
  if (options.replay.empty()) {
    if (options.scene.scene.empty()) throw InputError("run needs a scene, or --replay FILE");
    scene::Description description = options.scene.open_scene();
    const auto frames = options.frames ? static_cast<std::int64_t>(*options.frames) : description.frames;
    return {{}, std::move(description), frames};
  }
  if (!options.scene.scene.empty() || !options.scene.overrides().empty() || options.scene.seed)
    throw InputError("--replay: the file has the scene and all that was set; leave out SCENE and what changes it");
  session::Journal recorded = session::Journal::read(options.replay);
  if (!recorded.other_instructions().empty())
    std::fprintf(stderr,
                 "note: recorded with %s instructions, which this machine or build does not use; single "
                 "precision may differ in its last digits\n",
                 recorded.other_instructions().c_str());
  scene::Description description = recorded.scene();
  const std::int64_t frames =
      std::min(recorded.last(), options.frames ? static_cast<std::int64_t>(*options.frames) : recorded.last());
  return {std::move(recorded), std::move(description), frames};
}

/// Goes through the plan; returns where it came out otherwise than it was recorded, in one line, or nothing.
std::string simulate(session::Ensemble& ensemble, const Plan& plan, Writer& writer, session::RunFile* run_file,
                     Tally& tally) {
  ProgressBar bar;
  std::size_t next_entry = 0;
  writer.frame(ensemble.first());
  for (;;) {
    if (run_file != nullptr) run_file->frame(ensemble);
    if (plan.recorded) {
      if (std::string where = session::divergence(*plan.recorded, ensemble); !where.empty()) return where;
      const auto& entries = plan.recorded->entries();
      for (; next_entry < entries.size() && entries[next_entry].frame == ensemble.frame(); ++next_entry) {
        ensemble.apply(entries[next_entry].event);
        if (run_file != nullptr) run_file->entry(entries[next_entry]);
      }
    }
    if (ensemble.frame() == plan.frames) return {};
    if (ensemble.stands_still())
      return plan.recorded ? "frame " + std::to_string(ensemble.frame()) + ": stands still, the recording goes on" : "";
    if (ensemble.step()) {
      tally.count(ensemble.first().record());
      writer.frame(ensemble.first());
    }
    bar.show(static_cast<double>(ensemble.frame()) / static_cast<double>(plan.frames),
             "frame " + std::to_string(ensemble.frame()) + " of " + std::to_string(plan.frames));
  }
}

int run(const RunOptions& options) {
  if (options.frames) scene::checked("frames", *options.frames, "--frames");
  const Plan what = plan(options);
  session::DiskCache cache(session::DiskCache::platform_folder());
  session::Ensemble ensemble(
      std::make_unique<session::Session>(scene::load_world(what.description), options.scene.thread_count(), &cache));
  const session::Session& first = ensemble.first();
  for (const auto& body : first.world().bodies)
    for (const auto& note : body.notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  if (!first.warning().empty()) std::fprintf(stderr, "warning: %s\n", first.warning().c_str());

  Writer writer(options, first.world());
  std::optional<session::RunFile> run_file;
  if (!options.save_run.empty()) run_file.emplace(options.save_run, what.description);
  Tally tally;
  const std::string diverged = simulate(ensemble, what, writer, run_file ? &*run_file : nullptr, tally);
  // Every frame up to a failure is whole and worth keeping.
  const session::Session& session = ensemble.first();
  writer.commit(session);
  if (run_file) run_file->commit();
  if (!options.summary.empty()) write_summary(options.summary, session, tally);
  const std::string& name = options.replay.empty() ? options.scene.scene : options.replay;
  if (!diverged.empty()) return fail(kSimulationFailed, name + ": " + diverged);
  if (ensemble.stands_still()) return fail(kSimulationFailed, name + ": " + session.failure());
  const auto& r = session.record();
  std::printf("%lld frames%s, %.3g s simulated in %.3g s; H %.6g J, target %.6g J, off by at most %.2g %%\n",
              static_cast<long long>(ensemble.frame()), what.recorded ? " as recorded" : "", r.time,
              tally.total_ms / 1000, r.measured.total(), r.target, 100 * tally.worst_error);
  return kDone;
}

}  // namespace

void add_run(Program& program) {
  Command command = program.subcommand("run", "Simulate without a window and write what happens");
  auto options = std::make_shared<RunOptions>();
  options->scene.add_to(command, false);
  command.option("--frames", options->frames, "Frames to simulate (default: the scene's, or the recorded ones)");
  command.option("--ledger", options->ledger, "CSV: energies, target, blend and momenta, one row a frame");
  command.option("--states", options->states, "CSV: position and velocity of every vertex, every frame");
  command.option("--meshes", options->meshes, "Folder: the surface of each body, each frame, as OBJ");
  command.option("--motion", options->motion, "FILE.glb: the surfaces with their motion in one glTF file, for Blender");
  command.option("--plot", options->plot, "FILE.svg or .png: energies, target and momenta over time");
  command.option("--summary", options->summary, "JSON: what was simulated, how long it took, how true it stayed");
  command.option("--save-run", options->save_run,
                 "JSON lines: the scene, what was done to it and a checksum a frame, for --replay");
  command.option("--replay", options->replay,
                 "A saved run instead of a scene: does what was done and compares every frame to the last bit");
  command.action([options] {
    try {
      return run(*options);
    } catch (const render::OutputError& error) {
      return fail(kUnusableInput, error.what());
    }
  });
}

}  // namespace rebound::cli
