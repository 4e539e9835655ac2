// Friction behind a barrier: what slides is as Coulomb says, what is held creeps by no more than it may.
#include <gtest/gtest.h>

#include "barrier_world.hpp"
#include "sim/contact/sliding.hpp"

namespace rebound::test {
namespace {

TEST(Sliding, HasTheDerivativesOfItsFormulaAndIsBounded) {
  constexpr double e = 1e-5;
  EXPECT_EQ(slip(0, e).f1, 0);
  EXPECT_EQ(slip(e, e).f1, 1);
  EXPECT_EQ(slip(1, e).f1, 1);
  for (const double y : {0.1 * e, 0.5 * e, 0.99 * e, 2 * e}) {
    const double s = 1e-4 * e;
    EXPECT_NEAR((slip(y + s, e).f0 - slip(y - s, e).f0) / (2 * s), slip(y, e).f1, 1e-6);
    EXPECT_NEAR((slip(y + s, e).f1 - slip(y - s, e).f1) / (2 * s), slip(y, e).df1, 1e-3 / e);
  }
}

// A block on a slope of tan 0.5: 26.57 degrees.
class SlidingUnder : public testing::TestWithParam<const char*> {};

TEST_P(SlidingUnder, HoldsOrSlidesAsCoulombSays) {
  const double angle = std::atan(0.5), g = 9.81, h = 0.005;
  const Vec3 up(std::sin(angle), std::cos(angle), 0);
  const std::string integrator = GetParam();
  const bool two_solves = integrator == "tr-bdf2" || integrator == "sdirk2" || integrator == "rebound";
  const int most_iterations = integrator == "backward-euler" ? 400 : two_solves ? 1500 : 500;
  for (const double mu : {0.3, 0.49, 0.51}) {
    BoxBody box;
    box.size = {0.1, 0.04, 0.1};
    box.divisions = {3, 1, 3};
    box.young = 1e6;
    box.turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), up).toRotationMatrix();
    box.centre = (0.02 + 0.4e-3) * up;
    BarrierWorld world({box}, 1e-3);
    world.add_floor(mu, up);
    world.model.body_contact.barrier->slip = 1e-4;
    ASSERT_TRUE(world.run(200, h, "backward-euler", 1, 1e-8));
    ASSERT_TRUE(world.run(20, h, integrator, 1, 1e-8));
    EXPECT_EQ(world.crossings(), 0);
    const Vec3 down(std::cos(angle), -std::sin(angle), 0), start = world.middle(0);
    const auto speed = [&] { return (world.momentum() / world.model.M.sum()).dot(down); };
    const auto rubbed = [&] { return world.ledger.dissipated(Dissipated::friction); };
    const double before = speed(), rubbed_before = rubbed();
    const int iterations = world.iterations;
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(world.step(h));
    // Steadily sliding or held, Newton's method is quadratic.
    EXPECT_LE(world.iterations - iterations, most_iterations) << mu;
    if (mu < 0.5) {
      const double weight = g * world.model.M.sum() * std::cos(angle);
      EXPECT_NEAR((speed() - before) / (100 * h), g * (std::sin(angle) - mu * std::cos(angle)),
                  0.01 * g * (std::sin(angle) - mu * std::cos(angle)));
      EXPECT_NEAR(rubbed() - rubbed_before, mu * weight * (world.middle(0) - start).dot(down),
                  0.01 * (rubbed() - rubbed_before));
    } else {
      EXPECT_LT((world.middle(0) - start).norm() / (100 * h), 1e-4);
      EXPECT_LT(speed(), 1e-4);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Integrators, SlidingUnder,
                         testing::Values("backward-euler", "bdf2", "implicit-midpoint", "newmark", "tr-bdf2", "sdirk2",
                                         "generalized-alpha", "stabilized", "a-search", "rebound"),
                         [](const auto& of) {
                           std::string name = of.param;
                           std::erase(name, '-');
                           return name;
                         });

// A wall that settles: some touches hold, some slide, and some turn from the one to the other within a step.
TEST(Sliding, AWallTakesAFewIterationsAStepAndItsBlocksStayWhereTheyAre) {
  constexpr double kWide = 0.2, kHigh = 0.1, kGap = 0.002;
  std::vector<BoxBody> blocks;
  for (int row = 0; row < 3; ++row)
    for (int i = 0; i < 3 - row; ++i) {
      BoxBody block;
      block.size = {kWide, kHigh, kWide};
      block.divisions = {2, 1, 2};
      block.young = 1e6;
      block.centre = {(kWide + kGap) * (i + 0.5 * row), 0.5 * kHigh + kGap + row * (kHigh + kGap), 0.005 * row};
      blocks.push_back(block);
    }
  BarrierWorld world(blocks, 2e-3, 0.5);
  world.add_floor(0.5);
  const Points start = world.now.x;
  ASSERT_TRUE(world.run(60, 1.0 / 120, "tr-bdf2", 1, 1e-3));
  EXPECT_EQ(world.crossings(), 0);
  EXPECT_LT((world.now.x - start).cwiseAbs().maxCoeff(), 0.01);
  EXPECT_LE(world.iterations, 400);
}

// A block comes down flat and fast along the floor: what friction takes of its momentum is mu of what the floor gives.
TEST(Sliding, SolvedAgainAnImpactHasItsFriction) {
  constexpr double mu = 0.3, h = 0.005;
  for (const int solves : {1, 2, 8}) {
    BoxBody box;
    box.size = {0.2, 0.04, 0.2};
    box.divisions = {3, 1, 3};
    box.young = 1e6;
    box.v = {3, -1, 0};
    box.centre = {0, 0.02 + 8e-3, 0};
    BarrierWorld world({box}, 1e-3);
    world.add_floor(mu);
    world.model.body_contact.barrier->friction_solves = solves;
    double worst = 0;
    int impacts = 0;
    ASSERT_TRUE(world.run(0, h, "backward-euler", 1, 1e-8));
    for (int i = 0; i < 12; ++i) {
      const Vec3 before = world.momentum();
      ASSERT_TRUE(world.step(h));
      const Vec3 given = world.momentum() - before + Vec3(0, 9.81 * h * world.model.M.sum(), 0);
      if (given.y() < 0.01 * world.model.M.sum()) continue;
      ++impacts;
      worst = std::max(worst, std::abs(-given.x() / given.y() - mu));
    }
    EXPECT_GT(impacts, 5);
    // One solve has the forces of the step before, and in the first step of all none.
    EXPECT_GT(worst, solves == 1 ? 0.1 : 0);
    EXPECT_LT(worst, solves == 1 ? 10 : solves == 2 ? 0.01 : 1e-4);
  }
}

// A block that hops along: where it gets energy back, by forward Euler, it does not slide freely.
TEST(Sliding, GivingEnergyBackTakesNoFrictionAway) {
  constexpr double mu = 0.3, h = 0.001;
  BoxBody box;
  box.size = {0.2, 0.2, 0.2};
  box.divisions = {1, 1, 1};
  box.young = 1e6;
  box.v = {2, 0, 0};
  box.centre = {0, 0.1010001, 0};
  BarrierWorld world({box}, 1e-3);
  world.add_floor(mu);
  world.model.body_contact.barrier->friction_solves = 3;
  ASSERT_TRUE(world.run(0, h, "stabilized"));
  const Vec3 before = world.momentum();
  int given_back = 0;
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(world.step(h));
    given_back += world.report.blend.value_or(0) < 0 ? 1 : 0;
  }
  const Vec3 given = world.momentum() - before + Vec3(0, 9.81 * 500 * h * world.model.M.sum(), 0);
  EXPECT_GT(given_back, 0);
  EXPECT_NEAR(-given.x() / given.y(), mu, 0.01 * mu);
}

}  // namespace
}  // namespace rebound::test
