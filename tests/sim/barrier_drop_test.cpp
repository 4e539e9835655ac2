// Whole worlds between surfaces that may not touch: nothing goes through anything, nothing turns inside out, momentum
// and energy are what they should be, and the same bytes come out on any number of threads.
#include <gtest/gtest.h>

#include "barrier_world.hpp"

namespace rebound::test {
namespace {

double smallest_volume_share(const BarrierWorld& world) { return world.model.inside_out(world.now.x).elements; }

TEST(BarrierDrops, TwoBoxesFallOnEachOtherInAllKindsOfWays) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int drop = 0; drop < 60; ++drop) {
    BoxBody lower, upper;
    lower.divisions = upper.divisions = {1 + drop % 2, 1, 1 + drop % 3};
    lower.size = {0.2, 0.05, 0.2};
    lower.centre = {0, 0.03, 0};
    upper.centre = {0.12 * number(random), 0.2 + 0.02 * number(random), 0.12 * number(random)};
    upper.turn = turned(3 * number(random), {number(random), number(random), number(random)});
    upper.v = {number(random), -1 - 2 * std::abs(number(random)), number(random)};
    upper.omega = {5 * number(random), 5 * number(random), 5 * number(random)};
    upper.young = drop % 4 == 0 ? 1e4 : 2e5;
    BarrierWorld world({lower, upper}, 2e-3, drop % 5 == 0 ? 0.4 : 0);
    world.add_floor(drop % 5 == 0 ? 0.4 : 0);
    for (int step = 0; step < 25; ++step) {
      ASSERT_TRUE(step == 0 ? world.run(1, 0.01, "backward-euler", 1, 1e-3) : world.step(0.01)) << drop << " " << step;
      ASSERT_EQ(world.crossings(), 0) << drop << " " << step;
      ASSERT_EQ(smallest_volume_share(world), 0) << drop << " " << step;
    }
  }
}

TEST(BarrierDrops, TheEnergyThatTheLedgerHasIsThere) {
  // Some steps after a contact A-search may want more of forward Euler's velocities than 1.1 [You26 Fig. 14]: what it
  // lacks then is back a few steps later.
  for (const char* integrator : {"a-search", "stabilized"}) {
    BoxBody box;
    box.centre = {0, 0.3, 0};
    box.divisions = {3, 3, 3};
    box.turn = turned(0.4, {1, 0, 0.5});
    BarrierWorld world({box}, 1e-3);
    world.add_floor();
    double worst = 0;
    int apart = 0, steps = 0, far = 0;
    for (int step = 0; step < 120; ++step) {
      ASSERT_TRUE(step == 0 ? world.run(1, 1.0 / 120, integrator, 1, 1e-7) : world.step(1.0 / 120))
          << integrator << step;
      EXPECT_EQ(world.crossings(), 0);
      apart = world.stepper->measured().contact > 0 ? 0 : apart + 1;
      const double H = world.stepper->measured().total();
      const double off = std::abs(H - world.ledger.target()) / world.ledger.target();
      const bool free = world.report.alpha ? *world.report.alpha > 0 && *world.report.alpha < 1.1 : apart > 10;
      if (free) worst = std::max(worst, off);
      if (apart > 10) {
        ++steps;
        far += off > 0.02;
      }
    }
    EXPECT_LT(worst, world.report.alpha ? 1e-6 : 0.02) << integrator;
    EXPECT_GT(steps, 30) << integrator;
    EXPECT_LT(far, 0.2 * steps) << integrator;
  }
}

TEST(BarrierDrops, GiveTheSameBytesOnAllNumbersOfThreads) {
  Points first;
  for (const int threads : {1, 2, 3}) {
    BoxBody lower, upper;
    lower.divisions = upper.divisions = {3, 3, 3};
    lower.centre = {0, 0.06, 0};
    upper.centre = {0.03, 0.2, 0.01};
    upper.turn = turned(0.5, {1, 2, 3});
    BarrierWorld world({lower, upper}, 1e-3, 0.3);
    world.add_floor(0.3);
    ASSERT_TRUE(world.run(25, 0.01, "backward-euler", threads, 1e-6));
    if (threads == 1)
      first = world.now.x;
    else
      EXPECT_TRUE(first == world.now.x) << threads;
  }
}

TEST(BarrierDrops, AStackOfBlocksStands) {
  std::vector<BoxBody> blocks;
  for (int i = 0; i < 5; ++i) {
    BoxBody block;
    block.size = {0.1, 0.05, 0.1};
    block.divisions = {2, 1, 2};
    block.centre = {0.004 * i, 0.0255 + 0.0507 * i, 0};
    block.turn = turned(0.3 * i, Vec3::UnitY());
    blocks.push_back(block);
  }
  BarrierWorld world(blocks, 1e-3, 0.4);
  world.add_floor(0.4);
  const double top = blocks.back().centre[1];
  for (int step = 0; step < 60; ++step) {
    ASSERT_TRUE(step == 0 ? world.run(1, 0.01, "backward-euler", 1, 1e-4) : world.step(0.01)) << step;
    ASSERT_EQ(world.crossings(), 0) << step;
  }
  EXPECT_NEAR(world.middle(4)[1], top, 0.01);
  EXPECT_LT(world.now.v.cwiseAbs().maxCoeff(), 0.02);
}

TEST(BarrierDrops, AMovingObstaclePushesAndItsWorkIsBooked) {
  // A floor that rises by 1 cm a step carries a block along.
  BoxBody box;
  box.centre = {0, 0.0505, 0};
  BarrierWorld world({box}, 1e-3, 0, Vec3::Zero());
  world.add_floor();
  class Lift final : public Motion {
   public:
    void move_obstacles(Model& model) override {
      Pose pose = model.obstacles[0].pose;
      pose.t[1] += 0.01;
      model.obstacles[0].move_to(pose);
    }
  } lift;
  ASSERT_TRUE(world.run(1, 0.01));
  const double before = world.ledger.added();
  for (int step = 0; step < 20; ++step) {
    world.report = world.stepper->step(world.history, world.ledger, 0.01, lift);
    world.now = world.history.now;
    ASSERT_EQ(world.report.outcome, Outcome::done) << step;
    ASSERT_EQ(world.crossings(), 0) << step;
  }
  EXPECT_GT(world.middle(0)[1], 0.2);
  // At 1 m/s or more: at least its kinetic energy has come from the floor.
  const double K = world.stepper->measured().kinetic;
  EXPECT_GT(K, 0.45 * world.model.M.sum());
  EXPECT_GT(world.ledger.added() - before, K);
}

TEST(BarrierDrops, WhatMovesIntoSomethingThatIsHeldIsNotMadeToPass) {
  class Lift final : public Motion {
   public:
    void move_obstacles(Model& model) override {
      Pose pose = model.obstacles[0].pose;
      pose.t[1] += way;
      model.obstacles[0].move_to(pose);
    }
    double way = 0.05;  // m; or past all of the body
  };
  for (const auto& [shape, way] : {std::pair(Shape(Plane{}), 0.05), std::pair(Shape(Box{Vec3(0.2, 0.02, 0.2)}), 0.05),
                                   std::pair(Shape(Box{Vec3(0.2, 0.02, 0.2)}), 0.5)})
    for (const bool all_of_it : {false, true}) {
      SCOPED_TRACE(testing::Message() << "shape " << shape.index() << ", way " << way << ", all fixed " << all_of_it);
      BoxBody box;
      box.centre = {0, 0.06, 0};
      BarrierWorld world({box}, 1e-3, 0, Vec3::Zero());
      world.add_floor();
      Obstacle& obstacle = world.model.obstacles[0];
      obstacle.shape = shape;
      if (std::holds_alternative<Box>(shape)) obstacle.pose.t[1] = -0.02;
      obstacle.before = obstacle.pose;
      world.model.fixed.assign(world.model.fixed.size(), 1);
      world.model.fixed[0] = all_of_it;
      ASSERT_TRUE(world.run(1, 0.01));
      const Points x = world.now.x;
      Lift lift;
      lift.way = way;
      world.report = world.stepper->step(world.history, world.ledger, 0.01, lift);
      EXPECT_EQ(world.report.outcome, Outcome::crossing);
      ASSERT_TRUE(world.report.crossing.has_value());
      EXPECT_EQ(world.report.crossing->one.body, 0);
      EXPECT_EQ(world.report.crossing->other.obstacle, 0);
      EXPECT_TRUE(world.history.now.x == x);
    }
}

TEST(BarrierDrops, RefuseToBeginWhereBodiesCross) {
  BoxBody a, b;
  a.centre = {0, 0.2, 0};
  b.centre = {0.05, 0.25, 0.02};  // so that grid lines touch
  BarrierWorld world({a, b});
  EXPECT_FALSE(world.run(1, 0.01));
  EXPECT_EQ(world.report.outcome, Outcome::crossing);
  EXPECT_TRUE(world.report.crossed_at_start);
  ASSERT_TRUE(world.report.crossing.has_value());
  EXPECT_EQ(std::max(world.report.crossing->one.body, world.report.crossing->other.body), 1);
}

TEST(BarrierDrops, RoundAndBoxObstaclesAreMetFromAllSides) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int trial = 0; trial < 24; ++trial) {
    BoxBody box;
    box.divisions = {2, 2, 2};
    box.centre = {0.05 * number(random), 0.3, 0.05 * number(random)};
    box.turn = turned(3 * number(random), {number(random), number(random), number(random)});
    box.v = {0, -3, 0};
    box.young = 5e4;
    BarrierWorld world({box}, 2e-3);
    const std::array<Shape, 4> shapes{Sphere{0.08}, Box{Vec3(0.02, 0.1, 0.15)}, Capsule{0.03, 0.1}, Torus{0.1, 0.03}};
    Obstacle obstacle{shapes[static_cast<std::size_t>(trial % 4)], {}, {}, 1e5, 0.2};
    obstacle.pose.R = turned(trial, Vec3(1, trial % 3, 2));
    obstacle.before = obstacle.pose;
    world.model.obstacles.push_back(obstacle);
    bool met = false;
    for (int step = 0; step < 20; ++step) {
      ASSERT_TRUE(step == 0 ? world.run(1, 0.01, "backward-euler", 1, 1e-3) : world.step(0.01)) << trial << " " << step;
      met = met || world.stepper->measured().contact > 0;
      // No point of any triangle is inside.
      const ContactBody& body = *world.model.contact_bodies[0];
      for (std::size_t f = 0; f < body.faces().size(); ++f) {
        const Corners c = body.corners(static_cast<int>(f), world.now.x, 0);
        for (int i = 0; i <= 4; ++i)
          for (int j = 0; i + j <= 4; ++j)
            ASSERT_GT(nearest(obstacle, (i * c[0] + j * c[1] + (4 - i - j) * c[2]) / 4).distance,
                      -1e-3 * (trial % 4 == 3))
                << trial << " " << step;
      }
    }
    EXPECT_TRUE(met) << trial;
  }
}

}  // namespace
}  // namespace rebound::test
