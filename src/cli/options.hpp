// What every command that opens a scene understands, and how it ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "scene/description.hpp"

namespace rebound::session {
class Session;
}

namespace rebound::cli {

/// Exit statuses, the same for every command.
enum Exit : int {
  kDone = 0,
  kSimulationFailed = 1,
  kUnusableInput = 2,  ///< command line, scene or mesh
  kMachineLacks = 3,   ///< display, GPU, ffmpeg, memory
};

/// The status of a session that has stopped, by its cause.
Exit failed_status(const session::Session& session);

/// --integrator, --solver, --iterations, --time-step, --substeps, --threads, --seed, --set: they override what the
/// scene says.
struct SceneOptions {
  std::string scene;
  std::optional<std::string> integrator, solver;
  std::optional<double> iterations, time_step, substeps, threads,
      seed;  ///< as typed; open_scene checks that they are whole
  std::vector<std::string> settings;
  bool confined = false;

  /// `integrator_list`: several integrators may be named, with commas between.
  void add_to(Command& command, bool scene_required = true, bool integrator_list = false);
  /// All but the scene itself.
  void add_overrides_to(Command& command, bool integrator_list = false);
  /// The overrides as POINTER=JSON, --threads and --seed left out. Throws InputError for one that is out of its range.
  std::vector<std::string> overrides() const;
  /// The scene with the options applied. Throws InputError.
  scene::Description open_scene() const;
  /// At least 1; by default every core.
  int thread_count() const;
};

/// Each adds its command to the program.
void add_run(Program& program);
void add_check(Program& program);
void add_list(Program& program);
void add_record(Program& program);
void add_bench(Program& program);
void add_measure(Program& program);
/// version: of the program, for the page.
void add_reproduce(Program& program, const std::string& version);
/// What makes the manual page and the completions, for whoever packs the program.
void add_documents(Program& program);

/// Says why in one line on stderr; returns the status.
int fail(int status, std::string message);
/// Says that a run's file ends before its run did, though all up to frame `last` is as recorded; returns the status.
int fail_cut_off(const std::string& run, std::int64_t last);
/// Throws InputError "--OPTION: ..." if the scene's solves cannot tell how they got there, and names solvers that can.
void require_traced(const std::string& option, const scene::Description& scene);
/// Throws InputError "--OPTION: 'ID' is not built ..." unless `known` has it.
void require_known(const std::string& option, const std::string& id, const std::vector<std::string>& known);

}  // namespace rebound::cli
