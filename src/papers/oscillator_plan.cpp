// What a method makes of x'' = -omega^2 x, by its own steps: z = h omega. From steps that begin at a displacement and
// at a velocity, the linear map of a step is fitted on (x_n, v_n, x_{n-1}, v_{n-1}), as a method may look back; its
// eigenvalues of the largest size are those of the motion [You26 App. C].
#include <algorithm>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>

#include "papers/fitted_map.hpp"
#include "papers/plans.hpp"
#include "sim/registry.hpp"
#include "sim/stepper.hpp"

namespace rebound::papers {
namespace {

struct OscillatorSettings {
  std::string integrator;
  std::vector<double> z;
  std::optional<double> alpha;  ///< of a-search: held there
  bool on_sdirk2 = false;
  double drag = 0;  ///< 1/s, of the velocity; a step is 1 s
};

constexpr int kSteps = 5;

/// One start's states: a column a moment, (x, v / omega).
Eigen::Matrix2Xd steps_from(const OscillatorSettings& settings, double z, double x, double v) {
  sim::Model model;
  model.M = sim::Vector::Ones(1);
  model.fixed.assign(1, 0);
  model.bodies.push_back({0, 1});
  model.attachments.items.push_back({sim::BodyPoint::at_vertex(0), z * z, sim::Vec3::Zero()});
  sim::Workspace work(1);
  sim::Stepper stepper(model, work, settings.integrator, "newton", "drag");
  if (settings.alpha) stepper.settings.alpha.min = stepper.settings.alpha.max = *settings.alpha;
  stepper.settings.alpha.on_sdirk2 = settings.on_sdirk2;
  stepper.settings.damping = settings.drag;
  sim::History history;
  history.now = {sim::Points::Zero(1, 3), sim::Points::Zero(1, 3), {}};
  history.now.x(0, 0) = x;
  history.now.v(0, 0) = v * z;
  sim::Ledger ledger = stepper.ledger(history.now, 1);
  Eigen::Matrix2Xd states(2, kSteps + 1);
  for (int n = 0; n <= kSteps; ++n) {
    states.col(n) << history.now.x(0, 0), history.now.v(0, 0) / z;
    if (n < kSteps && stepper.step(history, ledger, 1).outcome != sim::Outcome::done)
      states.rightCols(kSteps - n).setConstant(NAN);
  }
  return states;
}

/// Of a step's map, the largest first.
std::vector<std::complex<double>> largest_eigenvalues(const OscillatorSettings& settings, double z) {
  constexpr int kPairs = 2 * (kSteps - 1);
  Eigen::MatrixXd from(4, kPairs), to(4, kPairs);
  int pair = 0;
  for (const bool displaced : {true, false}) {
    const Eigen::Matrix2Xd states = steps_from(settings, z, displaced ? 1 : 0, displaced ? 0 : 1);
    for (int n = 1; n < kSteps; ++n, ++pair) {
      from.col(pair) << states.col(n), states.col(n - 1);
      to.col(pair) << states.col(n + 1), states.col(n);
    }
  }
  if (!from.allFinite() || !to.allFinite()) return {};
  constexpr double kThreshold = 1e-9;
  std::vector<std::complex<double>> values = eigenvalues(fitted_map(from, to, kThreshold));
  std::sort(values.begin(), values.end(), [](auto a, auto b) { return std::abs(a) > std::abs(b); });
  return values;
}

class OscillatorExperiment final : public Experiment {
 public:
  explicit OscillatorExperiment(const OscillatorSettings& settings) : settings_(settings) {
    for (const char* name : {"z", "artificial_damping", "frequency_ratio", "growth", "trace", "determinant"})
      run_.columns.push_back({name, "", {}});
  }

  bool advance() override {
    const double z = settings_.z[done_++];
    const auto lambda = largest_eigenvalues(settings_, z);
    std::array<double, 6> row{z, NAN, NAN, NAN, NAN, NAN};
    if (!lambda.empty()) {
      const double size = std::abs(lambda[0]);
      row = {z,    -2 * std::log(size) / z,        std::abs(std::arg(lambda[0])) / z,
             size, (lambda[0] + lambda[1]).real(), (lambda[0] * lambda[1]).real()};
    }
    for (std::size_t i = 0; i < row.size(); ++i) run_.columns[i].values.push_back(row[i]);
    return done_ < settings_.z.size();
  }
  double share() const override { return static_cast<double>(done_) / static_cast<double>(settings_.z.size()); }
  Run take() override { return std::move(run_); }

 private:
  OscillatorSettings settings_;
  std::size_t done_ = 0;
  Run run_;
};

class OscillatorPlan final : public Plan {
 public:
  OscillatorPlan(OscillatorSettings settings, std::string text)
      : settings_(std::move(settings)), text_(std::move(text)) {}
  std::unique_ptr<Experiment> begin(const Means&) const override {
    return std::make_unique<OscillatorExperiment>(settings_);
  }
  std::string fingerprint(const Means&) const override { return "oscillator " + text_; }
  std::vector<Asked> asks() const override { return {{"integrator", settings_.integrator}}; }

 private:
  OscillatorSettings settings_;
  std::string text_;
};

}  // namespace

std::unique_ptr<Plan> read_oscillator_plan(scene::Reader& run, const SceneSource&) {
  OscillatorSettings settings;
  settings.integrator = run.required("integrator", "an identifier, as `rebound list integrators` has them").text();
  const scene::Value z = run.required("z", "a list of h omega, such as [0.1, 1, 10]");
  z.each([&](const scene::Value& value) {
    if (!(value.plain_number() > 0)) value.fail("must be above 0");
    settings.z.push_back(value.plain_number());
  });
  if (settings.z.empty()) z.fail("is empty; give at least one h omega");
  run.number("alpha", "integrator.alphaMax", settings.alpha);
  run.truth("sdirk2", settings.on_sdirk2);
  run.number("drag", "damping.coefficient.drag", settings.drag);
  return std::make_unique<OscillatorPlan>(std::move(settings), run.value().json().dump());
}

}  // namespace rebound::papers
