// The dense work of a supernodal factor: products, scattered subtraction, trapezoids and triangles of every shape about
// the tiles' edges, in both precisions, against dense algebra, and on every instruction set to the same bits.
#include "sim/linear/supernode_kernel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <random>
#include <vector>

#include "support/kernels.hpp"

namespace rebound::test {
namespace {

using namespace sim;

std::vector<const SupernodeKernel<double>*> usable_kernels(double) {
  return REBOUND_USABLE_KERNELS(supernode_kernel<double>(), kSupernodeKernel);
}
std::vector<const SupernodeKernel<float>*> usable_kernels(float) {
  return REBOUND_USABLE_KERNELS(supernode_kernel<float>(), kSingleSupernodeKernel);
}

template <class Number>
using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
template <class Number>
using Column = Eigen::Vector<Number, Eigen::Dynamic>;
/// Of sums of some ten numbers of about one.
template <class Number>
constexpr Number kRounding = 500 * std::numeric_limits<Number>::epsilon();

template <class Number>
Matrix<Number> random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<Number> normal;
  return Matrix<Number>::NullaryExpr(rows, columns, [&] { return normal(random); });
}

template <class>
class OfSupernodes : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(OfSupernodes, Precisions, );

// Rows on both sides of a tile of 2, 4, 8 and 16.
constexpr int kRows[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 23, 31, 40, 61};

TYPED_TEST(OfSupernodes, ProductsOfAnyShapeAreThoseOfDenseAlgebraToTheSameBits) {
  using Number = TypeParam;
  constexpr int kStride = 70;
  const Matrix<Number> L = random_matrix<Number>(kStride, 19, 1);
  for (const int rows : kRows)
    for (int columns = 1; columns <= std::min(rows, 19); ++columns)
      for (const int inner : {1, 6, 19}) {
        const Matrix<Number> of = L.block(5, 0, rows, inner), exact = of * of.topRows(columns).transpose();
        Matrix<Number> first;
        for (const SupernodeKernel<Number>* kernel : usable_kernels(Number{})) {
          Matrix<Number> C = Matrix<Number>::Zero(rows, columns);
          kernel->multiply(rows, columns, inner, 0, L.data() + 5, L.data() + 5, kStride, C.data());
          C.template triangularView<Eigen::StrictlyUpper>().setZero();
          Matrix<Number> wanted = exact;
          wanted.template triangularView<Eigen::StrictlyUpper>().setZero();
          ASSERT_LT((C - wanted).cwiseAbs().maxCoeff(), kRounding<Number> * (1 + exact.cwiseAbs().maxCoeff()))
              << rows << " x " << columns << ", " << inner << ", " << kernel->instruction_set;
          if (first.size() == 0) first = C;
          ASSERT_EQ(C, first) << kernel->instruction_set;
        }
      }
}

// Rows that begin some way below those of the columns, as a strip of a supernode does.
TYPED_TEST(OfSupernodes, ProductsOfAStripHaveAllThatIsOnOrBelowTheDiagonal) {
  using Number = TypeParam;
  constexpr int kStride = 70, kInner = 6, kColumns = 29;
  const Matrix<Number> L = random_matrix<Number>(kStride, kInner, 4), exact = L * L.topRows(kColumns).transpose();
  for (const int below : {1, 7, 8, 20, 29, 40})
    for (const int rows : {1, 5, 8, 15, 30}) {
      const int columns = std::min(kColumns, below + rows);
      Matrix<Number> first;
      for (const SupernodeKernel<Number>* kernel : usable_kernels(Number{})) {
        Matrix<Number> C = Matrix<Number>::Zero(rows, columns);
        kernel->multiply(rows, columns, kInner, below, L.data() + below, L.data(), kStride, C.data());
        for (int c = below + 1; c < columns; ++c) C.col(c).head(c - below).setZero();
        Matrix<Number> wanted = exact.block(below, 0, rows, columns);
        for (int c = below + 1; c < columns; ++c) wanted.col(c).head(c - below).setZero();
        ASSERT_LT((C - wanted).cwiseAbs().maxCoeff(), kRounding<Number> * exact.cwiseAbs().maxCoeff())
            << below << ' ' << rows << ' ' << kernel->instruction_set;
        if (first.size() == 0) first = C;
        ASSERT_EQ(C, first) << kernel->instruction_set;
      }
    }
}

TYPED_TEST(OfSupernodes, RunsOfRowsAreTakenFromThoseTheyStandFor) {
  using Number = TypeParam;
  const RowRun runs[] = {{1, 0, 1}, {2, 3, 2}, {4, 7, 9}, {13, 20, 23}};
  const Column<Number> from = random_matrix<Number>(40, 1, 2), before = random_matrix<Number>(50, 1, 3);
  Column<Number> wanted = before;
  for (const RowRun& run : runs) wanted.segment(run.to, run.count) -= from.segment(run.from, run.count);
  for (const SupernodeKernel<Number>* kernel : usable_kernels(Number{})) {
    Column<Number> to = before;
    kernel->subtract(from.data(), runs, 4, to.data());
    EXPECT_EQ(to, wanted) << kernel->instruction_set;
  }
}

TYPED_TEST(OfSupernodes, FactorsOfTrapezoidsOfAnyShapeGiveThemBackAndHaveTheSameBits) {
  using Number = TypeParam;
  for (const int rows : kRows)
    for (int columns = 1; columns <= std::min(rows, 29); ++columns) {
      const Matrix<Number> root = random_matrix<Number>(rows, rows + 3, 7);
      const Matrix<Number> A = (root * root.transpose()).leftCols(columns);
      Matrix<Number> first;
      for (const SupernodeKernel<Number>* kernel : usable_kernels(Number{})) {
        Matrix<Number> L = A;
        // What is above the diagonal is nobody's.
        for (int c = 0; c < columns; ++c) L.col(c).head(c).setConstant(NAN);
        ASSERT_TRUE(kernel->factor(rows, columns, L.data()));
        L.topRows(columns).template triangularView<Eigen::StrictlyUpper>().setZero();
        const Matrix<Number> back = L * L.topRows(columns).transpose();
        ASSERT_LT((back - A).cwiseAbs().maxCoeff(), 10 * kRounding<Number> * A.cwiseAbs().maxCoeff())
            << rows << " x " << columns << ", " << kernel->instruction_set;
        if (first.size() == 0) first = L;
        ASSERT_EQ(L, first) << rows << " x " << columns << ", " << kernel->instruction_set;
      }
    }
}

TYPED_TEST(OfSupernodes, TrianglesAndProductsWithAVectorAreThoseOfDenseAlgebraToTheSameBits) {
  using Number = TypeParam;
  constexpr int kStride = 70;
  Matrix<Number> whole = random_matrix<Number>(kStride, 61, 5);
  whole.diagonal(-4).array() += 20;  // where the triangles have theirs
  const Number* at = whole.data() + 4;
  const Column<Number> of_columns = random_matrix<Number>(61, 1, 6), of_rows = random_matrix<Number>(61, 1, 8);
  for (const int columns : kRows) {
    const auto L = whole.block(4, 0, columns, columns).template triangularView<Eigen::Lower>();
    Column<Number> first_lower, first_upper;
    for (const SupernodeKernel<Number>* kernel : usable_kernels(Number{})) {
      Column<Number> lower = of_columns.head(columns), upper = lower;
      kernel->solve_lower(columns, at, kStride, lower.data());
      kernel->solve_upper(columns, at, kStride, upper.data());
      ASSERT_LT((L * lower - of_columns.head(columns)).norm(), 10 * kRounding<Number>)
          << columns << ", " << kernel->instruction_set;
      ASSERT_LT((L.transpose() * upper - of_columns.head(columns)).norm(), 10 * kRounding<Number>) << columns;
      if (first_lower.size() == 0) first_lower = lower, first_upper = upper;
      ASSERT_EQ(lower, first_lower) << columns << ", " << kernel->instruction_set;
      ASSERT_EQ(upper, first_upper) << columns << ", " << kernel->instruction_set;
    }
    for (const int rows : kRows) {
      const auto A = whole.block(4, 0, rows, columns);
      Column<Number> first_y, first_x;
      for (const SupernodeKernel<Number>* kernel : usable_kernels(Number{})) {
        Column<Number> y = of_rows.head(rows), x = of_columns.head(columns);
        kernel->subtract_product(rows, columns, at, kStride, of_columns.data(), y.data());
        kernel->subtract_transposed(rows, columns, at, kStride, of_rows.data(), x.data());
        ASSERT_LT((y - (of_rows.head(rows) - A * of_columns.head(columns))).norm(), 10 * kRounding<Number>)
            << rows << " x " << columns;
        ASSERT_LT((x - (of_columns.head(columns) - A.transpose() * of_rows.head(rows))).norm(), 10 * kRounding<Number>)
            << rows << " x " << columns;
        if (first_y.size() == 0) first_y = y, first_x = x;
        ASSERT_EQ(y, first_y) << rows << " x " << columns << ", " << kernel->instruction_set;
        ASSERT_EQ(x, first_x) << rows << " x " << columns << ", " << kernel->instruction_set;
      }
    }
  }
}

TYPED_TEST(OfSupernodes, APivotThatIsNotPositiveIsRefusedWhereverItStands) {
  using Number = TypeParam;
  for (const Number bad : {Number{0}, Number{-1}, std::numeric_limits<Number>::quiet_NaN()})
    for (int place = 0; place < 21; ++place)
      for (const SupernodeKernel<Number>* kernel : usable_kernels(Number{})) {
        Matrix<Number> A = Matrix<Number>::Identity(30, 21);
        A(place, place) = bad;
        EXPECT_FALSE(kernel->factor(30, 21, A.data())) << place << ", " << kernel->instruction_set;
      }
}

}  // namespace
}  // namespace rebound::test
