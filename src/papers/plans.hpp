// What a run does, as a row's file says it: kinds of runs, a closed set.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "papers/drum.hpp"
#include "papers/run.hpp"
#include "scene/description.hpp"
#include "scene/json_reader.hpp"

namespace rebound::papers {

/// What runs are made with.
struct Means {
  int threads = 1;
  std::filesystem::path meshes;  ///< where the papers' own bodies lie; empty: nowhere
};

/// An identifier of the registry that a run asks for.
struct Asked {
  std::string_view kind;  ///< "integrator", "solver" or "material"
  std::string id;
};

struct SceneSource;

class Plan {
 public:
  virtual ~Plan() = default;
  /// Throws InputError where what it opens cannot be used.
  virtual std::unique_ptr<Experiment> begin(const Means& means) const = 0;
  /// All that its results depend on, as text.
  virtual std::string fingerprint(const Means& means) const = 0;
  virtual std::vector<Asked> asks() const = 0;
  /// The scene that it opens; null where there is none.
  virtual const SceneSource* source() const { return nullptr; }
  /// That scene, to be seen or filmed. Throws InputError.
  std::optional<scene::Description> shown(const Means& means) const;
};

/// The scene that the runs of a row share, before their own settings.
struct SceneSource {
  std::string open;                      ///< a built-in scene or a file
  std::string body;                      ///< or a body of the benchmarks, spinning and stretched
  std::shared_ptr<nlohmann::json> made;  ///< or a scene that stands in the row's file
  std::filesystem::path folder;          ///< of that file
  std::vector<std::string> settings;     ///< POINTER=JSON
  std::optional<std::int64_t> frames;
  std::string mesh;                        ///< of the first body, in the folder of --meshes, where it is there
  std::vector<std::string> mesh_settings;  ///< POINTER=JSON besides, where it is
  std::optional<Strike> strike;            ///< of the first body, a disk

  bool is_given() const { return !open.empty() || !body.empty() || made != nullptr; }
};

/// "scene", "body", "set", "frames", "mesh", "meshSet" and "strike" of a row, or of a run of it, over what was there.
void read_scene_source(scene::Reader& reader, SceneSource& into);

struct PlanKind {
  std::string_view name;
  std::string_view what;
  /// Reads what it needs from a run's object. shared: what the row says of its scene.
  std::unique_ptr<Plan> (*read)(scene::Reader& run, const SceneSource& shared);
};
std::span<const PlanKind> plan_kinds();

std::unique_ptr<Plan> read_scene_plan(scene::Reader& run, const SceneSource& shared);
std::unique_ptr<Plan> read_motion_plan(scene::Reader& run, const SceneSource& shared);
std::unique_ptr<Plan> read_oscillator_plan(scene::Reader& run, const SceneSource& shared);
std::unique_ptr<Plan> read_bar_plan(scene::Reader& run, const SceneSource& shared);
std::unique_ptr<Plan> read_wall_plan(scene::Reader& run, const SceneSource& shared);
std::unique_ptr<Plan> read_map_plan(scene::Reader& run, const SceneSource& shared);
std::unique_ptr<Plan> read_least_steps_plan(scene::Reader& run, const SceneSource& shared);
std::unique_ptr<Plan> read_after_the_solve_plan(scene::Reader& run, const SceneSource& shared);
std::unique_ptr<Plan> read_modes_plan(scene::Reader& run, const SceneSource& shared);
std::unique_ptr<Plan> read_printed_plan(scene::Reader& run, const SceneSource& shared);
std::unique_ptr<Plan> read_two_springs_plan(scene::Reader& run, const SceneSource& shared);

}  // namespace rebound::papers
