// Energy that is taken out of what shakes, and out of nothing else.
#include "sim/integrate/calming.hpp"

#include <gtest/gtest.h>

#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

// It meets a body, or an obstacle.
struct ShakenCube {
  explicit ShakenCube(int obstacle = -1, bool pinned = false) : model(arap_cube(4, 3e5, rest)) {
    model.contacts.items = {
        {BodyPoint::at_vertex(0), Vec3(-0.5, -0.5, -0.5), Vec3::UnitY(), 1e3, 0.5, obstacle, Vec3::Zero()}};
    if (pinned)
      for (Eigen::Index i = 0; i < rest.rows(); ++i)
        if (rest(i, 1) > 0.499) model.fixed[static_cast<std::size_t>(i)] = true;
    stepper = std::make_unique<Stepper>(model, "stabilized", 0.033);
  }

  /// What is taken, J, of so much that is asked for.
  double take_out(double energy, State& state) {
    stepper->start(state);
    const StepInput input{model,           *stepper->minimizer, stepper->work,   stepper->history,
                          stepper->ledger, stepper->h,          stepper->solver, stepper->blend};
    return calming.take_out(input, 0.25 * stepper->h * stepper->h, energy, state);
  }

  /// It flies, spins, and a part of it shakes from vertex to vertex.
  State flying(double shaking) const {
    State state{rest, Points(rest.rows(), 3)};
    for (Eigen::Index i = 0; i < rest.rows(); ++i)
      state.v.row(i) = (Vec3(1, 2, 3) + Vec3(3, 8, 1).cross(Vec3(rest.row(i).transpose()))).transpose() +
                       shaking * Eigen::RowVector3d(i % 2 ? 1 : -1, i % 3 ? 0.5 : -1, std::sin(2.0 * i));
    model.clear_fixed(state.v);
    return state;
  }

  Points rest;
  Model model;
  std::unique_ptr<Stepper> stepper;
  Calming calming;
};

TEST(Calming, TakesWhatItIsAskedForAndLeavesMomentaAlone) {
  ShakenCube cube;
  const State before = cube.flying(0.1);
  const Measurement was = measure(cube.model, before, cube.stepper->work);
  const double shaking = was.kinetic - cube.model.kinetic(cube.flying(0).v);
  ASSERT_GT(shaking, 0);
  for (const double share : {0.01, 0.3, 100.0}) {
    SCOPED_TRACE(share);
    State state = before;
    const double taken = cube.take_out(share * shaking, state);
    const Measurement is = measure(cube.model, state, cube.stepper->work);
    EXPECT_EQ(state.x, before.x);
    EXPECT_NEAR(was.kinetic - is.kinetic, taken, 1e-10 * was.kinetic);
    EXPECT_LT((is.p - was.p).norm(), 1e-12 * was.p.norm());
    EXPECT_LT((is.l - was.l).norm(), 1e-12 * was.l.norm());
    if (share < 1)
      EXPECT_NEAR(taken, share * shaking, 1e-10 * was.kinetic);
    else
      EXPECT_LT(taken, 1.2 * shaking) << "more than what shakes";
  }
}

TEST(Calming, TakesNothingOutOfARigidMotion) {
  ShakenCube cube;
  State state = cube.flying(0);
  const double K = cube.model.kinetic(state.v);
  EXPECT_LT(cube.take_out(K, state), 1e-12 * K);
  EXPECT_LT((state.v - cube.flying(0).v).norm(), 1e-6 * state.v.norm());
}

// It rocks on it, and slides along.
TEST(Calming, TakesOfARigidMotionOnAnObstacleNoMoreThanItTurns) {
  ShakenCube cube(0);
  State state = cube.flying(0);
  const Measurement was = measure(cube.model, state, cube.stepper->work);
  EXPECT_GT(cube.take_out(1e-3 * was.kinetic, state), 0.99e-3 * was.kinetic);
  const Measurement is = measure(cube.model, state, cube.stepper->work);
  EXPECT_LT((is.p - was.p).norm(), 1e-6 * was.p.norm());
  EXPECT_LT(is.l.norm(), 0.9999 * was.l.norm());
}

TEST(Calming, LeavesAloneWhatTouchesNothing) {
  ShakenCube cube;
  cube.model.contacts.items.clear();
  State state = cube.flying(0.1);
  EXPECT_EQ(cube.take_out(1, state), 0);
  EXPECT_EQ(state.v, cube.flying(0.1).v);
}

TEST(Calming, LeavesFixedVerticesAtRest) {
  ShakenCube cube(0, true);
  State state = cube.flying(0.1);
  EXPECT_GT(cube.take_out(1e-3, state), 0);
  for (Eigen::Index i = 0; i < cube.rest.rows(); ++i)
    if (cube.model.fixed[static_cast<std::size_t>(i)]) {
      EXPECT_EQ(state.v.row(i).norm(), 0);
    }
}

// The stiffest motion first: what swings from end to end keeps more of its energy than what shakes from row to row.
TEST(Calming, TakesMoreOfWhatIsStiffer) {
  ShakenCube cube;
  const auto kept = [&](double waves) {
    State state{cube.rest, Points::Zero(cube.rest.rows(), 3)};
    for (Eigen::Index i = 0; i < cube.rest.rows(); ++i)
      state.v(i, 1) = std::cos(waves * M_PI * (cube.rest(i, 0) + 0.5));
    const double K = cube.model.kinetic(state.v);
    cube.take_out(1e9, state);
    return cube.model.kinetic(state.v) / K;
  };
  EXPECT_GT(kept(2), 1.3 * kept(4));
}

}  // namespace
}  // namespace rebound::test
