// Where Newton begins: with bodies that move on as if rigid, where that is lower, and never elsewhere.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "sim/step/first_guess.hpp"
#include "sim/step/newton.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

using namespace sim;

constexpr double kStep = 1.0 / 120;

struct FreeCube : MaterialCube {
  explicit FreeCube(double young = 1e6) : MaterialCube("neo-hookean", young, 0.3, 4) {
    history.now = {rest, Points::Zero(rest.rows(), 3)};
  }
  StepObjective objective() { return {model, kBackwardEuler, kStep, history, buffers, work}; }
  Points guess() {
    const StepObjective g = objective();
    Points x = g.y(), buffer;
    choose_guess(g, x, buffer);
    return x;
  }

  History history;
  StepBuffers buffers;
  Workspace work{2};
};

TEST(FirstGuess, TurnsABodyWithoutDrawingItOut) {
  FreeCube cube;
  const Vec3 omega(0, 30, 10), v(1, 2, 3);
  for (Eigen::Index i = 0; i < cube.rest.rows(); ++i)
    cube.history.now.v.row(i) = v + omega.cross(Vec3(cube.rest.row(i).transpose()));
  const Points x = cube.guess();
  const Eigen::Matrix3d R = Eigen::AngleAxisd(kStep * omega.norm(), omega.normalized()).toRotationMatrix();
  const Points exact = (cube.rest * R.transpose()).rowwise() + kStep * v.transpose();
  EXPECT_LT(largest_coordinate(x - exact), 1e-12);
}

TEST(FirstGuess, KeepsWhatIsLower) {
  FreeCube cube;
  // So slow a stretch that x + h v has all of it right, and the rigid motion none.
  cube.history.now.v.col(0) = 1e-4 * cube.rest.col(0);
  MaterialCube soft("neo-hookean", 1, 0.3, 4);
  cube.model.energies = std::move(soft.model.energies);
  EXPECT_EQ(cube.guess(), cube.objective().y());
}

TEST(FirstGuess, LeavesWhatIsHeldWhereItIs) {
  FreeCube cube;
  cube.hold_a_face();
  cube.history.now.v.col(1).setConstant(20);
  cube.keep_held(cube.history.now);
  const Points x = cube.guess();
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    if (cube.model.fixed[static_cast<std::size_t>(i)]) {
      EXPECT_EQ(x.row(i), cube.rest.row(i));
    }
  }
}

// A body that breathes several times a step: x + h v draws it out by a third, and backward Euler has it back
// almost at rest.
TEST(FirstGuess, SparesNewtonWhatAVibrationWouldCost) {
  FreeCube cube(1e9);
  cube.history.now.v = 40 * cube.rest;
  const StepObjective g = cube.objective();
  EXPECT_LT(g.value(cube.guess()), 0.1 * g.value(g.y()));
  SolveEffort effort(100);
  effort.tolerance = 1e-2;
  Points x = g.y();
  const SolveReport report = Newton(cube.model).minimize(g, effort, nullptr, x);
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 3);
}

// By the last factor or by one of its own: what is left is what was asked for.
TEST(FirstGuess, NewtonEndsWithinTheToleranceOfTheMinimum) {
  FreeCube cube;
  const int n = static_cast<int>(cube.rest.rows());
  cube.history.now = {cube.rest + random_points(n, 1, 0.01), random_points(n, 2, 2)};
  const StepObjective g = cube.objective();
  Points exact = g.y();
  ASSERT_TRUE(Newton(cube.model).minimize(g, 100, nullptr, exact).converged);
  for (const double tolerance : {0.3, 0.1, 0.03, 0.01, 1e-3}) {
    SolveEffort effort(100);
    effort.tolerance = tolerance;
    Points x = g.y();
    ASSERT_TRUE(Newton(cube.model).minimize(g, effort, nullptr, x).converged);
    EXPECT_LT(largest_coordinate(x - exact) / kStep, tolerance);
  }
}

}  // namespace
}  // namespace rebound::test
