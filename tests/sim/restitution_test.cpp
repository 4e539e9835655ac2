// Impacts that are shorter than a step, or a few steps long, under `rebound`: bodies leave as they do in small steps.
#include <gtest/gtest.h>

#include "barrier_world.hpp"
#include "sim/model/rigid_motion.hpp"

namespace rebound::test {
namespace {

constexpr double kH = 1.0 / 120;
constexpr int kSmaller = 64;

double H(const BarrierWorld& world) { return world.stepper->measured().total(); }

Vec3 velocity(const BarrierWorld& world, int body) {
  return fit_rigid_motion(world.model, world.model.bodies[static_cast<std::size_t>(body)], world.now).v_cm;
}

class ImpactAt : public testing::TestWithParam<double> {
 protected:
  static BoxBody cube() {
    BoxBody box;
    box.young = GetParam();
    return box;
  }
  // Waves cross the cube in ten steps at 1e5 Pa, and in one at 1e7. What is over in a step says nothing of the waves
  // that it has left: there it is only not dead, and not faster than it came.
  static void expect_like(double speed, double reference) {
    const bool resolved = GetParam() <= 1e6;
    EXPECT_GT(speed, (resolved ? 0.75 : 0.3) * reference);
    EXPECT_LT(speed, resolved ? 1.5 * reference : 1.0);
  }
};

// The fastest that it comes up, over how fast it came down.
double bounce(const BoxBody& box, const char* integrator, int smaller) {
  BarrierWorld world({box});
  world.add_floor();
  const double M = world.model.M.sum();
  EXPECT_TRUE(world.run(0, kH / smaller, integrator, 1, 1e-3 / smaller));
  double down = 0, up = 0;
  const double start = H(world);
  for (int i = 0; i < 45 * smaller; ++i) {
    EXPECT_TRUE(world.step(kH / smaller)) << i;
    const double v = world.momentum().y() / M;
    down = std::min(down, v);
    up = std::max(up, v);
    if (smaller > 1) continue;
    EXPECT_LT(H(world), start * (1 + 1e-3)) << i;
  }
  return up / -down;
}

TEST_P(ImpactAt, OnAFloorIsAsInSmallSteps) {
  for (const double tilt : {0.0, 0.6}) {
    BoxBody box = cube();
    box.turn = turned(tilt, {1, 2, 3});
    box.centre = {0, 0.3, 0};
    expect_like(bounce(box, "rebound", 1), bounce(box, "bdf2", kSmaller));
  }
}

// Two that nothing else touches: how fast they part, m/s.
double parting(const BoxBody& one, const BoxBody& other, const char* integrator, int smaller) {
  BarrierWorld world({one, other}, 1e-3, 0, Vec3::Zero());
  const Vec3 P = world.momentum(), L = world.angular_momentum();
  EXPECT_TRUE(world.run(0, kH / smaller, integrator, 1, 1e-5));
  const double start = H(world);
  for (int i = 0; i < 20 * smaller; ++i) {
    EXPECT_TRUE(world.step(kH / smaller)) << i;
    if (smaller > 1) continue;
    EXPECT_LT(H(world), start * (1 + 1e-3)) << i;
    EXPECT_LT((world.momentum() - P).norm(), 1e-10 * P.norm()) << i;
    EXPECT_LT((world.angular_momentum() - L).norm(), 1e-10 * P.norm()) << i;
  }
  return (velocity(world, 1) - velocity(world, 0)).x();
}

TEST_P(ImpactAt, OfTwoIsAsInSmallSteps) {
  for (const double offset : {0.0, 0.04}) {
    BoxBody one = cube(), other = one;
    one.centre = {-0.07, 0, 0};
    one.v = {1, 0, 0};
    other.centre = {0.07, offset, 0.5 * offset};
    other.density = 2000;
    expect_like(parting(one, other, "rebound", 1), parting(one, other, "bdf2", kSmaller));
  }
}

INSTANTIATE_TEST_SUITE_P(Stiffnesses, ImpactAt, testing::Values(1e5, 1e6, 1e7, 1e8),
                         [](const auto& of) { return "E" + std::to_string(static_cast<int>(std::log10(of.param))); });

// What stands has the impulse of its weight, and no more comes of it.
TEST(Restitution, WhatLiesStaysWhereItLies) {
  BoxBody lower;
  lower.young = 1e6;
  BoxBody upper = lower;
  lower.centre = {0, 0.0509, 0};
  upper.centre = {0.01, 0.1518, 0};
  BarrierWorld world({lower, upper}, 1e-3, 0.5);
  world.add_floor(0.5);
  ASSERT_TRUE(world.run(240, kH, "bdf2", 1, 1e-5));
  const Points there = world.now.x;
  ASSERT_TRUE(world.run(240, kH, "rebound", 1, 1e-5));
  EXPECT_LT((world.now.x - there).rowwise().norm().maxCoeff(), 1e-4);
  EXPECT_LT(world.now.v.rowwise().norm().maxCoeff(), 1e-3);
}

}  // namespace
}  // namespace rebound::test
