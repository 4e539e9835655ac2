// SIERE, semi-implicit Euler and the exponential step under damping: modes in closed form, what is booked, and a drag
// that couples the modes.
#include <gtest/gtest.h>

#include <unsupported/Eigen/MatrixFunctions>

#include "linear_cube.hpp"
#include "sim/integrate/siere.hpp"

namespace rebound::test {
namespace {

using Eigen::MatrixXd;

// Underdamped, past critical, and by the masses alone.
constexpr LinearDamping kDampings[] = {{0.7, 0.002}, {3, 0.3}, {2, 0}, {0, 0.01}};

TEST(Siere, IsExactOnADampedLinearBodyWithAllOfItsModes) {
  const LinearCube cube;
  for (const LinearDamping& damping : kDampings)
    for (const char* id : {"siere", "exponential"})
      for (const double h : {0.001, 0.033, 0.5}) {
        SCOPED_TRACE(std::string(id) + " " + std::to_string(damping.b) + " " + std::to_string(h));
        Stepper stepper = stepper_of(cube.model, id, h);
        stepper.modes = 1000;
        stepper.damping = damping;
        const State start = cube.start(1);
        stepper.start(start);
        double H = stepper.H();
        for (int frame = 1; frame <= 5; ++frame) {
          const StepReport report = stepper.step();
          ASSERT_EQ(report.outcome, Outcome::done);
          const State exact = cube.after(start, frame * h, damping);
          EXPECT_LT(largest_coordinate(stepper.history.now.x - exact.x), 1e-8);
          EXPECT_LT(largest_coordinate(stepper.history.now.v - exact.v), 1e-7);
          // Nothing but damping takes anything.
          ASSERT_TRUE(report.damped);
          EXPECT_NEAR(H - stepper.H(), *report.damped, 1e-8 * H);
          H = stepper.H();
        }
      }
}

// Of backward Euler on a linear body: H falls by h v^T D v, and by 1/2 |dv|_M^2 + 1/2 |dx|_K^2, which is
// the method's own.
TEST(SemiImplicit, BooksWhatDampingTakesAndNoMore) {
  const LinearCube cube;
  Workspace work(1);
  LinearizedSystem system(cube.model);
  system.assemble_stiffness(cube.rest, work);
  std::vector<LinearDamping> all(std::begin(kDampings), std::end(kDampings));
  all.insert(all.end(), {{0, 0, 25}, {0.7, 0.002, 4}});
  for (const LinearDamping& damping : all) {
    const double h = 0.02;
    Stepper stepper = stepper_of(cube.model, "semi-implicit", h);
    stepper.damping = damping;
    stepper.start(cube.start(3));
    for (int frame = 0; frame < 10; ++frame) {
      const State before = stepper.history.now;
      const double H = stepper.H();
      const StepReport report = stepper.step();
      const State& after = stepper.history.now;
      const Vector dx = system.scaled_motion(after.x - before.x), dv = system.scaled_motion(after.v - before.v),
                   v = system.scaled_motion(after.v);
      Vector K_dx, K_v;
      system.multiply(dx, K_dx);
      system.multiply(v, K_v);
      EXPECT_LT((dx - h * v).norm(), 1e-12 * dx.norm());
      ASSERT_TRUE(report.damped);
      EXPECT_NEAR(*report.damped,
                  h * (damping.a * v.squaredNorm() + damping.b * v.dot(K_v) + damping.c * after.v.squaredNorm()),
                  1e-10 * H);
      EXPECT_NEAR(H - stepper.H(), *report.damped + 0.5 * dv.squaredNorm() + 0.5 * dx.dot(K_dx), 1e-10 * H);
    }
  }
}

// The masses of a lumped cube differ by eight times, so a drag is not proportional to them, and no mode
// is damped alone.
TEST(Siere, ComesToTheMotionUnderADragWithTheFirstPowerOfTheStep) {
  const LinearCube cube(2e4);
  constexpr double kDrag = 150, kTime = 0.2;  // kg/s, s
  const State start = cube.start(1);
  Workspace work(1);
  LinearizedSystem system(cube.model);
  system.assemble_stiffness(cube.rest, work);
  const int n = system.size();
  MatrixXd K;
  system.multiply(MatrixXd(MatrixXd::Identity(n, n)), K);
  MatrixXd J = MatrixXd::Zero(2 * n, 2 * n);
  J.topRightCorner(n, n).setIdentity();
  J.bottomLeftCorner(n, n) = -K;
  J.bottomRightCorner(n, n) = -MatrixXd((kDrag * system.root_mass().array().square().inverse()).matrix().asDiagonal());
  Vector u(2 * n);
  u << system.scaled_motion(start.x - cube.rest), system.scaled_motion(start.v);
  const double before = u.tail(n).squaredNorm() + u.head(n).dot(K * u.head(n));
  u = (kTime * J).exp() * u;
  ASSERT_LT(u.tail(n).squaredNorm() + u.head(n).dot(K * u.head(n)), 0.5 * before) << "the drag matters";
  for (const int modes : {0, 6}) {
    std::vector<double> errors;
    for (const int steps : {100, 200, 400}) {
      Stepper stepper = stepper_of(cube.model, modes == 0 ? "semi-implicit" : "siere", kTime / steps);
      stepper.modes = modes;
      stepper.damping = LinearDamping{0, 0, kDrag};
      stepper.start(start);
      for (int frame = 0; frame < steps; ++frame) ASSERT_EQ(stepper.step().outcome, Outcome::done);
      errors.push_back((system.scaled_motion(stepper.history.now.x - cube.rest) - u.head(n)).norm());
    }
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 1, 0.15) << modes << " modes, " << errors[2];
    EXPECT_LT(errors[2], 0.1 * u.head(n).norm()) << modes;
  }
}

}  // namespace
}  // namespace rebound::test
