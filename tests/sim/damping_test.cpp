// Drag and Rayleigh damping against closed forms. Rigid-preserving damping: ledger_and_damping_test.cpp.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "sim/damp/rayleigh.hpp"
#include "sim/damp/wished_loss.hpp"
#include "sim/stepper.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

TEST(Drag, TakesTheShareOfEq31FromEachVertexByItsMass) {
  Model model = free_vertices(4);
  model.M << 1, 2, 0.5, 0.001;
  model.fixed[1] = 1;
  State state{random_points(4, 1), random_points(4, 2)};
  state.v.row(1).setZero();
  const Points before = state.v;
  const double K = model.kinetic(state.v);
  const double taken = DragDamping().damp(model, 0.3, 0.033, state);
  EXPECT_LT((state.v.row(0) - before.row(0) * (1 - 0.3 * 0.033 / 1)).norm(), 1e-15);
  EXPECT_LT((state.v.row(2) - before.row(2) * (1 - 0.3 * 0.033 / 0.5)).norm(), 1e-15);
  EXPECT_EQ(state.v.row(3).norm(), 0) << "k h / m = 9.9: it stops, and is not thrown back";
  EXPECT_NEAR(taken, K - model.kinetic(state.v), 1e-14);
}

// What acts after a step is no acceleration that BDF2 may go on with.
TEST(Drag, SlowsWhatIsFreeByTheSameShareUnderEveryIntegrator) {
  for (const char* integrator : {"backward-euler", "bdf2", "implicit-midpoint", "newmark", "tr-bdf2", "stabilized"}) {
    Model model = free_vertices(2);
    model.M << 1, 2;
    Workspace work(1);
    sim::Stepper stepper(model, work, integrator, "newton", "drag");
    stepper.settings.damping = 0.3;
    History history;
    history.now = {random_points(2, 1), random_points(2, 2)};
    const Points v = history.now.v;
    constexpr double h = 0.02;
    Ledger ledger = stepper.ledger(history.now, h);
    constexpr int kSteps = 100;
    for (int i = 0; i < kSteps; ++i) ASSERT_EQ(stepper.step(history, ledger, h).outcome, Outcome::done) << integrator;
    for (int i = 0; i < 2; ++i)
      EXPECT_LT((history.now.v.row(i) - v.row(i) * std::pow(1 - 0.3 * h / model.M[i], kSteps)).norm(), 1e-9)
          << integrator << ", vertex " << i;
  }
}

// Two masses of m on a spring at rest, 1 m apart along x.
struct Pair {
  Pair(double m, double stiffness) : model(free_vertices(2)) {
    rest << 0, 0, 0, 1, 0, 0;
    model.M.setConstant(m);
    const std::vector<std::array<int, 2>> edges{{0, 1}};
    const std::vector<double> lengths{1.0}, stiffnesses{stiffness};
    model.energies.push_back(std::make_unique<Springs>(rest, edges, lengths, stiffnesses));
  }
  Points rest{2, 3};
  Model model;
};

TEST(Rayleigh, SlowsAVibrationByItsClosedFormAndLeavesTheRest) {
  for (const double stiffness : {10.0, 1e3, 1e6}) {
    const double m = 0.5, k = 0.02, h = 0.033;
    Pair pair(m, stiffness);
    State state{pair.rest, Points::Zero(2, 3)};
    state.v << 1, 2, 3, 4, 5, -6;
    const double K = pair.model.kinetic(state.v);
    const double taken = RayleighDamping().damp(pair.model, k, h, state);
    // Along the spring: m dv' = m dv - 2 k h stiffness dv'. Across it and for both together there is no stiffness.
    EXPECT_NEAR(state.v(1, 0) - state.v(0, 0), 3 / (1 + 2 * k * h * stiffness / m), 1e-12);
    EXPECT_NEAR(state.v(0, 0) + state.v(1, 0), 5, 1e-12);
    Eigen::Matrix2d across;
    across << 2, 3, 5, -6;
    EXPECT_LT((state.v.rightCols<2>() - across).norm(), 1e-12);
    EXPECT_NEAR(taken, K - pair.model.kinetic(state.v), 1e-12);
    EXPECT_GT(taken, 0);
  }
}

TEST(Rayleigh, TakesTwiceTheShareInTwiceTheTimeWhileItIsSmall) {
  Pair pair(1, 100);
  const auto loss = [&](double time) {
    State state{pair.rest, Points::Zero(2, 3)};
    state.v(1, 0) = 1;
    return RayleighDamping().damp(pair.model, 1e-6, time, state);
  };
  EXPECT_NEAR(loss(0.02) / loss(0.01), 2, 1e-5);
}

TEST(Rayleigh, LeavesARigidMotionOfARestingCubeAlone) {
  Points rest;
  const Model model = arap_cube(2, 1e6, rest);
  const int n = static_cast<int>(rest.rows());
  State state{rest, Points(n, 3)};
  for (int i = 0; i < n; ++i)
    state.v.row(i) = Eigen::RowVector3d(1, -2, 0.5) + Vec3(0.3, 2, -1).cross(Vec3(rest.row(i))).transpose();
  const Points before = state.v;
  RayleighDamping().damp(model, 1, 0.033, state);
  EXPECT_LT((state.v - before).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Rayleigh, OnlyTakesEvenFromInvertedAndRandomStates) {
  Points rest;
  Model model = arap_cube(2, 1e5, rest);
  model.fixed[3] = 1;
  const int n = static_cast<int>(rest.rows());
  RayleighDamping damping;
  for (unsigned seed = 0; seed < 20; ++seed) {
    State state{seed % 2 ? random_points(n, seed) : Points(-rest), random_points(n, 100 + seed)};
    state.v.row(3).setZero();
    const double K = model.kinetic(state.v);
    const Vec3 p = model.M.transpose() * state.v;
    const double taken = damping.damp(model, 0.01, 0.033, state);
    EXPECT_GT(taken, 0);
    EXPECT_NEAR(taken, K - model.kinetic(state.v), 1e-9 * K);
    EXPECT_EQ(state.v.row(3).norm(), 0);
    EXPECT_TRUE(state.finite());
    EXPECT_GT((Vec3(model.M.transpose() * state.v) - p).norm(), 0) << "the pin takes momentum";
  }
}

// A body that nothing holds keeps its momenta, one that is held loses all motion alike.
TEST(WishedLoss, TakesWhatItSaysAndLeavesAFreeBodyItsMomenta) {
  Points rest;
  for (const bool is_held : {false, true}) {
    Model model = arap_cube(2, 1e5, rest);
    if (is_held) model.fixed[0] = 1;
    State state{rest, random_points(model.vertices(), 3)};
    model.clear_fixed(state.v);
    const State before = state;
    Workspace work(1);
    const double K = model.kinetic(state.v);
    const double taken = sim::lose_as_wished(model, 0.3 * K, K, state);
    EXPECT_NEAR(taken, K - model.kinetic(state.v), 1e-12 * K);
    EXPECT_NEAR(taken, 0.3 * K, 1e-12 * K) << "all that is over";
    const Measurement was = measure(model, before, work), is = measure(model, state, work);
    EXPECT_EQ((is.p - was.p).norm() < 1e-12 * was.p.norm(), !is_held);
    EXPECT_EQ((is.l - was.l).norm() < 1e-12 * was.l.norm(), !is_held);
    if (is_held) EXPECT_LT((state.v - std::sqrt(0.7) * before.v).norm(), 1e-12 * before.v.norm());
  }
}

// Of a target that falls slowly, and where next to nothing moves of what is over.
TEST(WishedLoss, TakesNoMoreThanKeepsUpAndDoesNotMakeItCreep) {
  Points rest;
  const Model model = arap_cube(2, 1e5, rest);
  State state{rest, random_points(model.vertices(), 3)};
  const State before = state;
  const double K = model.kinetic(state.v);
  EXPECT_NEAR(sim::lose_as_wished(model, K, 0.01 * K, state), 0.04 * K, 1e-12 * K);
  state = before;
  EXPECT_LT(sim::lose_as_wished(model, 1e3 * K, 1e3 * K, state), 1.1e-3 * K);
  state = before;
  EXPECT_EQ(sim::lose_as_wished(model, 0, K, state), 0);
  EXPECT_EQ(state.v, before.v);
}

}  // namespace
}  // namespace rebound::test
