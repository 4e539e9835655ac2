// [Gast15 Fig. 1 to 4, 10]: where Newton's method arrives, over a map of starts and in every step of a scene; and
// contacts that are mended after the solve.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "papers/newton_map.hpp"
#include "papers/plain_newton.hpp"
#include "papers/scene_plan.hpp"
#include "scene/method_settings.hpp"
#include "session/hands.hpp"

namespace rebound::papers {
namespace {

class MapExperiment final : public Experiment {
 public:
  explicit MapExperiment(double h) : h_(h) {}
  bool advance() override {
    add_rows(h_, row_, row_ + 1, map_);
    return ++row_ < NewtonMap::kHeight;
  }
  double share() const override { return static_cast<double>(row_) / NewtonMap::kHeight; }
  Run take() override {
    Run run;
    run.columns = {{"pixel", "", {}}, {"newton", "", {}}, {"gast", "", {}}};
    for (std::size_t i = 0; i < map_.plain.size(); ++i) {
      run.columns[0].values.push_back(static_cast<double>(i));
      run.columns[1].values.push_back(map_.plain[i]);
      run.columns[2].values.push_back(map_.gast[i]);
    }
    run.facts["newton_failed"] = map_.plain_failed();
    run.facts["gast_failed"] = map_.gast_failed();
    return run;
  }

 private:
  double h_;
  int row_ = 0;
  NewtonMap map_;
};

class MapPlan final : public Plan {
 public:
  explicit MapPlan(double h) : h_(h) {}
  std::unique_ptr<Experiment> begin(const Means&) const override { return std::make_unique<MapExperiment>(h_); }
  std::string fingerprint(const Means&) const override { return "map " + std::to_string(h_); }
  std::vector<Asked> asks() const override { return {{"solver", "gast"}}; }

 private:
  double h_;
};

/// A scene that is stepped with a solver of ours, at so many steps a frame.
class SteppedScene {
 public:
  /// make: the solver for a model; the world must outlive this.
  template <class Make>
  SteppedScene(const scene::World& world, int steps, int threads, const Make& make)
      : world_(world), model_(scene::build_model(world)), work_(threads), steps_(steps) {
    stepper_ = std::make_unique<sim::Stepper>(model_, work_, make(model_));
    stepper_->set_integrator(world.description.integrator.type);
    stepper_->set_damping(world.description.damping.type);
    stepper_->settings = scene::step_settings(world.description);
    stepper_->settings.solver.iterations = PlainNewton::kMost;
    handles_ = scene::moving_handles(world, model_);
    led_.assign(model_.obstacles.size(), 0);
    history_.now = scene::starting_state(world, model_);
    model_.clear_fixed(history_.now.v);
    ledger_ = stepper_->ledger(history_.now, step_size());
  }

  /// One of its steps; false where it broke.
  bool step() {
    const double h = step_size();
    time_ += h;
    session::Hands hands(world_.description, handles_, led_, {}, time_, h, work_);
    return stepper_->step(history_, ledger_, h, hands).outcome == sim::Outcome::done;
  }
  bool frame() {
    for (int i = 0; i < steps_; ++i)
      if (!step()) return false;
    return true;
  }
  double step_size() const { return world_.description.timeStep / steps_; }
  double time() const { return time_; }
  sim::Model& model() { return model_; }
  sim::State& now() { return history_.now; }

 private:
  const scene::World& world_;
  sim::Model model_;
  sim::Workspace work_;
  int steps_;
  std::unique_ptr<sim::Stepper> stepper_;
  std::vector<scene::MovingHandle> handles_;
  std::vector<std::uint8_t> led_;
  sim::History history_;
  sim::Ledger ledger_;
  double time_ = 0;
};

class LeastStepsExperiment final : public Experiment {
 public:
  LeastStepsExperiment(scene::World world, std::int64_t frames, int most, int threads)
      : world_(std::move(world)), frames_(frames), most_(most), threads_(threads) {
    for (const char* name : {"steps a frame", "steps", "newton failed", "gast failed", "newton iterations",
                             "gast iterations", "newton seconds", "gast seconds"})
      run_.columns.push_back({name, "", {}});
  }

  bool advance() override {
    if (!scene_)
      scene_ = std::make_unique<SteppedScene>(world_, steps_, threads_, [&](const sim::Model& model) {
        auto made = std::make_unique<WatchedNewton>(model);
        solver_ = made.get();
        return made;
      });
    const bool well = scene_->frame();
    if (!well) run_.ended = "a step broke at " + std::to_string(steps_) + " steps a frame";
    // One failure is enough to know that more steps are needed; at one a frame all are counted.
    const bool enough = steps_ > 1 && solver_->plain().failed > 0;
    if (++frame_ < frames_ && well && !enough) return true;
    const auto &plain = solver_->plain(), &gast = solver_->gast();
    const double arrived = std::max(1, plain.solves - plain.failed);
    const double row[] = {static_cast<double>(steps_),
                          static_cast<double>(plain.solves),
                          static_cast<double>(plain.failed),
                          static_cast<double>(gast.failed),
                          plain.iterations / arrived,
                          static_cast<double>(gast.iterations) / gast.solves,
                          plain.seconds,
                          gast.seconds};
    for (std::size_t i = 0; i < std::size(row); ++i) run_.columns[i].values.push_back(row[i]);
    if (steps_ == 1) {
      run_.facts["newton_failed"] = plain.failed;
      run_.facts["gast_failed"] = gast.failed;
      run_.facts["gast_iterations"] = static_cast<double>(gast.iterations) / gast.solves;
      run_.facts["newton_iterations"] = plain.iterations / arrived;
      run_.facts["seconds_ratio"] = gast.seconds / plain.seconds;
    }
    scene_.reset();
    frame_ = 0;
    if (plain.failed == 0 && well) run_.facts["least_steps"] = steps_;
    return ++steps_ <= most_ && (plain.failed > 0 || !well);
  }
  double share() const override {
    return (steps_ - 1 + static_cast<double>(frame_) / static_cast<double>(frames_)) / most_;
  }
  Run take() override { return std::move(run_); }

 private:
  scene::World world_;
  std::int64_t frames_, frame_ = 0;
  int most_, threads_, steps_ = 1;
  std::unique_ptr<SteppedScene> scene_;
  WatchedNewton* solver_ = nullptr;  ///< of that scene
  Run run_;
};

class LeastStepsPlan final : public Plan {
 public:
  LeastStepsPlan(SceneSource source, int most) : source_(std::move(source)), most_(most) {}
  std::unique_ptr<Experiment> begin(const Means& means) const override {
    scene::World world = world_of(source_, means);
    const std::int64_t frames = source_.frames.value_or(world.description.frames);
    return std::make_unique<LeastStepsExperiment>(std::move(world), frames, most_, means.threads);
  }
  std::string fingerprint(const Means& means) const override {
    return "least steps " + std::to_string(most_) + fingerprint_of(source_, means);
  }
  std::vector<Asked> asks() const override { return asked_by(source_); }
  const SceneSource* source() const override { return &source_; }

 private:
  SceneSource source_;
  int most_;
};

/// Obstacles that nobody knows of while a step is solved: after it each vertex is put back to the surface, and its
/// velocity is the way that it has gone.
class AfterTheSolveExperiment final : public Experiment {
 public:
  AfterTheSolveExperiment(scene::World world, std::int64_t frames, int threads)
      : world_(std::move(world)),
        frames_(frames),
        scene_(world_, 1, threads, [](const sim::Model& model) { return std::make_unique<sim::Gast>(model); }),
        obstacles_(std::exchange(scene_.model().obstacles, {})) {
    for (sim::Obstacle& obstacle : obstacles_) obstacle.constraint = true;
    run_.columns = {{"time", "s", {}}, {"inverted", "", {}}, {"lowest", "m", {}}};
    look();
  }

  bool advance() override {
    before_ = scene_.now().x;
    if (!scene_.step()) {
      run_.ended = "a step broke";
      return false;
    }
    mend();
    look();
    return ++frame_ < frames_;
  }
  double share() const override { return static_cast<double>(frame_) / static_cast<double>(frames_); }
  Run take() override {
    const auto& inverted = run_.columns[1].values;
    run_.facts["most_inverted"] = *std::max_element(inverted.begin(), inverted.end());
    return std::move(run_);
  }

 private:
  void mend() {
    sim::Model& model = scene_.model();
    std::swap(model.obstacles, obstacles_);
    sim::ObstacleConstraints constraints(model);
    constraints.begin();
    const sim::Points solved = scene_.now().x;
    constraints.project(scene_.now().x);
    for (Eigen::Index v = 0; v < solved.rows(); ++v)
      if (scene_.now().x.row(v) != solved.row(v))
        scene_.now().v.row(v) = (scene_.now().x.row(v) - before_.row(v)) / scene_.step_size();
    std::swap(model.obstacles, obstacles_);
  }
  void look() {
    const sim::Points& x = scene_.now().x;
    run_.columns[0].values.push_back(scene_.time());
    run_.columns[1].values.push_back(scene_.model().inside_out(x).elements);
    run_.columns[2].values.push_back(x.col(1).minCoeff());
  }

  scene::World world_;
  std::int64_t frames_, frame_ = 0;
  SteppedScene scene_;
  std::vector<sim::Obstacle> obstacles_;
  sim::Points before_;
  Run run_;
};

class AfterTheSolvePlan final : public Plan {
 public:
  explicit AfterTheSolvePlan(SceneSource source) : source_(std::move(source)) {}
  std::unique_ptr<Experiment> begin(const Means& means) const override {
    scene::World world = world_of(source_, means);
    const std::int64_t frames = source_.frames.value_or(world.description.frames);
    return std::make_unique<AfterTheSolveExperiment>(std::move(world), frames, means.threads);
  }
  std::string fingerprint(const Means& means) const override {
    return "after the solve " + fingerprint_of(source_, means);
  }
  std::vector<Asked> asks() const override { return asked_by(source_); }
  const SceneSource* source() const override { return &source_; }

 private:
  SceneSource source_;
};

SceneSource given_scene(scene::Reader& run, const SceneSource& shared) {
  SceneSource source = shared;
  read_scene_source(run, source);
  if (!source.is_given()) run.fail("has no scene; give \"scene\" or \"body\", here or for the whole row");
  return source;
}

}  // namespace

std::unique_ptr<Plan> read_map_plan(scene::Reader& run, const SceneSource&) {
  return std::make_unique<MapPlan>(
      run.required("step", "the step in s, such as 0.04").number(scene::range("timeStep")));
}

std::unique_ptr<Plan> read_least_steps_plan(scene::Reader& run, const SceneSource& shared) {
  SceneSource source = given_scene(run, shared);
  int most = 8;
  run.integer("most", "substeps", most);
  return std::make_unique<LeastStepsPlan>(std::move(source), most);
}

std::unique_ptr<Plan> read_after_the_solve_plan(scene::Reader& run, const SceneSource& shared) {
  return std::make_unique<AfterTheSolvePlan>(given_scene(run, shared));
}

}  // namespace rebound::papers
