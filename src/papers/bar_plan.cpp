// [You26 Table 2]: an elastic bar of one dimension meets a wall at 1 m/s; what is left of the speed of its centre says
// what a method does with a collision. The gap to the wall at the start is not known and matters where a step is long,
// so several are run.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "papers/bar_energies.hpp"
#include "papers/plans.hpp"
#include "scene/ranges.hpp"
#include "sim/linear/symmetric_eigen.hpp"
#include "sim/stepper.hpp"

namespace rebound::papers {
namespace {

struct BarSettings {
  std::string integrator;
  double wave_speed = 1;  ///< m/s
  int steps = 30;         ///< a second
  int gaps = 1;
  double seconds = 5;
  double drag = 0;  ///< 1/s
  double alpha_max = 1.1;
  int every = 1;
};

constexpr int kElements = 30;
constexpr double kMass = 10, kReach = 0.01, kBarrier = 100, kSpeed = 1, kClear = 0.1;

double modulus(const BarSettings& settings) { return kMass * settings.wave_speed * settings.wave_speed; }

sim::Model bar_model(const BarSettings& settings) {
  sim::Model model;
  model.M = sim::Vector::Constant(kElements + 1, kMass / kElements);
  model.M[0] /= 2;
  model.M[kElements] /= 2;
  model.fixed.assign(kElements + 1, 0);
  model.bodies.push_back({0, kElements + 1});
  model.energies.push_back(std::make_shared<BarEnergy>(kElements, modulus(settings)));
  model.energies.push_back(std::make_shared<BarrierWall>(kReach, kBarrier));
  return model;
}

/// Of the energy of vibration about the straight bar: what is in the fastest third of its modes.
double top_third(const BarSettings& settings, const sim::Model& model, const sim::State& state) {
  constexpr int n = kElements + 1;
  // In coordinates scaled by the root of the masses.
  const Eigen::VectorXd root_M = model.M.cwiseSqrt();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  const double k = modulus(settings) * kElements;
  for (int e = 0; e < kElements; ++e) {
    K(e, e) += k, K(e + 1, e + 1) += k;
    K(e, e + 1) -= k, K(e + 1, e) -= k;
  }
  K.array() /= (root_M * root_M.transpose()).array();
  sim::SymmetricEigen solver;
  const sim::SymmetricEigen::Pairs modes = solver.of(K, n);
  Eigen::VectorXd u(n);
  for (int i = 0; i < n; ++i) u[i] = state.x(i, 0) - static_cast<double>(i) / kElements;
  const Eigen::VectorXd q = modes.vectors.transpose() * root_M.cwiseProduct(u);
  const Eigen::VectorXd dq = modes.vectors.transpose() * root_M.cwiseProduct(state.v.col(0));
  double all = 0, fast = 0;
  for (int i = 1; i < n; ++i) {  // the first is the bar's flight
    const double energy = 0.5 * (dq[i] * dq[i] + modes.values[i] * q[i] * q[i]);
    all += energy;
    if (i > n - 1 - (n - 1) / 3) fast += energy;
  }
  return all > 0 ? fast / all : 0;
}

class BarExperiment final : public Experiment {
 public:
  explicit BarExperiment(const BarSettings& settings) : settings_(settings) {
    run_.columns = {{"gap", "m", {}}, {"speed", "m/s", {}}};
  }

  bool advance() override {
    // Spread over what is travelled in one step.
    const double gap = kClear + (gap_ + 0.5) / settings_.gaps / settings_.steps * kSpeed;
    run_.columns[0].values.push_back(gap);
    run_.columns[1].values.push_back(speed_left(gap));
    return ++gap_ < settings_.gaps && run_.ended.empty();
  }
  double share() const override { return static_cast<double>(gap_) / settings_.gaps; }
  Run take() override { return std::move(run_); }

 private:
  double speed_left(double gap) {
    sim::Model model = bar_model(settings_);
    sim::Workspace work(1);
    sim::Stepper stepper(model, work, settings_.integrator, "newton");
    stepper.settings.alpha.max = settings_.alpha_max;
    stepper.settings.alpha.every = settings_.every;
    sim::History history;
    history.now = {sim::Points::Zero(kElements + 1, 3), sim::Points::Zero(kElements + 1, 3), {}};
    for (int i = 0; i <= kElements; ++i) history.now.x(i, 0) = kReach + gap + static_cast<double>(i) / kElements;
    history.now.v.col(0).setConstant(-kSpeed);
    const double h = 1.0 / settings_.steps;
    sim::Ledger ledger = stepper.ledger(history.now, h);
    for (int i = 0; i < std::lround(settings_.seconds * settings_.steps); ++i) {
      if (stepper.step(history, ledger, h).outcome != sim::Outcome::done) {
        run_.ended = "step " + std::to_string(i) + " could not be made";
        return NAN;
      }
      if (settings_.drag > 0) slow(model, history, ledger, 1 - settings_.drag * h);
    }
    run_.facts["top_third_share"] = top_third(settings_, model, history.now);
    return history.now.v.col(0).dot(model.M) / kMass;
  }

  /// Drag that is proportional to mass.
  static void slow(const sim::Model& model, sim::History& history, sim::Ledger& ledger, double keep) {
    sim::Points& v = history.now.v;
    const double had = model.kinetic(v);
    const sim::Points change = (keep - 1) * v;
    v += change;
    sim::changed_after_step(history, change);
    ledger.dissipate(sim::Dissipated::damping, had - model.kinetic(v));
  }

  BarSettings settings_;
  int gap_ = 0;
  Run run_;
};

/// A particle that meets a wall [You26 App. E].
struct WallSettings {
  std::string integrator;
  double beta = 0.5;       ///< the phase: steps to the wall
  double stiffness = 1e8;  ///< h^2 k/m
  double alpha_max = 1.1;
  int steps = 4;
};

class WallExperiment final : public Experiment {
 public:
  explicit WallExperiment(const WallSettings& settings) : settings_(settings) {
    run_.columns = {{"step", "", {}}, {"x", "m", {}}, {"v", "m/s", {}}};
  }

  bool advance() override {
    sim::Model model;
    model.M = sim::Vector::Ones(1);
    model.fixed.assign(1, 0);
    model.bodies.push_back({0, 1});
    model.energies.push_back(std::make_shared<SpringWall>(settings_.stiffness));
    sim::Workspace work(1);
    sim::Stepper stepper(model, work, settings_.integrator, "newton");
    stepper.settings.alpha.max = settings_.alpha_max;
    sim::History history;
    history.now = {sim::Points::Zero(1, 3), sim::Points::Zero(1, 3), {}};
    history.now.x(0, 0) = settings_.beta;
    history.now.v(0, 0) = -1;
    sim::Ledger ledger = stepper.ledger(history.now, 1);
    for (int n = 0; n <= settings_.steps; ++n) {
      run_.columns[0].values.push_back(n);
      run_.columns[1].values.push_back(history.now.x(0, 0));
      run_.columns[2].values.push_back(history.now.v(0, 0));
      if (n < settings_.steps && stepper.step(history, ledger, 1).outcome != sim::Outcome::done) {
        run_.ended = "step " + std::to_string(n) + " could not be made";
        break;
      }
    }
    done_ = true;
    return false;
  }
  double share() const override { return done_ ? 1 : 0; }
  Run take() override { return std::move(run_); }

 private:
  WallSettings settings_;
  bool done_ = false;
  Run run_;
};

template <class Made, class Settings>
class OneDimensionPlan final : public Plan {
 public:
  OneDimensionPlan(Settings settings, std::string text) : settings_(std::move(settings)), text_(std::move(text)) {}
  std::unique_ptr<Experiment> begin(const Means&) const override { return std::make_unique<Made>(settings_); }
  std::string fingerprint(const Means&) const override { return text_; }
  std::vector<Asked> asks() const override { return {{"integrator", settings_.integrator}}; }

 private:
  Settings settings_;
  std::string text_;
};

std::string integrator_of(scene::Reader& run) {
  return run.required("integrator", "an identifier, as `rebound list integrators` has them").text();
}

double positive(scene::Reader& run, std::string_view key, double standard) {
  const auto value = run.find(key);
  if (!value) return standard;
  if (!(value->plain_number() > 0)) value->fail("must be above 0");
  return value->plain_number();
}

int whole(scene::Reader& run, std::string_view key, int standard, int most) {
  static const scene::Range& row = scene::range("frames");
  const auto value = run.find(key);
  if (!value) return standard;
  const std::int64_t number = value->integer(row);
  if (number < 1 || number > most) value->fail("must be from 1 to " + std::to_string(most));
  return static_cast<int>(number);
}

}  // namespace

std::unique_ptr<Plan> read_bar_plan(scene::Reader& run, const SceneSource&) {
  BarSettings settings;
  settings.integrator = integrator_of(run);
  settings.wave_speed = positive(run, "waveSpeed", 1);
  settings.steps = whole(run, "stepsASecond", 30, 1'000'000);
  settings.gaps = whole(run, "gaps", 1, 1000);
  settings.seconds = positive(run, "seconds", 5);
  if (const auto drag = run.find("drag")) settings.drag = drag->number(scene::range("damping.coefficient.drag"));
  run.number("alphaMax", "integrator.alphaMax", settings.alpha_max);
  run.integer("every", "integrator.every", settings.every);
  return std::make_unique<OneDimensionPlan<BarExperiment, BarSettings>>(settings, "bar " + run.value().json().dump());
}

std::unique_ptr<Plan> read_wall_plan(scene::Reader& run, const SceneSource&) {
  WallSettings settings;
  settings.integrator = integrator_of(run);
  settings.beta = positive(run, "beta", 0.5);
  settings.stiffness = positive(run, "stiffness", 1e8);
  run.number("alphaMax", "integrator.alphaMax", settings.alpha_max);
  settings.steps = whole(run, "steps", 4, 1000);
  return std::make_unique<OneDimensionPlan<WallExperiment, WallSettings>>(settings,
                                                                          "wall " + run.value().json().dump());
}

}  // namespace rebound::papers
