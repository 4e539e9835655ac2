// Quasi-Newton against Newton and against itself in double precision, for every material of tetrahedra.
#include "sim/step/quasi_newton.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "sim/step/float_quasi_newton.hpp"
#include "sim/step/newton.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

// L-BFGS that keeps n pairs is conjugate directions on a quadratic: with exact line searches it ends after n steps.
TEST(Lbfgs, EndsOnAQuadraticAfterAsManyStepsAsItHasDimensions) {
  constexpr int n = 5;
  std::mt19937 random(3);
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n * n; ++i) B.data()[i] = std::normal_distribution<double>()(random);
  const Eigen::MatrixXd A = B * B.transpose() + Eigen::MatrixXd::Identity(n, n);
  const Eigen::MatrixXd H0 = A.diagonal().cwiseInverse().asDiagonal();
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(n, 1, 2);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n), g = A * x - b, p = H0 * g;
  std::array<Eigen::VectorXd, Lbfgs::kPlaces> ps, ds;
  Lbfgs lbfgs;
  for (int step = 0; step < n; ++step) {
    ps[lbfgs.place()] = p;
    Lbfgs::Numbers pg{}, dg{};
    for (int age = 0; age <= lbfgs.kept(); ++age) {
      const int q = lbfgs.place(age);
      pg[q] = ps[q].dot(g);
      if (age > 0) dg[q] = ds[q].dot(g);
    }
    const Lbfgs::Direction direction = lbfgs.direction(pg, dg);
    Eigen::VectorXd d = Eigen::VectorXd::Zero(n);
    for (int age = 0; age <= lbfgs.kept(); ++age) {
      const int q = lbfgs.place(age);
      d += direction.along_p[q] * ps[q];
      if (age > 0) d += direction.along_d[q] * ds[q];
    }
    EXPECT_NEAR(direction.slope, g.dot(d), 1e-9 * std::abs(direction.slope));
    ds[lbfgs.place()] = d;
    const double length = -g.dot(d) / d.dot(A * d);
    lbfgs.went(length);
    x += length * d;
    g = A * x - b;
    p = H0 * g;
  }
  EXPECT_LT(g.norm(), 1e-9 * b.norm());
}

/// A cube of one material, held at a face, in a step after some motion.
struct MaterialStep : MaterialCube {
  MaterialStep(const char* material, double poisson, double strain = 0.05) : MaterialCube(material, 2e5, poisson, 4) {
    fall();
    hold_a_face();
    const int n = static_cast<int>(rest.rows());
    history.now = {rest + strain * random_points(n, 1, 0.3), random_points(n, 2, 0.5)};
    keep_held(history.now);
  }

  History history;
};

class QuasiNewtonTest : public testing::TestWithParam<const char*> {};

TEST_P(QuasiNewtonTest, ReachesNewtonsMinimumInBothPrecisions) {
  for (const double poisson : {0.3, 0.45}) {
    const MaterialStep of(GetParam(), poisson);
    StepBuffers buffers;
    Workspace work(2);
    const StepObjective g(of.model, kBackwardEuler, 0.033, of.history, buffers, work);
    Points expected = g.y();
    Newton newton(of.model);
    ASSERT_TRUE(newton.minimize(g, 100, nullptr, expected).converged);
    const double moved = largest_coordinate(expected - g.y());
    ASSERT_GT(moved, 1e-3);
    {
      QuasiNewton solver(of.model, Precision::double_only);
      Points x = g.y();
      const SolveReport report = solver.minimize(g, 500, nullptr, x);
      EXPECT_TRUE(report.converged);
      EXPECT_LT(largest_coordinate(x - expected), 1e-8 * moved) << report.iterations;
      RecordProperty("double", report.iterations);
    }
    FloatQuasiNewton solver(of.model);
    Points x = g.y();
    const SolveReport report = solver.minimize(g, 500, nullptr, x);
    EXPECT_TRUE(report.converged);
    EXPECT_LT(largest_coordinate(x - expected), 1e-8 * moved) << report.iterations;
    RecordProperty("single", report.iterations);
    for (Eigen::Index v = 0; v < x.rows(); ++v)
      if (of.model.fixed[static_cast<std::size_t>(v)]) {
        EXPECT_EQ((x.row(v) - of.rest.row(v)).norm(), 0) << "fixed";
      }
  }
}

// The objective of each iterate is at most that of the one before.
TEST_P(QuasiNewtonTest, NeverGoesUp) {
  const MaterialStep of(GetParam(), 0.4, 0.2);
  StepBuffers buffers;
  Workspace work(1);
  const StepObjective g(of.model, kBackwardEuler, 0.033, of.history, buffers, work);
  double before = INFINITY;
  for (const int iterations : {1, 2, 3, 5, 8, 12, 20}) {
    FloatQuasiNewton solver(of.model);
    Points x = of.history.now.x;
    solver.minimize(g, iterations, nullptr, x);
    const double value = g.value(x);
    EXPECT_LE(value, before + 2e-6 * std::abs(before)) << iterations;
    before = value;
  }
}

TEST_P(QuasiNewtonTest, AnyNumberOfThreadsGivesTheSameBytes) {
  const MaterialStep of(GetParam(), 0.3);
  std::vector<Points> results;
  for (const int threads : {1, 2, 3}) {
    StepBuffers buffers;
    Workspace work(threads);
    const StepObjective g(of.model, kImplicitMidpoint, 0.033, of.history, buffers, work);
    FloatQuasiNewton solver(of.model);
    results.push_back(g.y());
    solver.minimize(g, 10, nullptr, results.back());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

INSTANTIATE_TEST_SUITE_P(Materials, QuasiNewtonTest, testing::ValuesIn(solid_materials()),
                         [](const auto& of) { return test_name(of.param); });

}  // namespace
}  // namespace rebound::test
