// Newton's method with a factor and with conjugate gradients, for every material of tetrahedra; and the assembly of
// Hessians on all workers.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "sim/step/newton_cg.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

class NewtonTest : public testing::TestWithParam<const char*> {
 protected:
  NewtonTest() : cube(GetParam(), 2e5, 0.4, 4) {
    cube.fall();
    cube.hold_a_face();
    const int n = static_cast<int>(cube.rest.rows());
    history.now = {cube.rest + random_points(n, 1, 0.015), random_points(n, 2, 0.5)};
    cube.keep_held(history.now);
  }

  MaterialCube cube;
  History history;
};

TEST_P(NewtonTest, ConjugateGradientsFindTheSameMinimumAndSayHowWell) {
  StepBuffers buffers;
  Workspace work(2);
  const StepObjective g(cube.model, kBackwardEuler, 0.033, history, buffers, work);
  Points exact = g.y(), x = g.y();
  Newton newton(cube.model);
  NewtonCg cg(cube.model);
  const SolveReport by_factor = newton.minimize(g, 100, nullptr, exact), by_cg = cg.minimize(g, 100, nullptr, x);
  ASSERT_TRUE(by_factor.converged);
  ASSERT_TRUE(by_cg.converged);
  EXPECT_LE(*by_factor.residual, kVelocityTolerance);
  EXPECT_LE(*by_cg.residual, kVelocityTolerance);
  EXPECT_LT(largest_coordinate(x - exact), 1e-11);
  EXPECT_LT(cg.products(), 1000);
}

// What is asked for is what is reached, and costs less.
TEST_P(NewtonTest, StopsAtTheToleranceThatIsAskedFor) {
  StepBuffers buffers;
  Workspace work(1);
  const StepObjective g(cube.model, kBackwardEuler, 0.033, history, buffers, work);
  int before = 0;
  for (const double tolerance : {1e-1, 1e-4, 1e-11}) {
    Points x = g.y(), dg;
    SolveEffort effort(100);
    effort.tolerance = tolerance;
    Newton newton(cube.model);
    const SolveReport report = newton.minimize(g, effort, nullptr, x);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(*report.residual, tolerance);
    g.gradient(x, dg);
    EXPECT_DOUBLE_EQ(*report.residual, velocity_error(cube.model, dg, 0.033));
    EXPECT_GE(report.iterations, before);
    before = report.iterations;
  }
}

// The matrix is a means: the minimum is the same, and a step goes down whatever it is made of.
TEST_P(NewtonTest, AnyProjectionEndsAtTheSameMinimum) {
  StepBuffers buffers;
  Workspace work(1);
  const StepObjective g(cube.model, kBackwardEuler, 0.033, history, buffers, work);
  Points exact = g.y();
  Newton(cube.model).minimize(g, 100, nullptr, exact);
  for (const Projection projection : {Projection::none, Projection::clamp, Projection::absolute}) {
    SolveEffort effort(300);
    effort.projection = projection;
    Points by_factor = g.y(), by_cg = g.y();
    ASSERT_TRUE(Newton(cube.model).minimize(g, effort, nullptr, by_factor).converged);
    ASSERT_TRUE(NewtonCg(cube.model).minimize(g, effort, nullptr, by_cg).converged);
    EXPECT_LT(largest_coordinate(by_factor - exact), 1e-11);
    EXPECT_LT(largest_coordinate(by_cg - exact), 1e-11);
  }
}

TEST_P(NewtonTest, HessiansAreTheSameBytesOnAnyNumberOfThreads) {
  std::vector<Vector> all;
  for (const int threads : {1, 2, 3}) {
    Workspace work(threads);
    HessianBlocks H(cube.model.laplacian());
    for (int again = 0; again < 2; ++again) {
      H.set_zero();
      cube.model.add_hessian(history.now.x, Curvature::exact, H, work);
    }
    all.emplace_back(Eigen::Map<const Vector>(H.matrix().valuePtr(), H.matrix().nonZeros()));
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
}

TEST_P(NewtonTest, ProductsAreThoseOfTheMatrix) {
  Workspace work(2);
  HessianBlocks H(cube.model.laplacian());
  cube.model.add_hessian(history.now.x, Curvature::exact, H, work);
  const Points x = random_points(cube.model.vertices(), 7);
  Points product;
  H.multiply(x, product, work.workers);
  const Vector column = Eigen::Map<const Vector>(x.data(), x.size());
  const Vector expected = H.matrix().selfadjointView<Eigen::Lower>() * column;
  EXPECT_LT((Eigen::Map<const Vector>(product.data(), product.size()) - expected).norm(), 1e-13 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(Materials, NewtonTest, testing::ValuesIn(solid_materials()),
                         [](const auto& of) { return test_name(of.param); });

TEST(Projection, EachTriesWhatItsNameSays) {
  const auto tried = [](Projection projection) {
    const auto all = curvatures(projection);
    return std::vector<Curvature>(all.begin(), all.end());
  };
  EXPECT_EQ(tried(Projection::on_demand), (std::vector{Curvature::exact, Curvature::clamped}));
  EXPECT_EQ(tried(Projection::none), std::vector{Curvature::exact});
  EXPECT_EQ(tried(Projection::clamp), std::vector{Curvature::clamped});
  EXPECT_EQ(tried(Projection::absolute), std::vector{Curvature::absolute});
}

TEST(RepeatedCholesky, FactorsAnewWhatItHasFactoredBefore) {
  MaterialCube cube("stable-neo-hookean", 1e5, 0.3, 5);
  Workspace work(1);
  HessianBlocks H(cube.model.laplacian());
  cube.model.add_hessian(cube.rest, Curvature::exact, H, work);
  H.scale_and_add(1e-3, cube.model.M, cube.model.fixed, work.workers);
  RepeatedCholesky repeated(std::make_shared<const CholeskyAnalysis>(H.matrix()));
  Vector b = Vector::LinSpaced(H.matrix().rows(), -1, 2);
  for (const double scale : {1.0, 3.0, 1.0}) {
    const SparseMatrix A = scale * H.matrix();
    ASSERT_TRUE(repeated.factor(A));
    Vector x = b;
    repeated.solve(x);
    EXPECT_LT((A.selfadjointView<Eigen::Lower>() * x - b).norm(), 1e-11 * b.norm());
  }
  SparseMatrix indefinite = H.matrix();
  indefinite.coeffRef(7, 7) = -1;
  EXPECT_FALSE(repeated.factor(indefinite));
  indefinite.coeffRef(7, 7) = NAN;
  EXPECT_FALSE(repeated.factor(indefinite));
  ASSERT_TRUE(repeated.factor(H.matrix())) << "after a failure";
}

}  // namespace
}  // namespace rebound::test
