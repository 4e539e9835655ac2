// Anderson acceleration: that it does on linear problems what theory says, and on bodies never worse than the plain
// steps.
#include "sim/step/anderson.hpp"

#include <gtest/gtest.h>

#include "sim/step/float_local_global.hpp"
#include "sim/step/local_global.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

// x <- x + f(x) with f = D (b - x), D diagonal: the combination whose residuals cancel is the solution once there are
// as many differences as distinct entries of D.
TEST(Anderson, SolvesALinearProblemOfThreeRatesOnceItHasThreeDifferences) {
  const Eigen::VectorXd rate = (Eigen::VectorXd(6) << 0.95, 0.95, 0.5, 0.5, 0.2, 0.2).finished();
  const Eigen::VectorXd solution = (Eigen::VectorXd(6) << 1, -2, 3, 0.5, -1, 4).finished();
  Anderson anderson;
  std::array<Eigen::VectorXd, Anderson::kKept> residuals, steps;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(6);
  const double start = solution.norm();
  for (int i = 0; i < 4; ++i) {
    const Eigen::VectorXd f = rate.cwiseProduct(solution - x);
    const int place = anderson.next_place();
    residuals[place] = f;
    steps[place] = x + f;
    Anderson::Numbers products{};
    for (int j = 0; j <= i; ++j) products[j] = f.dot(residuals[j]);
    const Anderson::Numbers weights = anderson.add(products);
    double sum = 0;
    x.setZero();
    for (int j = 0; j <= i; ++j) {
      x += weights[j] * steps[j];
      sum += weights[j];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_LT((x - solution).norm(), 1e-4 * start);
}

TEST(Anderson, NearlyParallelResidualsDoNotBlowUpTheWeights) {
  Anderson anderson;
  anderson.add({1});
  anderson.add({1, 1});
  const Anderson::Numbers weights = anderson.add({1, 1, 1});
  for (const double weight : weights) EXPECT_LT(std::abs(weight), 10);
}

// States of a cube thrown about, soft and stiff, moderate and wild.
class Accelerated : public testing::TestWithParam<double> {};

TEST_P(Accelerated, EightIterationsAreNoWorseThanTenPlainOnesAndTheObjectiveFalls) {
  Points rest;
  const Model model = arap_cube(5, GetParam(), rest);
  const int n = static_cast<int>(rest.rows());
  Workspace work(1);
  LocalGlobal twice(model, Precision::double_only);
  FloatLocalGlobal single(model);
  for (const double wild : {0.005, 0.05, 0.3}) {
    for (const Scheme& scheme : {kBackwardEuler, kImplicitMidpoint}) {
      History history;
      history.now = {rest + random_points(n, 1, 0.2 * wild), random_points(n, 2, 20 * wild)};
      StepBuffers buffers;
      const StepObjective g(model, scheme, 0.033, history, buffers, work);
      const auto value_after = [&](auto& solver, bool accelerate, int iterations) {
        Points x = g.y();
        solver.minimize(g, {iterations, 0, accelerate}, nullptr, x);
        return g.value(x);
      };
      const double plain = value_after(twice, false, 10);
      EXPECT_LE(value_after(twice, true, 8), plain * (1 + 1e-9)) << scheme.id << " " << wild;
      EXPECT_LE(value_after(single, true, 8), plain * (1 + 1e-6)) << scheme.id << " " << wild;
      double before = g.value(g.y());
      for (int iterations = 1; iterations <= 12; ++iterations) {
        const double now = value_after(twice, true, iterations);
        EXPECT_LT(now, before * (1 + 1e-2)) << iterations;
        before = std::min(before, now);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stiffness, Accelerated, testing::Values(1e4, 1e5, 1e6));

}  // namespace
}  // namespace rebound::test
