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
#include "session/output_file.hpp"
#include "session/tables.hpp"

namespace rebound::cli {
namespace {

struct RunOptions {
  SceneOptions scene;
  std::optional<double> frames;
  std::string ledger, states, meshes, motion, plot, summary;
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
  Writer(const RunOptions& options, const scene::World& world) : mesh_folder_(options.meshes), plot_(options.plot) {
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

int run(const RunOptions& options) {
  if (options.frames) scene::checked("frames", *options.frames, "--frames");
  scene::Description description = options.scene.open_scene();
  const auto frames = options.frames ? static_cast<std::int64_t>(*options.frames) : description.frames;
  session::DiskCache cache(session::DiskCache::platform_folder());
  session::Session session(scene::load_world(std::move(description)), options.scene.thread_count(), &cache);
  for (const auto& body : session.world().bodies)
    for (const auto& note : body.notes) std::fprintf(stderr, "note: %s\n", note.c_str());

  if (!session.warning().empty()) std::fprintf(stderr, "warning: %s\n", session.warning().c_str());

  Writer writer(options, session.world());
  Tally tally;
  {
    ProgressBar bar;
    writer.frame(session);
    while (session.frame() < frames && session.step()) {
      tally.count(session.record());
      writer.frame(session);
      bar.show(static_cast<double>(session.frame()) / static_cast<double>(frames),
               "frame " + std::to_string(session.frame()) + " of " + std::to_string(frames));
    }
  }
  // Every frame up to a failure is whole and worth keeping.
  writer.commit(session);
  if (!options.summary.empty()) write_summary(options.summary, session, tally);
  if (!session.failure().empty()) {
    std::fprintf(stderr, "rebound: %s: %s\n", options.scene.scene.c_str(), session.failure().c_str());
    return kSimulationFailed;
  }
  const auto& r = session.record();
  std::printf("%lld frames, %.3g s simulated in %.3g s; H %.6g J, target %.6g J, off by at most %.2g %%\n",
              static_cast<long long>(r.frame), r.time, tally.total_ms / 1000, r.measured.total(), r.target,
              100 * tally.worst_error);
  return kDone;
}

}  // namespace

void add_run(CLI::App& program, int& exit) {
  auto* command = program.add_subcommand("run", "Simulate without a window and write what happens");
  auto options = std::make_shared<RunOptions>();
  options->scene.add_to(*command);
  command->add_option("--frames", options->frames, "Frames to simulate (default: the scene's)");
  command->add_option("--ledger", options->ledger, "CSV: energies, target, blend and momenta, one row a frame");
  command->add_option("--states", options->states, "CSV: position and velocity of every vertex, every frame");
  command->add_option("--meshes", options->meshes, "Folder: the surface of each body, each frame, as OBJ");
  command->add_option("--motion", options->motion,
                      "FILE.glb: the surfaces with their motion in one glTF file, for Blender");
  command->add_option("--plot", options->plot, "FILE.svg or .png: energies, target and momenta over time");
  command->add_option("--summary", options->summary, "JSON: what was simulated, how long it took, how true it stayed");
  command->callback([options, &exit] {
    try {
      exit = run(*options);
    } catch (const render::OutputError& error) {
      exit = fail(kUnusableInput, error.what());
    }
  });
}

}  // namespace rebound::cli
