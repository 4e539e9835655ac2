// [Dinev18 App. C, Figs. 14 and 16]: the potential of a vertex between two springs, as this program has it, along x;
// and beta of Lemma 2, where it meets the line E(0) + (x + 1) max E'.
#include <cmath>
#include <nlohmann/json.hpp>

#include "mesh/error.hpp"
#include "papers/scene_plan.hpp"

namespace rebound::papers {
namespace {

class TwoSpringsExperiment final : public Experiment {
 public:
  explicit TwoSpringsExperiment(const scene::World& world)
      : model_(scene::build_model(world)),
        x_(scene::undeformed(world)),
        stiffness_(world.description.bodies[0].material.stiffness) {}

  bool advance() override {
    constexpr int kPoints = 501;
    constexpr double kFrom = -2.5, kTo = 2.5;
    run_.columns = {{"x", "m", {}}, {"E", "J", {}}, {"slope", "N", {}}};
    for (int i = 0; i < kPoints; ++i) {
      const double x = kFrom + (kTo - kFrom) * i / (kPoints - 1);
      run_.columns[0].values.push_back(x);
      run_.columns[1].values.push_back(energy(x));
      run_.columns[2].values.push_back(slope(x));
    }
    const double minimum = root(0.5, 2, [&](double x) { return slope(x); });
    // The steepest place left of the origin, where the slope is the largest within [-1, 1].
    const double steepest = root(-0.95, -0.05, [&](double x) { return bend(x); });
    const double hump = energy(0), rise = slope(steepest);
    run_.facts = {{"minimum_at", minimum},
                  {"hump", hump / stiffness_},
                  {"beta", root(1.1, 5, [&](double x) { return energy(x) - hump - (x + 1) * rise; })}};
    done_ = true;
    return false;
  }
  double share() const override { return done_ ? 1 : 0; }
  Run take() override { return std::move(run_); }

 private:
  double energy(double x) {
    x_(1, 0) = x;
    return model_.energy(x_, work_);
  }
  double slope(double x) {
    x_(1, 0) = x;
    model_.gradient(x_, gradient_, work_);
    return gradient_(1, 0);
  }
  double bend(double x) {
    constexpr double kStep = 1e-5;
    return (slope(x + kStep) - slope(x - kStep)) / (2 * kStep);
  }
  /// By halving; f has other signs at the ends.
  template <class F>
  static double root(double low, double high, const F& f) {
    const bool rises = f(high) > 0;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      ((f(middle) > 0) == rises ? high : low) = middle;
    }
    return 0.5 * (low + high);
  }

  sim::Model model_;
  sim::Points x_, gradient_;
  sim::Workspace work_{1};
  double stiffness_;
  bool done_ = false;
  Run run_;
};

class TwoSpringsPlan final : public Plan {
 public:
  explicit TwoSpringsPlan(SceneSource source) : source_(std::move(source)) {}
  std::unique_ptr<Experiment> begin(const Means& means) const override {
    const scene::World world = world_of(source_, means);
    if (world.bodies.size() != 1 || world.bodies[0].vertices() != 3)
      throw InputError("two-springs: the scene must have one body of three vertices");
    return std::make_unique<TwoSpringsExperiment>(world);
  }
  std::string fingerprint(const Means& means) const override { return "two-springs " + fingerprint_of(source_, means); }
  std::vector<Asked> asks() const override { return {}; }
  const SceneSource* source() const override { return &source_; }

 private:
  SceneSource source_;
};

}  // namespace

std::unique_ptr<Plan> read_two_springs_plan(scene::Reader& run, const SceneSource& shared) {
  SceneSource source = shared;
  read_scene_source(run, source);
  if (!source.is_given()) run.fail("has no scene; give \"scene\", here or for the whole row");
  return std::make_unique<TwoSpringsPlan>(std::move(source));
}

}  // namespace rebound::papers
