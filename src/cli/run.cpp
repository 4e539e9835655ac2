// `rebound run`: headless, deterministic, as fast as it can.
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"
#include "cli/progress_bar.hpp"
#include "cli/run_outputs.hpp"
#include "mesh/error.hpp"
#include "render/frame_sink.hpp"
#include "scene/build_constraints.hpp"
#include "scene/ranges.hpp"
#include "session/disk_cache.hpp"
#include "session/journal.hpp"
#include "session/run_file.hpp"

namespace rebound::cli {
namespace {

struct RunOptions {
  SceneOptions scene;
  std::optional<double> frames;
  std::optional<double> mode_count;
  RunFiles files;
  std::string summary, replay, save_run;
};

/// What is left to say when the run is over.
struct Tally {
  double worst_error = 0;  ///< largest |H - target| / scale
  double total_ms = 0;
  std::int64_t blended = 0, fully_backward = 0, iterations = 0, cut_short = 0;
  std::optional<std::int64_t> exploded;  ///< the first frame whose energy is beyond all that a method's error explains
  double most_times = 0;                 ///< what that energy came to, in targets

  void count(const session::FrameRecord& r) {
    const double times = r.times_its_target();
    if (times > session::kRunsAway && !exploded) exploded = r.frame;
    most_times = std::max(most_times, times);
    worst_error = std::max(worst_error, std::abs(r.measured.total() - r.target) / r.scale);
    total_ms += r.step_ms;
    iterations += r.iterations;
    if (r.blend && *r.blend != 0) ++blended;
    if (r.blend == 1.0) ++fully_backward;
    if (!r.converged) ++cut_short;
  }
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
      {"explodedAtFrame", tally.exploded ? nlohmann::json(*tally.exploded) : nlohmann::json()},
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
std::string simulate(session::Ensemble& ensemble, const Plan& plan, const std::string& replayed, RunOutputs& outputs,
                     session::RunFile* run_file, Tally& tally, const Interruption& interruption) {
  // A recorded run may have several panes, which end with the same frame.
  const sim::StopRequest ends_steps(plan.recorded ? nullptr : interruption.flag());
  ProgressBar bar;
  std::size_t next_entry = 0;
  outputs.frame(ensemble.first());
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
    bool stepped = false;
    if (!finished([&] { stepped = ensemble.step(); })) return {};
    if (stepped) {
      tally.count(ensemble.first().record());
      outputs.frame(ensemble.first());
    }
    bar.show(static_cast<double>(ensemble.frame()) / static_cast<double>(plan.frames),
             "frame " + std::to_string(ensemble.frame()) + " of " + std::to_string(plan.frames));
  }
}

void check_paths(const RunOptions& options, const scene::Description& scene) {
  Paths paths;
  paths.reads(scene);
  paths.reads("the run", options.replay);
  paths.writes("--ledger", options.files.ledger);
  paths.writes("--states", options.files.states);
  paths.writes("--modes", options.files.modes);
  paths.writes("--solve-trace", options.files.solves);
  paths.writes("--constraints", options.files.constraints);
  paths.writes("--motion", options.files.motion);
  paths.writes("--plot", options.files.plot);
  paths.writes("--summary", options.summary);
  paths.writes("--save-run", options.save_run);
  paths.writes_into("--meshes", options.files.meshes,
                    [&](const std::string& name) { return is_mesh_name(scene, name); });
}

/// How it went, in one line, and the exit status that says the same.
int conclude(const RunOptions& options, const Plan& what, const session::Ensemble& ensemble, const Tally& tally,
             const std::string& diverged, const Interruption& interruption) {
  const std::string name = options.replay.empty() ? options.scene.scene : options.replay;
  if (!diverged.empty()) return fail(kSimulationFailed, name + ": " + diverged);
  if (ensemble.stands_still()) return fail(failed_status(ensemble.first()), name + ": " + ensemble.first().failure());
  const std::int64_t frames = ensemble.frame();
  if (interruption.happened() && ensemble.frame() < what.frames)
    return interrupted("what is written ends with frame " + std::to_string(frames) + " of " +
                       std::to_string(what.frames));
  if (what.recorded && what.recorded->is_cut_off() && ensemble.frame() == what.recorded->last())
    return fail_cut_off(name, what.recorded->last());
  const auto& r = ensemble.first().record();
  std::printf("%lld %s%s, %.3g s simulated in %.3g s; H %.6g J, target %.6g J, off by at most %.2g %% of the scale\n",
              static_cast<long long>(frames), frames == 1 ? "frame" : "frames", what.recorded ? " as recorded" : "",
              r.time, tally.total_ms / 1000, r.measured.total(), r.target, 100 * tally.worst_error);
  // It is a result, such as who compares integrators wants: no failure.
  if (tally.exploded)
    std::fprintf(stderr,
                 "note: it explodes: from frame %lld on its energy is far above its target, at most %.2g times\n",
                 static_cast<long long>(*tally.exploded), tally.most_times);
  return kDone;
}

int run(const RunOptions& options) {
  const Interruption interruption;
  if (options.frames) scene::checked("frames", *options.frames, "--frames");
  if (options.mode_count) scene::checked("integrator.modes", *options.mode_count, "--mode-count");
  if (options.mode_count && options.files.modes.empty())
    throw InputError("--mode-count: says how many modes --modes writes; give --modes FILE.csv too");
  const Plan what = plan(options);
  if (!options.files.solves.empty()) require_traced("--solve-trace", what.description);
  if (!options.files.constraints.empty() && !scene::has_constraints(what.description))
    throw InputError(
        "--constraints: no body of the scene has \"constraints\", so there is nothing to write; leave it out");
  RunFiles files = options.files;
  files.mode_count = static_cast<int>(options.mode_count.value_or(what.description.integrator.modes));
  check_paths(options, what.description);
  session::DiskCache cache(session::DiskCache::platform_folder());
  session::Ensemble ensemble(std::make_unique<session::Session>(load_world(what.description, interruption),
                                                                options.scene.thread_count(), &cache));
  const session::Session& first = ensemble.first();
  if (!first.warning().empty()) std::fprintf(stderr, "warning: %s\n", first.warning().c_str());

  RunOutputs outputs(files, first.world());
  const auto summary = opened(options.summary);
  std::optional<session::RunFile> run_file;
  if (!options.save_run.empty()) run_file.emplace(options.save_run, what.description);
  Tally tally;
  const std::string diverged =
      simulate(ensemble, what, options.replay, outputs, run_file ? &*run_file : nullptr, tally, interruption);
  // Every frame up to a failure or an interruption is whole and worth keeping.
  outputs.commit(ensemble.first());
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
  command.option("--ledger", options->files.ledger, "CSV: energies, target, blend and momenta, one row a frame",
                 {.value = "FILE.csv", .completion = Completion::files});
  command.option("--states", options->files.states, "CSV: position and velocity of every vertex, every frame",
                 {.value = "FILE.csv", .completion = Completion::files});
  command.option("--modes", options->files.modes,
                 "CSV: frequency (Hz) and energy (J) of the slowest modes about where the bodies are, every frame",
                 {.value = "FILE.csv", .completion = Completion::files});
  command.option("--mode-count", options->mode_count, "How many modes --modes writes (default: the scene's, 5)",
                 {.value = "INT"});
  command.option("--solve-trace", options->files.solves,
                 "CSV: objective (J), gradient (N), step and CG products of every iteration of every solve",
                 {.value = "FILE.csv", .completion = Completion::files});
  command.option("--constraints", options->files.constraints,
                 "CSV: force (N) and drift (m) of every rod and wire, every frame",
                 {.value = "FILE.csv", .completion = Completion::files});
  command.option("--meshes", options->files.meshes, "The surface of each body, each frame, as OBJ",
                 {.value = "FOLDER", .completion = Completion::folders});
  command.option("--motion", options->files.motion, "The surfaces with their motion in one glTF file, for Blender",
                 {.value = "FILE.glb", .completion = Completion::files});
  command.option("--plot", options->files.plot, "SVG or PNG by its name: energies, target and momenta over time",
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
