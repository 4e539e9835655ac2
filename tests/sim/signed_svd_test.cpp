// F = U diag(s) V^T against Eigen's, and the first root of a cubic against cubics of known roots.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <random>

#include "sim/base/first_root.hpp"
#include "sim/energy/signed_svd.hpp"

namespace rebound::sim {
namespace {

using Matrix3 = Eigen::Matrix3d;

void expect_sound(const Matrix3& F) {
  const SignedSvd svd = signed_svd(F);
  const double size = F.norm();
  EXPECT_LE((svd.U * svd.s.asDiagonal() * svd.V.transpose() - F).norm(), 4e-15 * size) << F;
  EXPECT_LT((svd.U.transpose() * svd.U - Matrix3::Identity()).norm(), 4e-15) << F;
  EXPECT_LT((svd.V.transpose() * svd.V - Matrix3::Identity()).norm(), 4e-15) << F;
  EXPECT_NEAR(svd.U.determinant(), 1, 1e-14) << F;
  EXPECT_NEAR(svd.V.determinant(), 1, 1e-14) << F;
  EXPECT_TRUE(svd.s[0] >= svd.s[1] && svd.s[1] >= std::abs(svd.s[2])) << svd.s.transpose();
  const Eigen::JacobiSVD<Matrix3> other(F);
  EXPECT_LE((svd.s.cwiseAbs() - other.singularValues()).norm(), 4e-15 * size) << F;
}

TEST(SignedSvd, IsADecompositionIntoTwoRotations) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 2000; ++i) {
    Matrix3 F;
    for (double& entry : F.reshaped()) entry = normal(random);
    if (i % 4 == 1) F = std::ldexp(1.0, i % 600 - 300) * F;
    if (i % 4 == 2) F.col(i % 3) = F.col((i + 1) % 3) + 1e-9 * F.col((i + 2) % 3);  // nearly flat
    if (i % 4 == 3) F = Matrix3::Identity() + 1e-8 * F;                             // nearly equal values
    expect_sound(F);
    if (std::abs(F.determinant()) > 1e-12 * std::pow(F.norm(), 3)) {
      EXPECT_EQ(signed_svd(F).s[2] < 0, F.determinant() < 0) << F;
    }
  }
}

TEST(SignedSvd, TakesWhatHasNoVolume) {
  const Matrix3 one = Matrix3::Identity();
  for (const Matrix3& F : {Matrix3(Matrix3::Zero()), one, Matrix3(-one), Matrix3(one.col(1) * one.row(2)),
                           Matrix3(Eigen::Vector3d(1, 2, 3) * Eigen::RowVector3d(-1, 1, 2)),
                           Matrix3(Eigen::Vector3d(0, -2, 1e-12).asDiagonal()), Matrix3(Matrix3::Ones()),
                           Matrix3(Eigen::Vector3d(1, 1e-170, -1e-300).asDiagonal())})
    expect_sound(F);
}

// Small singular values keep their own digits, which F^T F would lose.
TEST(SignedSvd, IsAsGoodForSmallValues) {
  const Eigen::Vector3d s(1, 1e-6, 1e-12);
  const Matrix3 V = Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  // Exact columns: what multiplies from the right mixes them, so it is a permutation.
  Matrix3 F = s.asDiagonal() * Matrix3::Identity();
  F = F * Eigen::PermutationMatrix<3>(Eigen::Vector3i(1, 2, 0));
  const SignedSvd svd = signed_svd(F);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(svd.s[i] / s[i], 1, 1e-14) << i;
  expect_sound(V * F);
}

TEST(SignedSvd, SaysSoWhenThereIsNoNumber) {
  Matrix3 F = Matrix3::Identity();
  F(1, 2) = NAN;
  EXPECT_FALSE(signed_svd(F).s.allFinite());
  F(1, 2) = INFINITY;
  EXPECT_FALSE(signed_svd(F).s.allFinite());
}

double first_root_of(double scale, double r1, double r2, double r3) {
  const double a = -r1 * r2 * r3, b = r1 * r2 + r2 * r3 + r3 * r1, c = -(r1 + r2 + r3);
  const double sign = a > 0 ? scale : -scale;  // so that it begins above zero
  return first_root(sign * a, sign * b, sign * c, sign);
}

TEST(FirstRoot, OfThreeIsTheSmallestPositiveOne) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> root(-4, 4);
  for (int i = 0; i < 2000; ++i) {
    double r[3];
    double expected = std::numeric_limits<double>::infinity();
    for (double& one : r) {
      do one = root(random);
      while (std::abs(one) < 1e-2);
      if (one > 0) expected = std::min(expected, one);
    }
    const double found = first_root_of(std::pow(10.0, i % 13 - 6), r[0], r[1], r[2]);
    if (std::isinf(expected)) {
      EXPECT_TRUE(std::isinf(found)) << found;
    } else {
      EXPECT_NEAR(found, expected, 1e-6 * expected) << r[0] << " " << r[1] << " " << r[2];
    }
  }
}

TEST(FirstRoot, OfLowerDegrees) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(first_root(1, 0, 0, 0), infinity);
  EXPECT_EQ(first_root(1, 2, 0, 0), infinity);
  EXPECT_NEAR(first_root(1, -4, 0, 0), 0.25, 1e-15);
  EXPECT_NEAR(first_root(1e-200, -4, 0, 0), 0.25e-200, 1e-215);
  EXPECT_NEAR(first_root(2, -3, 1, 0), 1, 1e-15);
  EXPECT_NEAR(first_root(2, 0, -0.5, 0), 2, 1e-15);
  EXPECT_EQ(first_root(1, 1, 1, 0), infinity);
  EXPECT_NEAR(first_root(8, 0, 0, -1), 2, 1e-15);
  EXPECT_NEAR(first_root(1e30, 0, 0, -1), 1e10, 1e-5);
  EXPECT_EQ(first_root(1, 0, 0, 1), infinity);
  EXPECT_EQ(first_root(1, -2, 1 + 1e-12, 0), infinity) << "just above";
}

}  // namespace
}  // namespace rebound::sim
