// Eigenpairs of small symmetric matrices by LAPACK against Eigen's, and what is said of those that have none.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <limits>

#include "sim/linear/symmetric_eigen.hpp"

namespace rebound::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd symmetric(int rows) {
  const MatrixXd A = MatrixXd::Random(rows, rows);
  return A + A.transpose();
}

TEST(SymmetricEigen, PairsAreThoseOfEigenWhateverTheSizeBefore) {
  sim::SymmetricEigen eigen;
  for (const int rows : {112, 1, 2, 12, 26, 60}) {
    const MatrixXd A = symmetric(rows);
    const int wanted = (rows + 1) / 2;
    const auto pairs = eigen.of(A, wanted);
    ASSERT_EQ(pairs.vectors.cols(), wanted);
    EXPECT_LT((pairs.values - Eigen::SelfAdjointEigenSolver<MatrixXd>(A).eigenvalues()).norm(), 1e-12 * A.norm());
    EXPECT_LT((A * pairs.vectors - pairs.vectors * pairs.values.head(wanted).asDiagonal()).norm(), 1e-12 * A.norm());
    EXPECT_LT((pairs.vectors.transpose() * pairs.vectors - MatrixXd::Identity(wanted, wanted)).norm(), 1e-12);
  }
}

// Of equal values the vectors are any orthonormal ones of their space.
TEST(SymmetricEigen, VectorsOfEqualValuesAreOrthonormal) {
  constexpr int kRows = 40;
  const MatrixXd Q = Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric(kRows)).eigenvectors();
  VectorXd values = VectorXd::Constant(kRows, 2);
  values.tail(3).setConstant(7);
  const MatrixXd A = Q * values.asDiagonal() * Q.transpose();
  sim::SymmetricEigen eigen;
  const auto pairs = eigen.of(A, kRows);
  EXPECT_LT((pairs.values - values).norm(), 1e-12);
  EXPECT_LT((pairs.vectors.transpose() * pairs.vectors - MatrixXd::Identity(kRows, kRows)).norm(), 1e-12);
}

TEST(SymmetricEigen, OfWhatIsNotFiniteThereAreNone) {
  MatrixXd A = symmetric(30);
  A(20, 10) = std::numeric_limits<double>::infinity();
  sim::SymmetricEigen eigen;
  const auto pairs = eigen.of(A, 5);
  EXPECT_FALSE(pairs.values.array().isFinite().any());
  EXPECT_FALSE(pairs.vectors.array().isFinite().any());
}

}  // namespace
}  // namespace rebound::test
