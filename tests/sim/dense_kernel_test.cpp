// The dense factor of contacts against Eigen's, whatever the order, the instruction set, and what is kept.
#include "sim/linear/dense_kernel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <vector>

#include "support/kernels.hpp"

namespace rebound::test {
namespace {

using namespace sim;

Eigen::MatrixXd random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}

// As contacts are: many alike, none quite the same.
Eigen::MatrixXd positive(int order, unsigned seed) {
  const Eigen::MatrixXd B = random_matrix(order, order, seed);
  return B * B.transpose() / order + 1e-3 * Eigen::MatrixXd::Identity(order, order);
}

/// With room for rows below, and above the diagonal what nobody should read.
Eigen::MatrixXd laid_out(const Eigen::MatrixXd& A) {
  Eigen::MatrixXd room = Eigen::MatrixXd::Zero(A.rows() + 5, A.cols());
  room.topRows(A.rows()) = A;
  room.topRows(A.rows()).triangularView<Eigen::StrictlyUpper>().setConstant(NAN);
  return room;
}

Eigen::MatrixXd lower(const Eigen::MatrixXd& room) { return room.topRows(room.cols()).triangularView<Eigen::Lower>(); }

bool factor(const DenseKernel& kernel, Eigen::MatrixXd& room, int done = 0) {
  const int order = static_cast<int>(room.cols());
  // From the last rows to the first: they do not wait for one another.
  for (int begin = order - kDensePanel; begin >= done; begin -= kDensePanel) {
    Eigen::MatrixXd rows = room.block(begin, 0, kDensePanel, done);
    kernel.reduce(room.data(), room.outerStride(), done, begin, rows.data());
  }
  return kernel.factor(room.data(), order, room.outerStride(), done);
}

template <class Number>
using Solve = void (*DenseKernel::*)(const Number*, const Number*, int, Number*);

template <class Number>
void expect_solves(Solve<Number> lower, Solve<Number> upper, double precision) {
  using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<Number, Eigen::Dynamic, 1>;
  constexpr int t = kDenseTile;
  for (const int order : {t, 2 * t, 3 * t, 7 * t, 13 * t}) {
    const Eigen::MatrixXd A = positive(order, static_cast<unsigned>(order));
    const Eigen::LLT<Eigen::MatrixXd> llt(A);
    const Eigen::MatrixXd L = llt.matrixL();
    Matrix tiles(t, row_of_tiles(order / t) / t), diagonals(t, 2 * order);
    for (int row = 0; row < order; row += t) {
      for (int column = 0; column < row; column += t)
        tiles.middleCols(row_of_tiles(row / t) / t + column, t) = L.block(row, column, t, t).template cast<Number>();
      const Eigen::MatrixXd inverse = L.block(row, row, t, t).inverse();
      diagonals.middleCols(2 * row, 2 * t) << inverse.cast<Number>(), inverse.transpose().cast<Number>();
    }
    const Column b = random_matrix(order, 1, 3).cast<Number>();
    const Eigen::VectorXd expected = llt.solve(b.template cast<double>());
    Column first;
    for (const DenseKernel* kernel : REBOUND_USABLE_KERNELS(dense_kernel(), kDenseKernel)) {
      SCOPED_TRACE(kernel->instruction_set);
      Column x = b;
      for (const Solve<Number> solve : {lower, upper})
        (kernel->*solve)(tiles.data(), diagonals.data(), order, x.data());
      const Eigen::VectorXd miss = x.template cast<double>() - expected;
      EXPECT_LT(std::sqrt(miss.dot(A * miss)), precision * std::sqrt(expected.dot(A * expected))) << order;
      if (first.size() == 0) first = x;
      EXPECT_EQ(x, first) << order;
    }
  }
}

TEST(DenseKernel, SolvesAsEigenDoesAndToTheSameBitsEverywhere) {
  expect_solves(&DenseKernel::lower_double, &DenseKernel::upper_double, 1e-12);
  expect_solves(&DenseKernel::lower_single, &DenseKernel::upper_single, 1e-4);
}

TEST(DenseKernel, FactorsAsEigenDoesAndToTheSameBitsEverywhere) {
  for (const int order : {8, 16, 24, 40, 72, 136, 200}) {
    const Eigen::MatrixXd A = positive(order, static_cast<unsigned>(order));
    const Eigen::MatrixXd expected = Eigen::LLT<Eigen::MatrixXd>(A).matrixL();
    Eigen::MatrixXd first;
    for (const DenseKernel* kernel : REBOUND_USABLE_KERNELS(dense_kernel(), kDenseKernel)) {
      SCOPED_TRACE(kernel->instruction_set);
      Eigen::MatrixXd room = laid_out(A);
      ASSERT_TRUE(factor(*kernel, room));
      const Eigen::MatrixXd L = lower(room);
      EXPECT_LT((L - expected).cwiseAbs().maxCoeff(), 1e-11) << order;
      EXPECT_LT((L * L.transpose() - A).cwiseAbs().maxCoeff(), 1e-14 * order) << order;
      EXPECT_TRUE(room.bottomRows(room.rows() - order).isZero(0)) << order;
      if (first.size() == 0) first = L;
      EXPECT_EQ(L, first) << order;
    }
  }
}

TEST(DenseKernel, GoesOnFromTheRowsThatStay) {
  for (const DenseKernel* kernel : REBOUND_USABLE_KERNELS(dense_kernel(), kDenseKernel))
    for (const int done : {0, 8, 40, 64, 72}) {
      SCOPED_TRACE(kernel->instruction_set);
      const Eigen::MatrixXd before = positive(72, 1);
      Eigen::MatrixXd after = before;
      after.bottomRows(72 - done) += 1e-2 * random_matrix(72 - done, 72, 2);
      after.diagonal().tail(72 - done).array() += 1;
      Eigen::MatrixXd room = laid_out(before), fresh = laid_out(after);
      ASSERT_TRUE(factor(*kernel, room));
      for (int column = 0; column < 72; ++column)
        for (int row = std::max(column, done); row < 72; ++row) room(row, column) = after(row, column);
      ASSERT_TRUE(factor(*kernel, room, done));
      ASSERT_TRUE(factor(*kernel, fresh));
      EXPECT_EQ(lower(room), lower(fresh)) << done;
    }
}

TEST(DenseKernel, SaysWhereAPivotIsNotPositive) {
  for (const DenseKernel* kernel : REBOUND_USABLE_KERNELS(dense_kernel(), kDenseKernel))
    for (const int at : {0, 7, 8, 30, 47}) {
      Eigen::MatrixXd A = positive(48, 3);
      const auto can_be_factored = [&] {
        Eigen::MatrixXd room = laid_out(A);
        return factor(*kernel, room);
      };
      EXPECT_TRUE(can_be_factored());
      A(at, at) = -1;
      EXPECT_FALSE(can_be_factored()) << at;
      A(at, at) = NAN;
      EXPECT_FALSE(can_be_factored()) << at;
    }
}

TEST(DenseKernel, AddsColumns) {
  constexpr int count = kDensePanel;
  for (const int rows : {1, 2, 7, 8, 9, 100}) {
    const Eigen::MatrixXf rounded = random_matrix(rows + 5, count, 4).cast<float>();
    const Eigen::MatrixXd columns = rounded.cast<double>(), w = random_matrix(rows + 8, 3, 5);
    const Eigen::Matrix3Xd factors = random_matrix(3, count, 6);
    Eigen::MatrixXd expected = w;
    for (int c = 0; c < count; ++c)
      expected.middleRows(2, rows) += columns.col(c).segment(2, rows) * factors.col(c).transpose();
    std::vector<const float*> single;
    std::vector<const double*> exact;
    for (int c = 0; c < count; ++c) {
      single.push_back(rounded.col(c).data());
      exact.push_back(columns.col(c).data());
    }
    for (const DenseKernel* kernel : REBOUND_USABLE_KERNELS(dense_kernel(), kDenseKernel)) {
      Eigen::MatrixXd sum = w, sum_of_rounded = w;
      kernel->add_columns_double(exact.data(), factors.data(), 2, 2 + rows, sum.outerStride(), sum.data());
      kernel->add_columns_single(single.data(), factors.data(), 2, 2 + rows, w.outerStride(), sum_of_rounded.data());
      EXPECT_EQ(sum, expected) << kernel->instruction_set << " " << rows;
      EXPECT_EQ(sum_of_rounded, expected) << kernel->instruction_set << " " << rows;
    }
  }
}

}  // namespace
}  // namespace rebound::test
