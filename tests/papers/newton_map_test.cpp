// Plain Newton, and the map of where it arrives [Gast15 Fig. 1].
#include "papers/newton_map.hpp"

#include <gtest/gtest.h>

#include <random>

#include "papers/flat_body.hpp"
#include "papers/plain_newton.hpp"

namespace rebound::test {
namespace {

sim::Points square() {
  sim::Points x(4, 3);
  x << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0;
  return x;
}

sim::Points shaken(const sim::Points& x, unsigned seed, double size) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  sim::Points result = x;
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (int c = 0; c < 2; ++c) result(i, c) += size * unit(random);
  return result;
}

TEST(FlatBodyTest, HasNothingAtRestHoweverItIsTurned) {
  const papers::FlatBody body(square(), {{0, 1, 2}, {0, 2, 3}}, 3, 5);
  sim::Workspace work(1);
  for (const double angle : {0.0, 1.0, 3.0}) {
    const sim::Points x = square() * Eigen::AngleAxisd(angle, sim::Vec3::UnitZ()).toRotationMatrix().transpose();
    sim::Points gradient = sim::Points::Zero(4, 3);
    EXPECT_NEAR(body.add_gradient(x, gradient, work), 0, 1e-14);
    EXPECT_LT(gradient.norm(), 1e-13);
  }
  // Drawn to (a, b): mu ((a - 1)^2 + (b - 1)^2) + lambda / 2 (ab - 1)^2 of one square metre.
  sim::Points x = square();
  x.col(0) *= 1.5, x.col(1) *= 0.8;
  EXPECT_NEAR(body.value(x, work), 3 * (0.25 + 0.04) + 2.5 * 0.04, 1e-14);
}

TEST(FlatBodyTest, GradientAndHessianAreThoseOfTheEnergy) {
  const papers::FlatBody body(square(), {{0, 1, 2}, {0, 2, 3}}, 3, 5);
  sim::Model model;
  model.M = sim::Vector::Ones(4);
  model.fixed.assign(4, 0);
  model.energies.push_back(std::make_shared<papers::FlatBody>(body));
  sim::Workspace work(1);
  for (unsigned seed = 0; seed < 5; ++seed) {
    const sim::Points x = shaken(square(), seed, 0.6), d = shaken(sim::Points::Zero(4, 3), 100 + seed, 1);
    const double e = 1e-5;
    sim::Points gradient, after, before;
    model.gradient(x, gradient, work);
    EXPECT_NEAR(gradient.cwiseProduct(d).sum(), (body.value(x + e * d, work) - body.value(x - e * d, work)) / (2 * e),
                1e-7);
    model.gradient(x + e * d, after, work);
    model.gradient(x - e * d, before, work);
    sim::HessianBlocks H(model.laplacian());
    body.add_hessian(x, sim::Curvature::exact, H, work);
    sim::Points product;
    H.multiply(d, product, work.workers);
    EXPECT_LT((product - (after - before) / (2 * e)).norm(), 1e-6);
  }
}

TEST(PlainNewtonTest, TakesOneStepWhereEIsQuadraticAndWholeStepsElsewhere) {
  sim::Model model;
  model.M = sim::Vector::Ones(4);
  model.fixed.assign(4, 0);
  model.g = {0, -9.81, 0};
  sim::Workspace work(1);
  sim::StepBuffers buffers;
  sim::History history;
  history.now = {square(), sim::Points::Ones(4, 3)};
  const sim::StepObjective g(model, sim::kBackwardEuler, 0.1, history, buffers, work);
  papers::PlainNewton newton(model);
  sim::Points x = square();
  EXPECT_EQ(newton.solve(g, 1e-12, 10, x), 1) << "inertia alone";
  EXPECT_LT((x - g.y()).norm(), 1e-15);
}

// Where the step is small both arrive from everywhere; at a frame a step Newton is lost from many starts, gast from
// none.
TEST(NewtonMapTest, GastArrivesWhereNewtonDoesNot) {
  papers::NewtonMap fine, coarse;
  for (const int row : {4, 12, 40}) {
    papers::add_rows(1 / (24.0 * 170), row, row + 1, fine);
    papers::add_rows(1 / 24.0, row, row + 1, coarse);
  }
  ASSERT_EQ(coarse.plain.size(), 3u * papers::NewtonMap::kWidth);
  EXPECT_EQ(fine.gast_failed(), 0);
  EXPECT_EQ(coarse.gast_failed(), 0);
  EXPECT_GT(coarse.plain_failed(), 10);
  EXPECT_LT(fine.plain_failed(), coarse.plain_failed());
  EXPECT_EQ(coarse.plain[papers::NewtonMap::kWidth + 35], 0) << "at rest";
  EXPECT_EQ(coarse.gast[papers::NewtonMap::kWidth + 35], 0);
}

// Starts whose last steps are so short that E says nothing of them, and whose directions, solved for to half of |dE|,
// do not lower dE at the vertex where it is largest.
TEST(NewtonMapTest, GastArrivesWhereTheLastStepsAreBelowTheRoundingOfE) {
  papers::NewtonMap map;
  for (const int row : {31, 53, 59}) papers::add_rows(1 / (24.0 * 40), row, row + 1, map);
  papers::add_rows(1 / (24.0 * 20), 30, 31, map);
  EXPECT_EQ(map.gast_failed(), 0);
}

}  // namespace
}  // namespace rebound::test
