// [Dinev18 Fig. 5]: a spinning elastic cube at 33 ms, no damping, 5,000 frames, as bands.
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace rebound::test {
namespace {

struct Outcome {
  double end = 0;             ///< H / H_0 after the last frame
  double worst = 0;           ///< largest |H - target| / H_0
  std::int64_t exploded = 0;  ///< first frame with H > 2 H_0, 0 if none
  double spin = 0;            ///< |l| / |l_0| after the last frame
};

Outcome spin(const char* integrator) {
  auto d = spinning_cube(5, 1e6);
  d.integrator.type = integrator;
  session::Session s = open(d, 2);
  EXPECT_GT(s.stiffness_number(), 100) << "the step must be hard, or midpoint does not explode";
  const double H0 = s.record().measured.total(), l0 = s.record().measured.l.norm();
  Outcome run;
  for (int frame = 1; frame <= 5000; ++frame) {
    if (!s.step()) break;
    const auto& r = s.record();
    run.worst = std::max(run.worst, std::abs(r.measured.total() - r.target) / H0);
    if (run.exploded == 0 && r.measured.total() > 2 * H0) run.exploded = frame;
  }
  run.end = s.record().measured.total() / H0;
  run.spin = s.record().measured.l.norm() / l0;
  return run;
}

TEST(Figure5, BackwardEulerAndBdf2LoseMidpointAndTrapezoidExplodeTheBlendHolds) {
  const Outcome backward = spin("backward-euler"), bdf2 = spin("bdf2"), midpoint = spin("implicit-midpoint"),
                trapezoid = spin("newmark"), stabilized = spin("stabilized");
  EXPECT_LT(backward.end, 0.05);
  EXPECT_LT(bdf2.end, 0.30);
  EXPECT_GT(bdf2.end, backward.end);
  ASSERT_GT(midpoint.exploded, 0);
  ASSERT_GT(trapezoid.exploded, 0);
  EXPECT_GE(trapezoid.exploded, midpoint.exploded) << "the trapezoid rule lives longer";
  EXPECT_LE(stabilized.worst, 0.01);
  EXPECT_GT(stabilized.spin, bdf2.spin);
  EXPECT_GT(stabilized.spin, backward.spin);
  EXPECT_GT(stabilized.spin, 0.5);
}

}  // namespace
}  // namespace rebound::test
