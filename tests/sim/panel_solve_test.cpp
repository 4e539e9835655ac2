// Solving for a few right-hand sides at once: by hand-made supernodes against dense triangles, on every instruction set
// to the same bits, and by a body's own factor against one right-hand side at a time.
#include "sim/linear/panel_solve_kernel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "sim/linear/cholesky.hpp"
#include "support/kernels.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

TEST(PanelSolve, SupernodesOfAnyShapeAreSolvedToTheSameBits) {
  // Supernodes of 1, 2, 4, 9 and 17 columns, each with some of the rows of later ones below.
  constexpr int kWidths[] = {1, 2, 4, 9, 17};
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<int> first_column{0}, rows_begin{0}, values_begin{0}, rows;
  for (const int width : kWidths) first_column.push_back(first_column.back() + width);
  const int n = first_column.back();
  Eigen::MatrixXd L = Eigen::MatrixXd::Zero(n, n);
  std::vector<double> values;
  for (std::size_t s = 0; s < std::size(kWidths); ++s) {
    std::vector<int> own;
    for (int i = first_column[s]; i < n; ++i)
      if (i < first_column[s + 1] || random() % 3 != 0) own.push_back(i);
    for (int c = 0; c < kWidths[s]; ++c)
      for (std::size_t r = 0; r < own.size(); ++r) {
        const bool above = static_cast<int>(r) < c;
        const double value = above                      ? NAN
                             : static_cast<int>(r) == c ? 3 + std::abs(normal(random))
                                                        : 0.3 * normal(random);
        values.push_back(value);
        if (!above) L(own[r], first_column[s] + c) = value;
      }
    rows.insert(rows.end(), own.begin(), own.end());
    rows_begin.push_back(static_cast<int>(rows.size()));
    values_begin.push_back(static_cast<int>(values.size()));
  }
  const SupernodalFactor factor{static_cast<int>(std::size(kWidths)),
                                first_column.data(),
                                rows_begin.data(),
                                values_begin.data(),
                                rows.data(),
                                values.data()};
  using Panel = Eigen::Matrix<double, Eigen::Dynamic, kPanelColumns, Eigen::RowMajor>;
  const Panel b = Panel::NullaryExpr(n, kPanelColumns, [&] { return normal(random); });
  const Eigen::MatrixXd exact = (L * L.transpose()).ldlt().solve(Eigen::MatrixXd(b));
  Panel baseline;
  for (const PanelSolveKernel* kernel : REBOUND_USABLE_KERNELS(panel_solve_kernel(), kPanelSolveKernel)) {
    Panel x = b;
    kernel->solve(factor, x.data(), kPanelColumns);
    EXPECT_LT((x - exact).norm(), 1e-12 * exact.norm()) << kernel->instruction_set;
    if (baseline.size() == 0) baseline = x;
    EXPECT_EQ(x, baseline) << kernel->instruction_set;
    for (int columns = 2 * kPanelColumns; columns <= kMostPanelColumns; columns += kPanelColumns) {
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> wide(n, columns);
      for (int at = 0; at < columns; at += kPanelColumns) wide.middleCols(at, kPanelColumns) = (at == 0 ? 1 : -2) * b;
      kernel->solve(factor, wide.data(), columns);
      for (int at = 0; at < columns; at += kPanelColumns)
        EXPECT_EQ(wide.middleCols(at, kPanelColumns), (at == 0 ? 1 : -2) * baseline) << kernel->instruction_set;
    }
  }
}

TEST(PanelSolve, OfABodyIsWhatOneAtATimeGives) {
  const MaterialCube cube("stable-neo-hookean", 1e5, 0.4, 8);
  Workspace work(1);
  SparseMatrix S = cube.model.stiffness_matrix(cube.rest, work);
  for (Eigen::Index j = 0; j < S.cols(); ++j) S.coeffRef(j, j) += 1e3;
  RepeatedCholesky factor(std::make_shared<const CholeskyAnalysis>(S));
  ASSERT_TRUE(factor.factor(S));
  for (const int columns : {2, 7, 8, 9, 27}) {
    const Eigen::MatrixXd b = Eigen::MatrixXd::Random(S.rows(), columns);
    Eigen::MatrixXd one_by_one = b, alone = b;
    for (int c = 0; c < columns; ++c) factor.solve(one_by_one.col(c));
    factor.solve(alone);
    EXPECT_LT((alone - one_by_one).norm(), 1e-12 * one_by_one.norm()) << columns;
    for (const int threads : {2, 3}) {
      Workers workers(threads);
      Eigen::MatrixXd x = b;
      factor.solve(x, &workers);
      EXPECT_EQ(x, alone) << columns;
    }
  }
}

}  // namespace
}  // namespace rebound::test
