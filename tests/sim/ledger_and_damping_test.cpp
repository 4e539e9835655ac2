#include <gtest/gtest.h>

#include <utility>

#include <Eigen/Geometry>
#include <atomic>
#include <numeric>

#include "sim/damp/damping.hpp"
#include "sim/integrate/root.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

TEST(Sum, KeepsWhatAPlainSumWouldLose) {
  Sum sum;
  sum.add(1e6);
  for (int i = 0; i < 1000000; ++i) sum.add(1e-11);
  EXPECT_NEAR(sum.value() - 1e6, 1e-5, 1e-9);
}

TEST(LedgerTest, TheTargetIsInitialPlusAddedMinusDissipated) {
  Measurement start;
  start.kinetic = 10;
  Ledger ledger(start, 1e-6);
  ledger.add(Added::user, 5);
  ledger.add(Added::edit, -2);
  ledger.dissipate(Dissipated::damping, 4);
  EXPECT_DOUBLE_EQ(ledger.target(), 9);
  EXPECT_DOUBLE_EQ(ledger.added(), 3);
  EXPECT_DOUBLE_EQ(ledger.added(Added::user), 5);
  EXPECT_DOUBLE_EQ(ledger.scale(), 9);
}

TEST(LedgerTest, TheScaleDoesNotDependOnWhereHeightZeroIs) {
  for (const double height : {0.0, 100.0, -100.0}) {
    Measurement m;
    m.gravity = height;
    m.kinetic = 1;
    Ledger ledger(m, 1e-6);
    m.gravity = height - 3;
    m.kinetic = 4;
    ledger.observe(m);
    EXPECT_NEAR(ledger.scale(), 4, 1e-12) << height;
  }
}

State random_state(int n) { return {random_points(n, 1), random_points(n, 2)}; }

TEST(Damping, LeavesARigidMotionAlone) {
  Model model = free_vertices(20);
  model.M = Vector::LinSpaced(20, 1, 3);
  State state = random_state(20);
  for (int i = 0; i < 20; ++i)
    state.v.row(i) = Eigen::RowVector3d(1, -2, 0.5) + Vec3(0.3, 2, -1).cross(Vec3(state.x.row(i))).transpose();
  const Points before = state.v;
  EXPECT_LT(damp_preserving_rigid_motion(model, 0.7, state), 1e-24 * 100);
  EXPECT_LT((state.v - before).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Damping, KeepsBothMomentaAndReportsExactlyWhatItTook) {
  Model model = free_vertices(20);
  model.M = Vector::LinSpaced(20, 1, 3);
  State state = random_state(20);
  Workspace work(1);
  const Measurement before = measure(model, state, work);
  const double taken = damp_preserving_rigid_motion(model, 0.08, state);
  const Measurement after = measure(model, state, work);
  EXPECT_GT(taken, 0);
  EXPECT_NEAR(before.kinetic - after.kinetic, taken, 1e-12 * before.kinetic);
  EXPECT_LT((after.p - before.p).norm(), 1e-12 * before.p.norm());
  EXPECT_LT((after.l - before.l).norm(), 1e-12 * before.l.norm());
}

TEST(Damping, AllOfItLeavesARigidMotion) {
  Model model = free_vertices(20);
  State state = random_state(20);
  damp_preserving_rigid_motion(model, 1, state);
  State again = state;
  EXPECT_LT(damp_preserving_rigid_motion(model, 1, again), 1e-20);
}

TEST(Damping, WorksOnPointsOnALineAndOnOnePoint) {
  Model line = free_vertices(3);
  State state{Points::Zero(3, 3), Points::Zero(3, 3)};
  state.x.col(0) << -1, 0, 1;
  state.v.col(1) << -1, 0, 1;  // turns about z: rigid
  EXPECT_NEAR(damp_preserving_rigid_motion(line, 1, state), 0, 1e-20);
  EXPECT_DOUBLE_EQ(state.v(2, 1), 1);
  state.v.col(0) << -1, 0, 1;  // stretches: not rigid, 1 J
  EXPECT_NEAR(damp_preserving_rigid_motion(line, 1, state), 1, 1e-12);

  Model point = free_vertices(1);
  State one{Points::Zero(1, 3), Points::Ones(1, 3)};
  EXPECT_EQ(damp_preserving_rigid_motion(point, 1, one), 0);
  EXPECT_EQ(one.v(0, 0), 1);
}

TEST(Damping, TreatsEachBodyByItself) {
  Model model = free_vertices(4);
  model.bodies = {{0, 2}, {2, 2}};
  State state = random_state(4);
  // Two bodies, each moving as a whole, in different directions: nothing to take.
  state.v.row(0) = state.v.row(1) = Eigen::RowVector3d(1, 0, 0);
  state.v.row(2) = state.v.row(3) = Eigen::RowVector3d(0, -1, 0);
  EXPECT_NEAR(damp_preserving_rigid_motion(model, 1, state), 0, 1e-20);
}

TEST(Roots, FindThoseOfGentleAndOfWildFunctions) {
  const auto check = [](auto f, double root, int most_by_secants, int most_by_polynomials) {
    int calls = 0;
    const double enough = 1e-10 * std::min(std::abs(f(0)), std::abs(f(1)));
    const auto counted = [&](double a) {
      ++calls;
      return f(a);
    };
    EXPECT_NEAR(secant_root(counted, 0, 1, f(0), f(1), enough, 60), root, 1e-9 * root);
    EXPECT_LE(std::exchange(calls, 0), most_by_secants);
    const auto nothing = [](double) { return 0.0; };
    EXPECT_NEAR(interpolated_root(counted, nothing, {0, f(0)}, {1, f(1)}, enough, 60), root, 1e-9 * root);
    EXPECT_LE(calls, most_by_polynomials);
  };
  check([](double a) { return 0.3 - a; }, 0.3, 1, 1);
  check([](double a) { return 1 - 4 * a * a; }, 0.5, 10, 2);
  check([](double a) { return a * a * a - 0.125; }, 0.5, 10, 3);
  check([](double a) { return 1e12 * a * a - 1e4; }, 1e-4, 30, 2);
  check([](double a) { return std::expm1(30 * (a - 0.9)); }, 0.9, 20, 20);
}

// Whatever is known of the function need not be found out: a line beside it is found at once.
TEST(Roots, UseWhatIsKnown) {
  int calls = 0;
  const auto known = [](double a) { return std::exp(5 * a); };
  const auto f = [&](double a) {
    ++calls;
    return known(a) - 3 - 2 * a;
  };
  const double f0 = f(0), f1 = f(1);
  calls = 0;
  const double x = interpolated_root(f, known, {0, f0}, {1, f1}, 1e-9, 60);
  EXPECT_NEAR(f(x), 0, 1e-9);
  EXPECT_EQ(calls, 2);
}

// A parabola beside what is known is found at once where its slope is given at an end.
TEST(Roots, UseASlope) {
  int calls = 0;
  const auto known = [](double a) { return std::exp(5 * a); };
  const auto f = [&](double a) {
    ++calls;
    return known(a) - 3 - 2 * a - 4 * a * a;
  };
  const RootNode start{0, f(0)}, end{0.8, f(0.8), -2 - 8 * 0.8};
  calls = 0;
  const double x = interpolated_root(f, known, start, end, 1e-9, 60);
  EXPECT_LE(calls, 1);
  EXPECT_NEAR(f(x), 0, 1e-9);
}

}  // namespace
}  // namespace rebound::test
