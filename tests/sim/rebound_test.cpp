// The integrator `rebound`: what it restores is restored, what it gives up is booked, and it stays second order
// (scheme_test.cpp).
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "sim/model/rigid_motion.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

constexpr double kFrameTime = 0.033;

struct Cube {
  explicit Cube(double young, int divisions = 4) : model(arap_cube(divisions, young, rest)) {}

  // Stretched, and spinning about no axis of symmetry.
  State start(double stretch, const Vec3& spin) const {
    State state{rest, Points::Zero(rest.rows(), 3)};
    state.x.col(0) *= stretch;
    const Moments of = moments(model, model.bodies, state);
    for (Eigen::Index i = 0; i < rest.rows(); ++i)
      state.v.row(i) = spin.cross(Vec3(state.x.row(i).transpose() - of.x_cm)).transpose();
    return state;
  }

  Points rest;
  Model model;
};

TEST(Rebound, AFreeBodyKeepsBothMomentaToTheLastDigits) {
  Cube cube(1e5);
  cube.model.set_gravity({0, -9.81, 0});
  cube.model.energies.push_back(std::make_unique<Gravity>(cube.model.M, cube.model.g));
  Stepper stepper(cube.model, "rebound", kFrameTime);
  stepper.solver.accelerated = true;
  stepper.start(cube.start(1.3, {3, 9, 1}));
  const Moments start = moments(cube.model, cube.model.bodies, stepper.history.now);
  for (int frame = 1; frame <= 300; ++frame) {
    ASSERT_EQ(stepper.step().outcome, Outcome::done);
    const Moments now = moments(cube.model, cube.model.bodies, stepper.history.now);
    ASSERT_LT((now.L - start.L).norm(), 1e-10 * start.L.norm()) << frame;
    ASSERT_LT((now.v_cm - start.v_cm - frame * kFrameTime * Vec3(0, -9.81, 0)).norm(), 1e-10 * frame) << frame;
  }
}

// How far the first edge from the centre has turned about z, in turns.
double turned(const char* integrator, int steps) {
  const Cube cube(1e7, 2);
  Stepper stepper(cube.model, integrator, kFrameTime, 100, "newton");
  stepper.start(cube.start(1, {0, 0, 9}));
  double turns = 0, before = 0;
  for (int i = 0; i <= steps; ++i) {
    const Vec3 edge = stepper.history.now.x.row(cube.rest.rows() - 1) - stepper.history.now.x.row(0);
    const double angle = std::atan2(edge.y(), edge.x()) / (2 * std::numbers::pi);
    if (i > 0) turns += std::remainder(angle - before, 1.0);
    before = angle;
    stepper.step();
  }
  return turns;
}

TEST(Rebound, AStiffBodyTurnsAsFastAsItsAngularMomentumSays) {
  constexpr int kSteps = 60;
  const double exact = 9 * kFrameTime * kSteps / (2 * std::numbers::pi);
  const double ours = std::abs(turned("rebound", kSteps) - exact), plain = std::abs(turned("tr-bdf2", kSteps) - exact);
  EXPECT_LT(ours, 1e-2 * exact);
  EXPECT_LT(ours, 0.2 * plain);
}

Eigen::Matrix3d rotation(const Vec3& phi) {
  return Eigen::AngleAxisd(phi.norm(), phi.stableNormalized()).toRotationMatrix();
}

// By how much missing_turn() is wrong of a rigid body of three different axes, which a step has turned too little.
double off_of_missing_turn(double h) {
  Cube body(1e5);
  body.rest.col(1) *= 0.6;
  const State now = body.start(1.5, {4, 5, 3});
  Workers workers(1);
  const Moments before = moments(body.model, body.model.bodies, now);
  // R' = [I^-1 L]x R, I = R I_n R^T, by the midpoint rule in a thousand steps.
  constexpr int kSteps = 1000;
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  const auto spin = [&](const Eigen::Matrix3d& turn) -> Vec3 {
    return turn * before.inertia.inverse() * turn.transpose() * before.L;
  };
  for (int i = 0; i < kSteps; ++i) {
    const double step = h / kSteps;
    R = rotation(step * spin(rotation(0.5 * step * spin(R)) * R)) * R;
  }
  const Vec3 left = h * h * h * Vec3(20, -10, 15);
  State next = now;
  for (Eigen::Index i = 0; i < next.x.rows(); ++i)
    next.x.row(i) =
        (before.x_cm + rotation(left).transpose() * R * (now.x.row(i).transpose() - before.x_cm)).transpose();
  const Moments after = moments(body.model, body.model.bodies, next);
  const Vec3 missing = missing_turn(body.model, body.model.bodies[0], now, before, next, after, h, workers);
  return (missing - left).norm();
}

TEST(Rebound, ByHowMuchABodyShouldHaveTurnedIsKnownToTheFourthOrder) {
  const double off = off_of_missing_turn(0.04), finer = off_of_missing_turn(0.02);
  EXPECT_LT(off, 2e-5);
  EXPECT_LT(finer, off / 24);
}

// What is left of the motion of a bar that swings from its end, softly or with more than the step resolves.
struct Swing {
  double worst = 0, unresolved = 0, kinetic = 0;
  bool falls = false;
};
Swing swing(Unresolved becomes, double young) {
  Cube bar(young);
  bar.model.set_gravity({0, -9.81, 0});
  bar.model.energies.push_back(std::make_unique<Gravity>(bar.model.M, bar.model.g));
  for (Eigen::Index i = 0; i < bar.rest.rows(); ++i)
    if (bar.rest(i, 0) <= bar.rest.col(0).minCoeff() + 1e-9) bar.model.fixed[static_cast<std::size_t>(i)] = 1;
  Stepper stepper(bar.model, "rebound", kFrameTime);
  stepper.solver.accelerated = true;
  stepper.unresolved = becomes;
  State start{bar.rest, random_points(static_cast<int>(bar.rest.rows()), 7, 0.5)};
  bar.model.clear_fixed(start.v);
  stepper.start(start);
  Swing result;
  for (int frame = 0; frame < 300; ++frame) {
    EXPECT_EQ(stepper.step().outcome, Outcome::done);
    const double so_far = stepper.ledger.dissipated(Dissipated::unresolved);
    result.falls = result.falls || so_far < result.unresolved;
    result.unresolved = so_far;
    result.worst = std::max(result.worst, (stepper.H() - stepper.ledger.target()) / stepper.ledger.scale());
    if (frame >= 200) result.kinetic += bar.model.kinetic(stepper.history.now.v) / 100;
  }
  return result;
}

TEST(Rebound, WhatAStepCannotResolveIsBookedAndTheRestIsHeldFromAbove) {
  for (const double young : {1e4, 1e5, 1e6, 1e7}) {
    const Swing heat = swing(Unresolved::heat, young), moving = swing(Unresolved::moving, young),
                held = swing(Unresolved::held, young);
    for (const Swing& way : {heat, moving, held}) {
      EXPECT_LE(way.worst, 0.011) << young;
      EXPECT_FALSE(way.falls) << young;
    }
    EXPECT_GT(heat.unresolved, 0) << young;
    EXPECT_EQ(held.unresolved, 0) << young;
    EXPECT_LE(moving.unresolved, heat.unresolved) << young;
    EXPECT_GE(held.kinetic, 0.99 * heat.kinetic) << young;
  }
}

// Of a bar that is let go bent and swings as one, TR-BDF2 takes energy at the swing's own pace, which comes back
// at once; of a stiff one whose vertices are all kicked at random, it goes into ripples, and stays out of the
// swing for long.
TEST(Rebound, WhatASwingLosesComesBackAtOnceAndWhatRipplesTakeOverSeconds) {
  const auto missing = [](bool ripples) {
    Cube bar(ripples ? 1e6 : 1e4);
    for (Eigen::Index i = 0; i < bar.rest.rows(); ++i)
      if (bar.rest(i, 0) <= bar.rest.col(0).minCoeff() + 1e-9) bar.model.fixed[static_cast<std::size_t>(i)] = 1;
    Stepper stepper(bar.model, "rebound", kFrameTime, 60);
    State start{bar.rest, Points::Zero(bar.rest.rows(), 3)};
    if (ripples)
      start.v = random_points(static_cast<int>(bar.rest.rows()), 7, 0.5);
    else
      start.v.col(1) = bar.rest.col(0).array() - bar.rest.col(0).minCoeff();
    bar.model.clear_fixed(start.v);
    stepper.start(start);
    const double H = stepper.H();
    double most = 0;
    for (int frame = 0; frame < 30; ++frame) {
      const StepReport report = stepper.step();
      EXPECT_EQ(report.outcome, Outcome::done);
      EXPECT_NEAR(stepper.H() + report.in_ripples, stepper.ledger.target(), 1.1e-2 * H) << frame;
      most = std::max(most, report.in_ripples / H);
    }
    return most;
  };
  EXPECT_LT(missing(false), 0.02);
  EXPECT_GT(missing(true), 0.2);
}

TEST(Corrections, AreEnoughOnceWhatIsStillToComeIsLittle) {
  const auto needed = [](double rate, Eigen::Index vertices) {
    const SolveEffort effort(10000, 0.05);
    Corrections made;
    double size = 3;
    while (made.count() < 10000) {
      made.add(size);
      if (made.count() > 1) EXPECT_NEAR(made.rate(), rate, 1e-12);
      if (effort.is_enough(made, vertices)) break;
      size *= rate;
    }
    return made.count();
  };
  constexpr Eigen::Index kLarge = 100000, kSmall = 400;
  // The sum of all further corrections, as a share of the first one.
  const auto to_come = [&](double rate, int made) { return std::pow(rate, made) / (1 - rate); };
  for (const double rate : {0.7, 0.9, 0.97}) {
    EXPECT_LE(to_come(rate, needed(rate, kLarge)), 0.1) << rate;
    EXPECT_GT(to_come(rate, needed(rate, kLarge) - 1), 0.1) << rate;
    EXPECT_LE(to_come(rate, needed(rate, kSmall)), 0.005) << rate;
  }
  EXPECT_EQ(needed(0.5, kLarge), 6) << "a twentieth of the first";
  EXPECT_EQ(needed(1e-3, kSmall), 7) << "a small world has time";
}

TEST(Rebound, IteratesAsLongAsItNeedsAndSaysWhetherThatWasEnough) {
  const Cube cube(1e6);
  const auto iterations = [&](double stretch, bool by_need) {
    Stepper stepper(cube.model, "rebound", kFrameTime, 60);
    stepper.solver.accelerated = true;
    if (by_need) stepper.solver.ending = Ending::by_need;
    stepper.start(cube.start(stretch, {0, 0, 1}));
    int all = 0;
    for (int frame = 0; frame < 30; ++frame) {
      const StepReport report = stepper.step();
      if (by_need && report.blend == 0.0 && report.iterations < 60) {
        EXPECT_TRUE(report.converged) << frame;
      }
      all += report.iterations;
    }
    return all;
  };
  EXPECT_LT(iterations(1.05, true), 0.7 * iterations(1.05, false));
}

}  // namespace
}  // namespace rebound::test
