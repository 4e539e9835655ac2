// The dense work of a supernodal factor: products, scattered subtraction, trapezoids and triangles of every shape about
// the tiles' edges, against dense algebra, and on every instruction set to the same bits.
#include "sim/linear/supernode_kernel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <vector>

#include "support/kernels.hpp"

namespace rebound::test {
namespace {

using namespace sim;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}

// Rows on both sides of a tile of 2, 4, 8 and 16.
constexpr int kRows[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 23, 31, 40, 61};

TEST(SupernodeKernel, ProductsOfAnyShapeAreThoseOfDenseAlgebraToTheSameBits) {
  constexpr int kStride = 70;
  const MatrixXd L = random_matrix(kStride, 19, 1);
  for (const int rows : kRows)
    for (int columns = 1; columns <= std::min(rows, 19); ++columns)
      for (const int inner : {1, 6, 19}) {
        const MatrixXd of = L.block(5, 0, rows, inner), exact = of * of.topRows(columns).transpose();
        MatrixXd first;
        for (const SupernodeKernel* kernel : REBOUND_USABLE_KERNELS(supernode_kernel(), kSupernodeKernel)) {
          MatrixXd C = MatrixXd::Zero(rows, columns);
          kernel->multiply(rows, columns, inner, 0, L.data() + 5, L.data() + 5, kStride, C.data());
          C.triangularView<Eigen::StrictlyUpper>().setZero();
          MatrixXd wanted = exact;
          wanted.triangularView<Eigen::StrictlyUpper>().setZero();
          ASSERT_LT((C - wanted).cwiseAbs().maxCoeff(), 1e-13 * (1 + exact.cwiseAbs().maxCoeff()))
              << rows << " x " << columns << ", " << inner << ", " << kernel->instruction_set;
          if (first.size() == 0) first = C;
          ASSERT_EQ(C, first) << kernel->instruction_set;
        }
      }
}

// Rows that begin some way below those of the columns, as a strip of a supernode does.
TEST(SupernodeKernel, ProductsOfAStripHaveAllThatIsOnOrBelowTheDiagonal) {
  constexpr int kStride = 70, kInner = 6, kColumns = 29;
  const MatrixXd L = random_matrix(kStride, kInner, 4), exact = L * L.topRows(kColumns).transpose();
  for (const int below : {1, 7, 8, 20, 29, 40})
    for (const int rows : {1, 5, 8, 15, 30}) {
      const int columns = std::min(kColumns, below + rows);
      MatrixXd first;
      for (const SupernodeKernel* kernel : REBOUND_USABLE_KERNELS(supernode_kernel(), kSupernodeKernel)) {
        MatrixXd C = MatrixXd::Zero(rows, columns);
        kernel->multiply(rows, columns, kInner, below, L.data() + below, L.data(), kStride, C.data());
        for (int c = below + 1; c < columns; ++c) C.col(c).head(c - below).setZero();
        MatrixXd wanted = exact.block(below, 0, rows, columns);
        for (int c = below + 1; c < columns; ++c) wanted.col(c).head(c - below).setZero();
        ASSERT_LT((C - wanted).cwiseAbs().maxCoeff(), 1e-13 * exact.cwiseAbs().maxCoeff())
            << below << ' ' << rows << ' ' << kernel->instruction_set;
        if (first.size() == 0) first = C;
        ASSERT_EQ(C, first) << kernel->instruction_set;
      }
    }
}

TEST(SupernodeKernel, RunsOfRowsAreTakenFromThoseTheyStandFor) {
  const RowRun runs[] = {{1, 0, 1}, {2, 3, 2}, {4, 7, 9}, {13, 20, 23}};
  const Eigen::VectorXd from = random_matrix(40, 1, 2), before = random_matrix(50, 1, 3);
  Eigen::VectorXd wanted = before;
  for (const RowRun& run : runs) wanted.segment(run.to, run.count) -= from.segment(run.from, run.count);
  for (const SupernodeKernel* kernel : REBOUND_USABLE_KERNELS(supernode_kernel(), kSupernodeKernel)) {
    Eigen::VectorXd to = before;
    kernel->subtract(from.data(), runs, 4, to.data());
    EXPECT_EQ(to, wanted) << kernel->instruction_set;
  }
}

TEST(SupernodeKernel, FactorsOfTrapezoidsOfAnyShapeGiveThemBackAndHaveTheSameBits) {
  for (const int rows : kRows)
    for (int columns = 1; columns <= std::min(rows, 29); ++columns) {
      const MatrixXd root = random_matrix(rows, rows + 3, 7);
      const MatrixXd A = (root * root.transpose()).leftCols(columns);
      MatrixXd first;
      for (const SupernodeKernel* kernel : REBOUND_USABLE_KERNELS(supernode_kernel(), kSupernodeKernel)) {
        MatrixXd L = A;
        // What is above the diagonal is nobody's.
        for (int c = 0; c < columns; ++c) L.col(c).head(c).setConstant(NAN);
        ASSERT_TRUE(kernel->factor(rows, columns, L.data()));
        L.topRows(columns).triangularView<Eigen::StrictlyUpper>().setZero();
        const MatrixXd back = L * L.topRows(columns).transpose();
        ASSERT_LT((back - A).cwiseAbs().maxCoeff(), 1e-12 * A.cwiseAbs().maxCoeff())
            << rows << " x " << columns << ", " << kernel->instruction_set;
        if (first.size() == 0) first = L;
        ASSERT_EQ(L, first) << rows << " x " << columns << ", " << kernel->instruction_set;
      }
    }
}

TEST(SupernodeKernel, TrianglesAndProductsWithAVectorAreThoseOfDenseAlgebraToTheSameBits) {
  constexpr int kStride = 70;
  MatrixXd whole = random_matrix(kStride, 61, 5);
  whole.diagonal(-4).array() += 20;  // where the triangles have theirs
  const double* at = whole.data() + 4;
  const VectorXd of_columns = random_matrix(61, 1, 6), of_rows = random_matrix(61, 1, 8);
  for (const int columns : kRows) {
    const auto L = whole.block(4, 0, columns, columns).triangularView<Eigen::Lower>();
    VectorXd first_lower, first_upper;
    for (const SupernodeKernel* kernel : REBOUND_USABLE_KERNELS(supernode_kernel(), kSupernodeKernel)) {
      VectorXd lower = of_columns.head(columns), upper = lower;
      kernel->solve_lower(columns, at, kStride, lower.data());
      kernel->solve_upper(columns, at, kStride, upper.data());
      ASSERT_LT((L * lower - of_columns.head(columns)).norm(), 1e-12) << columns << ", " << kernel->instruction_set;
      ASSERT_LT((L.transpose() * upper - of_columns.head(columns)).norm(), 1e-12) << columns;
      if (first_lower.size() == 0) first_lower = lower, first_upper = upper;
      ASSERT_EQ(lower, first_lower) << columns << ", " << kernel->instruction_set;
      ASSERT_EQ(upper, first_upper) << columns << ", " << kernel->instruction_set;
    }
    for (const int rows : kRows) {
      const auto A = whole.block(4, 0, rows, columns);
      VectorXd first_y, first_x;
      for (const SupernodeKernel* kernel : REBOUND_USABLE_KERNELS(supernode_kernel(), kSupernodeKernel)) {
        VectorXd y = of_rows.head(rows), x = of_columns.head(columns);
        kernel->subtract_product(rows, columns, at, kStride, of_columns.data(), y.data());
        kernel->subtract_transposed(rows, columns, at, kStride, of_rows.data(), x.data());
        ASSERT_LT((y - (of_rows.head(rows) - A * of_columns.head(columns))).norm(), 1e-12) << rows << " x " << columns;
        ASSERT_LT((x - (of_columns.head(columns) - A.transpose() * of_rows.head(rows))).norm(), 1e-12)
            << rows << " x " << columns;
        if (first_y.size() == 0) first_y = y, first_x = x;
        ASSERT_EQ(y, first_y) << rows << " x " << columns << ", " << kernel->instruction_set;
        ASSERT_EQ(x, first_x) << rows << " x " << columns << ", " << kernel->instruction_set;
      }
    }
  }
}

TEST(SupernodeKernel, APivotThatIsNotPositiveIsRefusedWhereverItStands) {
  for (const double bad : {0.0, -1.0, static_cast<double>(NAN)})
    for (int place = 0; place < 21; ++place)
      for (const SupernodeKernel* kernel : REBOUND_USABLE_KERNELS(supernode_kernel(), kSupernodeKernel)) {
        MatrixXd A = MatrixXd::Identity(30, 21);
        A(place, place) = bad;
        EXPECT_FALSE(kernel->factor(30, 21, A.data())) << place << ", " << kernel->instruction_set;
      }
}

}  // namespace
}  // namespace rebound::test
