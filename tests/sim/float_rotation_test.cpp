// The rotation in single precision against the singular value decomposition in double, on a million matrices and every
// instruction set that this machine has.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <random>

#include "sim/energy/rotation_fit.hpp"
#include "support/float_kernels.hpp"

namespace rebound::test {
namespace {

using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using Random = std::mt19937;

struct MatrixSet {
  const char* name;
  int count;
  std::function<Matrix(Random&, int)> make;
};

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Matrix gaussian(Random& random) {
  std::normal_distribution<double> normal;
  Matrix F;
  for (int i = 0; i < 9; ++i) F.data()[i] = normal(random);
  return F;
}

Matrix rotation(Random& random) {
  std::normal_distribution<double> normal;
  Eigen::Quaterniond q(normal(random), normal(random), normal(random), normal(random));
  return q.normalized().toRotationMatrix();
}

// Singular values that leave the nearest rotation ambiguous, nearly so, or that span many orders of magnitude.
Eigen::Vector3d degenerate_values(Random& random, int i) {
  const double a = uniform(random, 0, 1), tiny = std::pow(10, uniform(random, -12, 0));
  switch (i % 10) {
    case 0:
      return {0, 0, 0};
    case 1:
      return {1, 0, 0};
    case 2:
      return {1, a, 0};
    case 3:
      return {1 + a, 1, -1};
    case 4:
      return {1, 1, -1};
    case 5:
      return {2, 1, tiny - 1};
    case 6:
      return {1 + tiny, 1, tiny - 1};
    case 7:
      return {1, tiny * a, -tiny};
    case 8:
      return {1, tiny, tiny * a};
    default:
      return {1, 1 - a * 1e-3, -a};
  }
}

const MatrixSet kSets[] = {
    {"moderate strain", 350000,
     [](Random& random, int) {
       const Eigen::Vector3d s(uniform(random, 0.7, 1.4), uniform(random, 0.7, 1.4), uniform(random, 0.7, 1.4));
       return Matrix(rotation(random) * s.asDiagonal() * rotation(random).transpose());
     }},
    {"Gaussian", 350000, [](Random& random, int) { return gaussian(random); }},
    {"degenerate", 300000, [](Random& random, int i) {
       if (i < 2) return Matrix(i == 0 ? Matrix(-Matrix::Identity()) : Matrix(Matrix::Zero()));
       const Matrix F = rotation(random) * degenerate_values(random, i).asDiagonal() * rotation(random).transpose();
       return Matrix(std::pow(10, uniform(random, -6, 6)) * F);
     }}};

struct Worst {
  double orthogonality = 0, distance = 0, difference = 0;
};

// F as the kernel sees it, in floats.
Worst worst_of(const MatrixSet& set, const sim::FloatKernel& kernel) {
  Random random(11);
  std::vector<float> F, R(9 * static_cast<std::size_t>(set.count));
  for (int i = 0; i < set.count; ++i) {
    const Matrix f = set.make(random, i);
    for (int k = 0; k < 9; ++k) F.push_back(static_cast<float>(f.data()[k]));
  }
  kernel.rotations(F.data(), set.count, R.data());
  Worst worst;
  const auto raise = [](double& to, double value) {
    if (!(value <= to)) to = value;  // a NaN as well
  };
  for (int i = 0; i < set.count; ++i) {
    using Floats = Eigen::Matrix<float, 3, 3, Eigen::RowMajor>;
    const Matrix f = Eigen::Map<const Floats>(&F[9 * i]).cast<double>(),
                 r = Eigen::Map<const Floats>(&R[9 * i]).cast<double>();
    raise(worst.orthogonality, (r.transpose() * r - Matrix::Identity()).cwiseAbs().maxCoeff());
    raise(worst.orthogonality, std::abs(r.determinant() - 1));
    Matrix best;
    sim::rotation_by_svd(f.data(), best.data());
    const double nearest = (f - best).norm();
    raise(worst.distance, ((f - r).norm() - nearest) / (nearest + 1e-2 * (1 + f.norm())));
    // Where the projection is unique its condition is that of a rotation in the plane of the smallest two, s2 + s3.
    const Eigen::Vector3d s = Eigen::JacobiSVD<Eigen::Matrix3d>(f).singularValues();
    const double gap = s[1] + (f.determinant() < 0 ? -s[2] : s[2]);
    if (gap > 1e-5 * s[0]) raise(worst.difference, (r - best).norm() * gap / s[0]);
  }
  return worst;
}

TEST(FloatRotation, IsARotationAndAsNearAsTheSvds) {
  for (const MatrixSet& set : kSets)
    for (const sim::FloatKernel* kernel : float_kernels()) {
      const Worst worst = worst_of(set, *kernel);
      EXPECT_LT(worst.orthogonality, 1e-6) << set.name << ", " << kernel->instruction_set;
      EXPECT_LT(worst.distance, 1e-5) << set.name << ", " << kernel->instruction_set;
      EXPECT_LT(worst.difference, 1e-5) << set.name << ", " << kernel->instruction_set;
    }
}

}  // namespace
}  // namespace rebound::test
