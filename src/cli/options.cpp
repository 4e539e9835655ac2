#include "cli/options.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "mesh/error.hpp"
#include "scene/identifiers.hpp"
#include "scene/library.hpp"
#include "scene/ranges.hpp"

namespace rebound::cli {
int fail(int status, std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::fprintf(stderr, "rebound: %s\n", message.c_str());
  return status;
}

void require_known(const std::string& option, const std::string& id, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), id) != known.end()) return;
  std::string list;
  for (const auto& name : known) list += (list.empty() ? "" : ", ") + name;
  throw InputError("--" + option + ": '" + id + "' is not built into this version; one of: " + list);
}

void SceneOptions::add_to(CLI::App& command, bool scene_required) {
  auto* positional = command.add_option("scene", scene, "A scene file, a mesh file, or the name of a built-in scene");
  if (scene_required) positional->required();
  add_overrides_to(command);
}

void SceneOptions::add_overrides_to(CLI::App& command) {
  command.add_option("--integrator", integrator, "Time integrator (see `rebound list integrators`)");
  command.add_option("--solver", solver, "Solver of each step (see `rebound list solvers`)");
  command.add_option("--iterations", iterations, "Iterations of the solver a step");
  command.add_option("--time-step", time_step, "Seconds a frame, 1e-5 to 1");
  command.add_option("--substeps", substeps, "Steps that a frame is cut into");
  command.add_option("--threads", threads, "Threads of the simulation; the results do not depend on it");
  command.add_option("--seed", seed, "Seed of every randomized start");
  command
      .add_option("--set", settings,
                  "POINTER=JSON: sets one element of the scene, such as /bodies/0/material/young=2e5")
      ->take_all()
      ->allow_extra_args(false);
}

std::vector<std::string> SceneOptions::overrides() const {
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

}  // namespace rebound::cli
