// `rebound run`: headless, deterministic, as fast as it can.
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"
#include "cli/progress_bar.hpp"
#include "film/ledger_plot.hpp"
#include "film/motion_file.hpp"
#include "film/sheet.hpp"
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
  std::int64_t blended = 0, fully_backward = 0, iterations = 0, cut_short = 0;

  void count(const session::FrameRecord& r) {
    worst_error = std::max(worst_error, std::abs(r.measured.total() - r.target) / r.scale);
    total_ms += r.step_ms;
    iterations += r.iterations;
    if (r.blend && *r.blend != 0) ++blended;
    if (r.blend == 1.0) ++fully_backward;
    if (!r.converged) ++cut_short;
  }
};

/// NAME_BODY_FRAME.obj is the surface of a body at a frame; this is the beginning.
std::string mesh_name(const scene::Description& scene, std::size_t body) {
  std::string name = scene.bodies[body].name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  return (name.empty() ? "body" : name) + '_' + std::to_string(body) + '_';
}

/// Whether --meshes may write a file of that name.
bool is_mesh_name(const scene::Description& scene, const std::string& file) {
  constexpr std::string_view kEnding = ".obj";
  if (!file.ends_with(kEnding)) return false;
  for (std::size_t body = 0; body < scene.bodies.size(); ++body) {
    const std::string begin = mesh_name(scene, body);
    if (!file.starts_with(begin) || file.size() <= begin.size() + kEnding.size()) continue;
    const std::string number = file.substr(begin.size(), file.size() - begin.size() - kEnding.size());
    if (number.find_first_not_of("0123456789") == std::string::npos) return true;
  }
  return false;
}

/// Opens an output now, so that what is wrong with its place is said now; none where none is asked for.
std::unique_ptr<session::OutputFile> opened(const std::string& file, const std::string& begin = {}) {
  if (file.empty()) return nullptr;
  auto output = std::make_unique<session::OutputFile>(file);
  output->write(begin);
  return output;
}

class Writer {
 public:
  Writer(const RunOptions& options, const scene::WorldView& world)
      : ledger_(opened(options.ledger, session::ledger_header())),
        states_(opened(options.states, session::states_header())),
        plot_name_(options.plot),
        mesh_folder_(options.meshes) {
    if (!options.plot.empty()) film::require_plot_name(options.plot);
    plot_ = opened(options.plot);
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
    if (plot_) records_.push_back(session.record());
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
    if (plot_) {
      const auto& d = session.description();
      plot_->write(film::ledger_plot(plot_name_, d.name + ", " + film::title_of(d.integrator.type), records_));
      plot_->commit();
    }
  }

 private:
  void write_meshes(const session::Session& session) {
    for (std::size_t body = 0; body < session.world().bodies.size(); ++body) {
      char number[32];
      std::snprintf(number, sizeof number, "%06lld.obj", static_cast<long long>(session.frame()));
      const auto& geometry = session.world().bodies[body];
      // Springs that are no surface are seen as lines.
      const auto lines = geometry.surface.triangles.empty() ? geometry.edges() : std::span<const mesh::Edge>();
      mesh::write_obj(mesh_folder_ / (mesh_name(session.description(), body) + number),
                      {session.surface(static_cast<int>(body)), geometry.surface.triangles}, lines);
    }
  }

  std::unique_ptr<session::OutputFile> ledger_, states_, plot_;
  std::filesystem::path plot_name_;
  std::filesystem::path mesh_folder_;
  std::vector<session::FrameRecord> records_;  ///< for the plot
  std::unique_ptr<film::MotionFile> motion_;
  session::Snapshot moment_;
};

std::string summary_of(const session::Session& session, const Tally& tally) {
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
      {"framesNotConverged", tally.cut_short},
      {"iterationsAFrame", static_cast<double>(tally.iterations) / frames},
      {"millisecondsAFrame", tally.total_ms / frames},
      {"stiffness", session.stiffness_number()},
      {"failure", session.failure()},
      {"notes", notes},
  };
  // A note may name a file, whose name is any bytes.
  return summary.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

/// What is simulated, and until when: a scene, or a run that was recorded.
struct Plan {
  std::optional<session::Journal> recorded;
  scene::Description description;
  std::int64_t frames = 0;
};

Plan plan(const RunOptions& options) {
  const auto wanted = options.frames ? std::optional(static_cast<std::int64_t>(*options.frames)) : std::nullopt;
  if (options.replay.empty()) {
    if (options.scene.scene.empty()) throw InputError("run needs a scene, or --replay FILE");
    if (session::is_run(options.scene.scene))
      throw InputError(options.scene.scene + ": is a run, not a scene; `rebound run --replay` does it again");
    scene::Description description = options.scene.open_scene();
    const auto frames = wanted.value_or(description.frames);
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
  const std::int64_t frames = wanted.value_or(recorded.last());
  if (frames > recorded.last())
    throw InputError("--frames: " + std::to_string(frames) + " is more than the " + std::to_string(recorded.last()) +
                     " that " + options.replay + " has");
  return {std::move(recorded), std::move(description), frames};
}

/// Throws InputError with the line of the run's file for what cannot be done.
void apply(session::Ensemble& ensemble, const session::Entry& entry, const std::string& file) {
  try {
    ensemble.apply(entry.event);
  } catch (const InputError& error) {
    throw InputError(file + ":" + std::to_string(entry.line) + ": " + error.what());
  }
}

/// Goes through the plan, up to an interruption; returns where it came out otherwise than it was recorded, in one line,
/// or nothing.
std::string simulate(session::Ensemble& ensemble, const Plan& plan, const std::string& replayed, Writer& writer,
                     session::RunFile* run_file, Tally& tally, const Interruption& interruption) {
  ProgressBar bar;
  std::size_t next_entry = 0;
  writer.frame(ensemble.first());
  for (;;) {
    if (run_file != nullptr) run_file->frame(ensemble);
    if (plan.recorded) {
      if (std::string where = session::divergence(*plan.recorded, ensemble); !where.empty()) return where;
      const auto& entries = plan.recorded->entries();
      for (; next_entry < entries.size() && entries[next_entry].frame == ensemble.frame(); ++next_entry) {
        apply(ensemble, entries[next_entry], replayed);
        if (run_file != nullptr) run_file->entry(entries[next_entry]);
      }
    }
    if (ensemble.frame() == plan.frames || interruption.happened()) return {};
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

void check_paths(const RunOptions& options, const scene::Description& scene) {
  Paths paths;
  paths.reads(scene);
  paths.reads("the run", options.replay);
  paths.writes("--ledger", options.ledger);
  paths.writes("--states", options.states);
  paths.writes("--motion", options.motion);
  paths.writes("--plot", options.plot);
  paths.writes("--summary", options.summary);
  paths.writes("--save-run", options.save_run);
  paths.writes_into("--meshes", options.meshes, [&](const std::string& name) { return is_mesh_name(scene, name); });
}

/// How it went, in one line, and the exit status that says the same.
int conclude(const RunOptions& options, const Plan& what, const session::Ensemble& ensemble, const Tally& tally,
             const std::string& diverged, const Interruption& interruption) {
  const std::string name = options.replay.empty() ? options.scene.scene : options.replay;
  if (!diverged.empty()) return fail(kSimulationFailed, name + ": " + diverged);
  if (ensemble.stands_still())
    return fail(ensemble.first().out_of_memory() ? kMachineLacks : kSimulationFailed,
                name + ": " + ensemble.first().failure());
  const auto frames = static_cast<long long>(ensemble.frame());
  if (interruption.happened() && ensemble.frame() < what.frames)
    return interrupted("what is written ends with frame " + std::to_string(frames) + " of " +
                       std::to_string(what.frames));
  if (what.recorded && what.recorded->is_cut_off() && ensemble.frame() == what.recorded->last())
    return fail(kSimulationFailed, name + ": the file is cut off after frame " + std::to_string(frames) +
                                       ", up to which all is as recorded; what came after is lost");
  const auto& r = ensemble.first().record();
  std::printf("%lld frames%s, %.3g s simulated in %.3g s; H %.6g J, target %.6g J, off by at most %.2g %%\n", frames,
              what.recorded ? " as recorded" : "", r.time, tally.total_ms / 1000, r.measured.total(), r.target,
              100 * tally.worst_error);
  return kDone;
}

int run(const RunOptions& options) {
  const Interruption interruption;
  if (options.frames) scene::checked("frames", *options.frames, "--frames");
  const Plan what = plan(options);
  check_paths(options, what.description);
  session::DiskCache cache(session::DiskCache::platform_folder());
  session::Ensemble ensemble(std::make_unique<session::Session>(load_world(what.description, interruption),
                                                                options.scene.thread_count(), &cache));
  const session::Session& first = ensemble.first();
  if (!first.warning().empty()) std::fprintf(stderr, "warning: %s\n", first.warning().c_str());

  Writer writer(options, first.world());
  const auto summary = opened(options.summary);
  std::optional<session::RunFile> run_file;
  if (!options.save_run.empty()) run_file.emplace(options.save_run, what.description);
  Tally tally;
  const std::string diverged =
      simulate(ensemble, what, options.replay, writer, run_file ? &*run_file : nullptr, tally, interruption);
  // Every frame up to a failure or an interruption is whole and worth keeping.
  writer.commit(ensemble.first());
  if (run_file) run_file->commit();
  if (summary) {
    summary->write(summary_of(ensemble.first(), tally));
    summary->commit();
  }
  return conclude(options, what, ensemble, tally, diverged, interruption);
}

}  // namespace

void add_run(Program& program) {
  Command command = program.subcommand("run", "Simulate without a window and write what happens");
  auto options = std::make_shared<RunOptions>();
  options->scene.add_to(command, false);
  command.option("--frames", options->frames, "Frames to simulate (default: the scene's, or the recorded ones)",
                 {.value = "INT"});
  command.option("--ledger", options->ledger, "CSV: energies, target, blend and momenta, one row a frame",
                 {.value = "FILE.csv", .completion = Completion::files});
  command.option("--states", options->states, "CSV: position and velocity of every vertex, every frame",
                 {.value = "FILE.csv", .completion = Completion::files});
  command.option("--meshes", options->meshes, "The surface of each body, each frame, as OBJ",
                 {.value = "FOLDER", .completion = Completion::folders});
  command.option("--motion", options->motion, "The surfaces with their motion in one glTF file, for Blender",
                 {.value = "FILE.glb", .completion = Completion::files});
  command.option("--plot", options->plot, "SVG or PNG by its name: energies, target and momenta over time",
                 {.value = "FILE", .completion = Completion::files});
  command.option("--summary", options->summary, "JSON: what was simulated, how long it took, how true it stayed",
                 {.value = "FILE.json", .completion = Completion::files});
  command.option("--save-run", options->save_run,
                 "JSON lines: the scene, what was done to it and a checksum a frame, for --replay",
                 {.value = "FILE", .completion = Completion::files});
  command.option("--replay", options->replay,
                 "A saved run instead of a scene: does what was done and compares every frame to the last bit",
                 {.value = "FILE", .completion = Completion::files});
  command.action([options] {
    try {
      return run(*options);
    } catch (const render::OutputError& error) {
      return fail(kUnusableInput, error.what());
    }
  });
}

}  // namespace rebound::cli
