// Supernodal factors, and what is solved with them, on all threads: against the matrix itself, to the same bytes on any
// number of threads, and refused where a matrix is not positive definite, wherever that shows.
#include "sim/linear/supernodal_factor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/linear/cholesky.hpp"
#include "sim/linear/cholmod_support.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

/// M + h^2 K of a body whose factor has several large supernodes.
SparseMatrix body_matrix(int cells) {
  const MaterialCube cube("stable-neo-hookean", 1e5, 0.4, cells);
  Workspace work(1);
  HessianBlocks H(cube.model.laplacian());
  cube.model.add_hessian(cube.rest, Curvature::exact, H, work);
  H.scale_and_add(1e-3, cube.model.M, cube.model.fixed, work.workers);
  return H.matrix();
}

struct Analysed {
  explicit Analysed(const SparseMatrix& A) {
    workspace.common.supernodal = CHOLMOD_SUPERNODAL;
    symbolic = analyze(A, nullptr, workspace);
  }
  ~Analysed() { cholmod_free_factor(&symbolic, &workspace.common); }
  Analysed(const Analysed&) = delete;
  Analysed& operator=(const Analysed&) = delete;

  CholmodWorkspace workspace;
  cholmod_factor* symbolic;
};

TEST(SupernodalPlan, HasEverySupernodeOnceAndWhatItNeedsBefore) {
  const SparseMatrix A = body_matrix(14);
  const Analysed analysed(A);
  const SupernodalPlan plan(*analysed.symbolic, A);
  EXPECT_GT(plan.subtrees().size(), 2u);
  EXPECT_GT(plan.top().size(), 1u);
  std::vector<int> task(static_cast<std::size_t>(plan.supernodes()), -2);  // -1: above the cut
  for (std::size_t t = 0; t < plan.subtrees().size(); ++t)
    for (const int s : plan.subtrees()[t]) {
      EXPECT_EQ(task[static_cast<std::size_t>(s)], -2);
      task[static_cast<std::size_t>(s)] = static_cast<int>(t);
    }
  for (const int s : plan.top()) {
    EXPECT_EQ(task[static_cast<std::size_t>(s)], -2);
    task[static_cast<std::size_t>(s)] = -1;
  }
  EXPECT_EQ(std::count(task.begin(), task.end(), -2), 0);
  for (int s = 0; s < plan.supernodes(); ++s)
    for (const SupernodeUpdate* u = plan.updates_begin(s); u != plan.updates_end(s); ++u) {
      EXPECT_LT(u->from, s);
      if (task[static_cast<std::size_t>(s)] >= 0) {
        EXPECT_EQ(task[static_cast<std::size_t>(u->from)], task[static_cast<std::size_t>(s)]) << "of another thread";
      }
    }
}

TEST(SupernodalFactor, IsTheMatrixsAndTheSameBytesOnAnyNumberOfThreads) {
  const SparseMatrix A = body_matrix(14);
  const Analysed analysed(A);
  const SupernodalPlan plan(*analysed.symbolic, A);
  std::vector<double> alone(plan.values());
  ASSERT_TRUE(SupernodalFactoring<double>(plan).run(A, alone.data(), nullptr));
  for (const int threads : {1, 2, 3, 5}) {
    Workers workers(threads);
    SupernodalFactoring<double> factoring(plan);
    std::vector<double> values(plan.values());
    for (int time = 0; time < 2; ++time) {
      ASSERT_TRUE(factoring.run(A, values.data(), &workers));
      EXPECT_EQ(values, alone) << threads << " threads";
    }
  }
}

TEST(SupernodalSolve, IsTheMatrixsInverseAndTheSameBytesOnAnyNumberOfThreads) {
  const SparseMatrix A = body_matrix(14);
  RepeatedCholesky factor(std::make_shared<const CholeskyAnalysis>(A));
  ASSERT_TRUE(factor.factor(A));
  const Vector b = Vector::LinSpaced(A.rows(), -1, 2);
  Vector alone = b;
  factor.solve(alone);
  EXPECT_LT((A.selfadjointView<Eigen::Lower>() * alone - b).norm(), 1e-11 * b.norm());
  for (const int threads : {1, 2, 3, 5}) {
    Workers workers(threads);
    for (int time = 0; time < 2; ++time) {
      Vector x = b;
      factor.solve(x, &workers);
      EXPECT_EQ(x, alone) << threads << " threads";
    }
  }
}

TEST(SupernodalSolve, InSinglePrecisionMissesByItsRoundingAndHasTheSameBytesOnAnyNumberOfThreads) {
  const SparseMatrix A = body_matrix(14);
  RepeatedCholesky exact(std::make_shared<const CholeskyAnalysis>(A)),
      single(std::make_shared<const CholeskyAnalysis>(A));
  ASSERT_TRUE(exact.factor(A));
  ASSERT_TRUE(single.factor_single(A));
  const Vector b = Vector::LinSpaced(A.rows(), -1, 2);
  Vector wanted = b, alone = b;
  exact.solve(wanted);
  single.solve(alone);
  EXPECT_LT((alone - wanted).norm(), 1e-4 * wanted.norm());
  EXPECT_GT((alone - wanted).norm(), 1e-9 * wanted.norm()) << "that was double precision";
  // What it leaves, solved for again.
  Vector left = b - A.selfadjointView<Eigen::Lower>() * alone;
  single.solve(left);
  EXPECT_LT((alone + left - wanted).norm(), 1e-8 * wanted.norm());
  for (const int threads : {1, 2, 3, 5}) {
    Workers workers(threads);
    ASSERT_TRUE(single.factor_single(A, &workers));
    Vector x = b;
    single.solve(x, &workers);
    EXPECT_EQ(x, alone) << threads << " threads";
  }
  ASSERT_TRUE(single.factor(A));
  Vector again = b;
  single.solve(again);
  EXPECT_EQ(again, wanted) << "a factor in double precision after it";
}

// One supernode of several blocks of columns, and strips of rows.
TEST(SupernodalSolve, SolvesADenseMatrixByBlocks) {
  constexpr int kSize = 611;
  const Eigen::MatrixXd root = Eigen::MatrixXd::NullaryExpr(
      kSize, kSize, [](Eigen::Index i, Eigen::Index j) { return std::sin(1.3 * static_cast<double>(i * kSize + j)); });
  const Eigen::MatrixXd dense = root * root.transpose() + kSize * Eigen::MatrixXd::Identity(kSize, kSize);
  const SparseMatrix A = Eigen::MatrixXd(dense.triangularView<Eigen::Lower>()).sparseView();
  RepeatedCholesky factor(std::make_shared<const CholeskyAnalysis>(A));
  ASSERT_TRUE(factor.factor(A));
  const Vector b = Vector::LinSpaced(kSize, 2, -1);
  Workers workers(2);
  Vector x = b, alone = b;
  factor.solve(x, &workers);
  factor.solve(alone);
  EXPECT_EQ(x, alone);
  EXPECT_LT((dense * x - b).norm(), 1e-11 * b.norm());
}

TEST(SupernodalFactor, IsRefusedWhereverAMatrixIsNotPositiveDefinite) {
  const SparseMatrix A = body_matrix(14);
  const Analysed analysed(A);
  const SupernodalPlan plan(*analysed.symbolic, A);
  const int* order = static_cast<const int*>(analysed.symbolic->Perm);
  Workers workers(2);
  SupernodalFactoring<double> factoring(plan);
  std::vector<double> values(plan.values());
  for (const int s :
       {plan.subtrees().front().front(), plan.subtrees().back().back(), plan.top().front(), plan.top().back()})
    for (const int column : {plan.first_column(s), plan.first_column(s) + plan.columns(s) - 1}) {
      SparseMatrix indefinite = A;
      const int row = order[column];
      indefinite.coeffRef(row, row) *= -1;
      EXPECT_FALSE(factoring.run(indefinite, values.data(), &workers)) << s << " " << column;
    }
  EXPECT_TRUE(factoring.run(A, values.data(), &workers)) << "after a failure";
}

}  // namespace
}  // namespace rebound::test
