// [Dinev18 Fig. 5]: a spinning elastic cube at 33 ms, no damping, 5,000 frames, as bands.
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace rebound::test {
namespace {

struct SpinOfCube {
  double end = 0;             ///< H / H_0 after the last frame
  double worst = 0;           ///< largest |H - target| / H_0
  std::int64_t exploded = 0;  ///< first frame with H > 2 H_0, 0 if none
  double spin_error = 0;      ///< largest |l - l_0| / |l_0|
};

SpinOfCube spin(const char* integrator, int divisions, const scene::Solver& solver, int frames) {
  auto d = spinning_cube(divisions, 1e6);
  d.integrator.type = integrator;
  d.solver = solver;
  session::Session s = open(d, 2);
  EXPECT_GT(s.stiffness_number(), 100) << "the step must be hard, or midpoint does not explode";
  const sim::Measurement start = s.record().measured;
  const double H0 = start.total();
  SpinOfCube run;
  for (int frame = 1; frame <= frames; ++frame) {
    if (!s.step()) break;
    run.spin_error = std::max(run.spin_error, (s.record().measured.l - start.l).norm() / start.l.norm());
    const auto& r = s.record();
    run.worst = std::max(run.worst, std::abs(r.measured.total() - r.target) / H0);
    if (run.exploded == 0 && r.measured.total() > 2 * H0) run.exploded = frame;
  }
  run.end = s.record().measured.total() / H0;
  return run;
}

TEST(Figure5, BackwardEulerAndBdf2LoseMidpointAndTrapezoidExplodeTheBlendHolds) {
  const auto long_run = [](const char* integrator) { return spin(integrator, 5, {}, 5000); };
  const SpinOfCube backward = long_run("backward-euler"), bdf2 = long_run("bdf2"),
                   midpoint = long_run("implicit-midpoint"), trapezoid = long_run("newmark"),
                   stabilized = long_run("stabilized");
  EXPECT_LT(backward.end, 0.05);
  EXPECT_LT(bdf2.end, 0.30);
  EXPECT_GT(bdf2.end, backward.end);
  ASSERT_GT(midpoint.exploded, 0);
  ASSERT_GT(trapezoid.exploded, 0);
  EXPECT_GT(trapezoid.exploded, midpoint.exploded) << "the trapezoid rule lives longer";
  EXPECT_LE(stabilized.worst, 0.01);
  EXPECT_LT(stabilized.spin_error, 0.5 * bdf2.spin_error);
  EXPECT_LT(stabilized.spin_error, 0.5 * backward.spin_error);
}

TEST(Figure5, SolvedExactlyMidpointKeepsTheSpinAsItExplodesAndTheTrapezoidDoesNot) {
  const auto exact_run = [](const char* integrator) { return spin(integrator, 3, {"newton", 100, {}}, 200); };
  const SpinOfCube midpoint = exact_run("implicit-midpoint"), trapezoid = exact_run("newmark");
  ASSERT_GT(midpoint.exploded, 0);
  EXPECT_GT(trapezoid.exploded, midpoint.exploded);
  EXPECT_LT(midpoint.spin_error, 1e-12);
  EXPECT_GT(trapezoid.spin_error, 0.05);
}

}  // namespace
}  // namespace rebound::test
