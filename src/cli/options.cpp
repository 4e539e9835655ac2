#include "cli/options.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "mesh/error.hpp"
#include "scene/identifiers.hpp"
#include "scene/library.hpp"
#include "scene/ranges.hpp"
#include "scene/wording.hpp"
#include "session/session.hpp"
#include "sim/registry.hpp"

namespace rebound::cli {
int fail(int status, std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::fprintf(stderr, "rebound: %s\n", message.c_str());
  return status;
}

int fail_cut_off(const std::string& run, std::int64_t last) {
  return fail(kSimulationFailed, run + ": the file is cut off after frame " + std::to_string(last) +
                                     ", up to which all is as recorded; what came after is lost");
}

void require_known(const std::string& option, const std::string& id, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), id) != known.end()) return;
  const std::string guess = scene::did_you_mean(id, known);
  std::string list;
  for (const auto& name : known) list += (list.empty() ? "; one of: " : ", ") + name;
  throw InputError("--" + option + ": " + scene::in_quotes(id) + " is not built into this version" +
                   (guess.empty() ? list : guess));
}

void require_traced(const std::string& option, const scene::Description& scene) {
  const std::string& integrator = scene.integrator.type;
  if (sim::find_integrator(integrator)->schemes.empty())
    throw InputError(option + ": integrator '" + integrator +
                     "' minimises nothing; set /integrator/type to \"backward-euler\"");
  if (sim::find_solver(scene.solver.type)->tells_how) return;
  std::string others;
  for (const auto& solver : sim::solvers())
    if (solver.tells_how) others += (others.empty() ? "\"" : ", \"") + std::string(solver.id) + "\"";
  throw InputError(option + ": solver '" + scene.solver.type +
                   "' does not look at what it minimises; set /solver/type to one of " + others);
}

void SceneOptions::add_to(Command& command, bool scene_required, bool integrator_list) {
  command.option("scene", scene, "A scene file, a mesh file, or the name of a built-in scene",
                 {.required = scene_required, .completion = Completion::scenes});
  add_overrides_to(command, integrator_list);
}

void SceneOptions::add_overrides_to(Command& command, bool integrator_list) {
  const auto shared = [](const char* value, std::vector<std::string> words = {}) {
    return OptionTraits{.shared = true,
                        .value = value,
                        .completion = words.empty() ? Completion::nothing : Completion::words,
                        .words = std::move(words)};
  };
  OptionTraits integrators = shared(integrator_list ? "ID,ID,..." : "ID", scene::built().integrators);
  integrators.listed = integrator_list;
  command.option("--integrator", integrator, "Time integrator (see `rebound list integrators`)", integrators);
  command.option("--solver", solver, "Solver of each step (see `rebound list solvers`)",
                 shared("ID", scene::built().solvers));
  command.option("--iterations", iterations, "Iterations of the solver a step", shared("INT"));
  command.option("--time-step", time_step, "Seconds a frame, 1e-5 to 1", shared("SECONDS"));
  command.option("--substeps", substeps, "Steps that a frame is cut into", shared("INT"));
  command.option("--threads", threads, "Threads of the simulation; the results do not depend on it", shared("INT"));
  command.option("--seed", seed, "Seed of every randomized start", shared("INT"));
  command.flag("--confined", confined,
               "For scenes and runs from strangers: refuse meshes that do not lie below their own folder");
  command.option("--set", settings,
                 "Set one element of the scene, such as /bodies/0/material/young=2e5; may be repeated",
                 {.one_value_each = true, .shared = true, .value = "POINTER=JSON"});
}

std::vector<std::string> SceneOptions::overrides() const {
  // For what is opened later in the window as well.
  if (confined) setenv("REBOUND_CONFINED", "1", 1);
  if (time_step) scene::checked("timeStep", *time_step, "--time-step");
  if (substeps) scene::checked("substeps", *substeps, "--substeps");
  if (iterations) scene::checked("solver.iterations", *iterations, "--iterations");
  if (threads) scene::checked("threads", *threads, "--threads");
  if (seed) scene::checked("seed", *seed, "--seed");
  if (integrator) require_known("integrator", *integrator, scene::built().integrators);
  if (solver) require_known("solver", *solver, scene::built().solvers);

  // As settings they go through the same checks as the scene, each with the others.
  std::vector<std::string> all;
  const auto set = [&all](const char* pointer, const nlohmann::json& value) {
    all.push_back(pointer + ("=" + value.dump()));
  };
  if (integrator) set("/integrator/type", *integrator);
  if (solver) set("/solver/type", *solver);
  if (iterations) set("/solver/iterations", static_cast<int>(*iterations));
  if (time_step) set("/timeStep", *time_step);
  if (substeps) set("/substeps", static_cast<int>(*substeps));
  all.insert(all.end(), settings.begin(), settings.end());
  return all;
}

scene::Description SceneOptions::open_scene() const {
  scene::Description description = scene::open(scene, overrides());
  if (seed)
    for (auto& body : description.bodies)
      if (auto* start = std::get_if<scene::RandomizedStart>(&body.start))
        start->seed = static_cast<std::uint64_t>(*seed);
  return description;
}

int SceneOptions::thread_count() const {
  if (threads) return static_cast<int>(*threads);
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 16);
}

Exit failed_status(const session::Session& session) {
  if (session.outcome() == sim::Outcome::out_of_memory) return kMachineLacks;
  // A start that a barrier cannot begin from is a scene's fault, not the simulation's.
  return session.cannot_begin() ? kUnusableInput : kSimulationFailed;
}

}  // namespace rebound::cli
