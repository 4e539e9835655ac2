// [Chen20 Fig. 4]: what the lowest eigenpairs of a matrix cost by themselves, from nowhere, over how many are wanted.
// The matrix is the 5-point Laplacian of a grid with its edge held, whose eigenvalues are known in closed form:
//   lambda_ij = 4 sin^2(i pi / (2 (n_x + 1))) + 4 sin^2(j pi / (2 (n_y + 1)))
#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "papers/plans.hpp"
#include "sim/linear/cholesky.hpp"
#include "sim/linear/lowest_pairs.hpp"

namespace rebound::papers {
namespace {

constexpr int kGridAcross = 100, kGridAlong = 200;  // the paper's n of 20,000
constexpr double kPairTolerance = 1e-8;
constexpr int kTimes = 3;  // each number of pairs; the quickest counts

sim::SparseMatrix grid_laplacian() {
  sim::Triplets entries;
  for (int j = 0; j < kGridAlong; ++j)
    for (int i = 0; i < kGridAcross; ++i) {
      const int at = j * kGridAcross + i;
      entries.emplace_back(at, at, 4.0);
      if (i + 1 < kGridAcross) entries.emplace_back(at + 1, at, -1.0);
      if (j + 1 < kGridAlong) entries.emplace_back(at + kGridAcross, at, -1.0);
    }
  sim::SparseMatrix K(kGridAcross * kGridAlong, kGridAcross * kGridAlong);
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

std::vector<double> exact_values() {
  const auto along = [](int i, int n) { return 4 * std::pow(std::sin(i * std::numbers::pi / (2 * (n + 1))), 2); };
  std::vector<double> values;
  for (int i = 1; i <= kGridAcross; ++i)
    for (int j = 1; j <= kGridAlong; ++j) values.push_back(along(i, kGridAcross) + along(j, kGridAlong));
  std::sort(values.begin(), values.end());
  return values;
}

class GridMatrix final : public sim::InvertedMatrix {
 public:
  explicit GridMatrix(int threads)
      : workers_(threads), K_(grid_laplacian()), factor_(std::make_shared<sim::CholeskyAnalysis>(K_)) {
    factor_.factor(K_);
  }
  int size() const override { return static_cast<int>(K_.rows()); }
  void multiply(const Eigen::MatrixXd& from, Eigen::MatrixXd& to) override {
    to = K_.selfadjointView<Eigen::Lower>() * from;
  }
  void precondition(Eigen::Ref<Eigen::MatrixXd> x) override { factor_.solve(x, &workers_); }
  double offset() const override { return 0; }
  void sharpen(double) override {}
  void restrict(Eigen::MatrixXd&) const override {}
  int free() const override { return size(); }
  sim::Workers& workers() override { return workers_; }

 private:
  sim::Workers workers_;
  sim::SparseMatrix K_;
  sim::RepeatedCholesky factor_;
};

/// The slope of log y over log x by least squares.
double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

class ModesExperiment final : public Experiment {
 public:
  ModesExperiment(std::vector<double> wanted, int threads)
      : wanted_(std::move(wanted)), matrix_(threads), exact_(exact_values()) {
    run_.columns = {{"modes", "", {}}, {"eigenpairs_ms", "ms", {}}, {"sweeps", "", {}}};
  }

  bool advance() override {
    const int wanted = static_cast<int>(wanted_[done_]);
    double quickest = INFINITY;
    sim::LowestPairs pairs;
    for (int time = 0; time < kTimes; ++time) {
      const auto began = std::chrono::steady_clock::now();
      pairs = sim::lowest_pairs(matrix_, wanted, 0, {kPairTolerance, 200}, {});
      quickest = std::min(quickest,
                          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
    }
    if (!pairs.converged)
      run_.ended = std::to_string(wanted) + " eigenpairs were not found to " + std::to_string(kPairTolerance);
    for (int i = 0; i < wanted; ++i)
      worst_ = std::max(worst_, std::abs(pairs.theta[i] / exact_[static_cast<std::size_t>(i)] - 1));
    run_.columns[0].values.push_back(wanted);
    run_.columns[1].values.push_back(quickest);
    run_.columns[2].values.push_back(pairs.sweeps);
    return ++done_ < wanted_.size();
  }
  double share() const override { return static_cast<double>(done_) / static_cast<double>(wanted_.size()); }
  Run take() override {
    run_.facts = {{"eigenvalue_error", worst_},
                  {"cost_exponent", exponent(run_.columns[0].values, run_.columns[1].values)}};
    return std::move(run_);
  }

 private:
  std::vector<double> wanted_;
  GridMatrix matrix_;
  std::vector<double> exact_;
  std::size_t done_ = 0;
  double worst_ = 0;
  Run run_;
};

class ModesPlan final : public Plan {
 public:
  explicit ModesPlan(std::vector<double> wanted) : wanted_(std::move(wanted)) {}
  std::unique_ptr<Experiment> begin(const Means& means) const override {
    return std::make_unique<ModesExperiment>(wanted_, means.threads);
  }
  std::string fingerprint(const Means&) const override { return "modes " + nlohmann::json(wanted_).dump(); }
  std::vector<Asked> asks() const override { return {}; }

 private:
  std::vector<double> wanted_;
};

}  // namespace

std::unique_ptr<Plan> read_modes_plan(scene::Reader& run, const SceneSource&) {
  const scene::Value modes = run.required("modes", "a list of numbers of modes, such as [10, 20, 40]");
  std::vector<double> wanted;
  modes.each([&](const scene::Value& value) {
    const double number = value.plain_number();
    if (!(number >= 1 && number <= 200 && number == std::floor(number)))
      value.fail("must be a whole number from 1 to 200");
    wanted.push_back(number);
  });
  if (wanted.size() < 2) modes.fail("has fewer than two numbers, over which nothing grows");
  return std::make_unique<ModesPlan>(std::move(wanted));
}

}  // namespace rebound::papers
