// What is seen and what is shiver, of motions whose periods are known.
#include "sim/model/visible_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/models.hpp"

namespace rebound::test {
namespace {

constexpr double kAmplitude = 2;  // m/s

// 2,000 vertices of 1 kg that swing along y, in frames of so many seconds.
SeenMotion swing(double period, double frame, double seconds = 12) {
  const Model model = free_vertices(2000);
  VisibleMotion motion;
  Points v = Points::Zero(2000, 3);
  for (int i = 0; i * frame < seconds; ++i) {
    v.col(1).setConstant(kAmplitude * std::sin(2 * std::numbers::pi * i * frame / period + 0.3));
    motion.add(model, v, frame);
  }
  return *motion.seen();
}

TEST(VisibleMotion, PartsSwingFromShiver) {
  const double K = 0.5 * 2000 * kAmplitude * kAmplitude / 2;  // the mean of sin^2 is a half
  for (const double frame : {1.0 / 30, 0.033, 0.011, 1.0 / 120, 1.0 / 24}) {
    const double picture = frame * std::max(1.0, std::round(1.0 / 30 / frame));
    for (const double pictures : {8.0, 12.0, 31.0}) {
      const SeenMotion seen = swing(pictures * picture, frame);
      EXPECT_NEAR(seen.kinetic, K, 0.12 * K) << pictures << " of " << frame;
      EXPECT_LT(seen.shiver, 0.02) << pictures << " of " << frame;
    }
    for (const double pictures : {2.2, 2.6, 3.0}) {
      const SeenMotion seen = swing(pictures * picture, frame);
      EXPECT_GT(seen.shiver, 0.98) << pictures << " of " << frame;
      EXPECT_NEAR(seen.shivering, K, 0.12 * K) << pictures << " of " << frame;
    }
    EXPECT_NEAR(swing(4 * picture, frame).shiver, 0.75, 0.1) << "on the border";
  }
}

TEST(VisibleMotion, SaysNothingBeforeItHasSeenEnoughAndForgets) {
  const Model model = free_vertices(3);
  VisibleMotion motion;
  const Points v = Points::Ones(3, 3);
  for (int i = 0; i < 14; ++i) motion.add(model, v, 0.033);
  EXPECT_FALSE(motion.seen());
  motion.add(model, v, 0.033);
  ASSERT_TRUE(motion.seen());
  EXPECT_NEAR(motion.seen()->kinetic, 4.5, 1e-5) << "1/2 m v^2 of three";
  motion.forget();
  EXPECT_FALSE(motion.seen());
}

// Of one tetrahedron turned inside out by hand: E by the closed form.
TEST(InsideOut, IsFoundWithItsEnergy) {
  Points rest(4, 3);
  rest << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  Model model = free_vertices(4);
  const std::vector<std::array<int, 4>> tets{{0, 1, 2, 3}};
  const std::vector<double> mu{300};
  model.energies.push_back(std::make_unique<ArapTets>(rest, tets, mu));
  EXPECT_EQ(model.inside_out(rest).elements, 0);
  Points x = rest;
  x(3, 2) = -0.5;  // F = diag(1, 1, -1/2)
  const InsideOut found = model.inside_out(x);
  ASSERT_EQ(found.elements, 1);
  EXPECT_NEAR(found.energy, 300.0 / 6 * 1.5 * 1.5, 1e-9);
  Workspace work(1);
  EXPECT_NEAR(found.energy, model.energy(x, work), 1e-9);
  EXPECT_LT((found.middles[0] - Vec3(0.25, 0.25, -0.125)).norm(), 1e-12);
}

}  // namespace
}  // namespace rebound::test
