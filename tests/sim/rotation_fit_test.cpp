// The closed-form rotation against the singular value decomposition, on every instruction set that this machine has.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "sim/energy/arap_kernel.hpp"
#include "sim/energy/rotation_fit.hpp"

namespace rebound::sim {
namespace {

using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Matrix random_matrix(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Matrix F;
  for (int i = 0; i < 9; ++i) F.data()[i] = normal(random);
  return F;
}

Matrix random_rotation(std::mt19937& random) {
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(random)).householderQ();
  return Q.determinant() > 0 ? Q : Matrix(-Q);
}

// Moderate strain, anything (half of it inverted), flat, needles, points, pure reflections, and pairs of singular
// values that nearly cancel, where the projection is all but ambiguous.
std::vector<Matrix> test_matrices() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Matrix> all;
  for (int i = 0; i < 100000; ++i) {
    const Matrix U = random_rotation(random), V = random_rotation(random);
    Eigen::Vector3d s;
    switch (i % 8) {
      case 0:
        all.push_back(random_matrix(random));
        continue;
      case 1:
        s = {0.8 + 0.4 * uniform(random), 0.8 + 0.4 * uniform(random), 0.8 + 0.4 * uniform(random)};
        break;
      case 2:
        s = {1 + uniform(random), 1, 0};
        break;
      case 3:
        s = {1, 0, 0};
        break;
      case 4:
        s = {1, 1, -1};
        break;
      case 5:
        s = {2, 1, -1 + std::pow(10.0, -12 * uniform(random))};
        break;
      case 6:
        s = {1e3 * uniform(random), 1, -0.5};
        break;
      default:
        s = {1e-9, 1e-9 * uniform(random), -1e-10};
        break;
    }
    all.push_back(U * s.asDiagonal() * V.transpose());
  }
  all.push_back(Matrix::Zero());
  all.push_back(-Matrix::Identity());
  return all;
}

std::vector<const ArapKernel*> kernels() {
  std::vector<const ArapKernel*> list{&kArapKernelBaseline};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) list.push_back(&kArapKernelAvx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) list.push_back(&kArapKernelAvx512);
#endif
  return list;
}

TEST(RotationFit, IsARotationAndAsCloseAsTheSvds) {
  const auto F = test_matrices();
  std::vector<Matrix> R(F.size());
  kArapKernelBaseline.rotations(F[0].data(), static_cast<int>(F.size()), R[0].data());
  for (std::size_t i = 0; i < F.size(); ++i) {
    ASSERT_LT((R[i].transpose() * R[i] - Matrix::Identity()).cwiseAbs().maxCoeff(), 1e-13) << "F =\n" << F[i];
    ASSERT_GT(R[i].determinant(), 0.99) << "F =\n" << F[i];
    Matrix best;
    rotation_by_svd(F[i].data(), best.data());
    // Where the nearest rotation is not unique the two may differ, but not in how near they are.
    ASSERT_NEAR((F[i] - R[i]).norm(), (F[i] - best).norm(), 1e-12 * (1 + F[i].norm())) << "F =\n" << F[i];
  }
}

TEST(RotationFit, TheSvdItselfBeatsNearbyRotations) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const Matrix F = random_matrix(random);
    Matrix R;
    rotation_by_svd(F.data(), R.data());
    const Eigen::Vector3d axis = Eigen::Vector3d::Random().normalized();
    const Matrix nearby = R * Eigen::AngleAxisd(1e-3, axis).toRotationMatrix();
    ASSERT_GT((F - nearby).norm(), (F - R).norm() - 1e-12);
  }
}

TEST(RotationFit, EveryInstructionSetGivesTheSameBits) {
  const auto F = test_matrices();
  std::vector<Matrix> expected(F.size()), R(F.size());
  kArapKernelBaseline.rotations(F[0].data(), static_cast<int>(F.size()), expected[0].data());
  for (const ArapKernel* kernel : kernels()) {
    kernel->rotations(F[0].data(), static_cast<int>(F.size()), R[0].data());
    EXPECT_EQ(0, std::memcmp(R.data(), expected.data(), R.size() * sizeof(Matrix))) << kernel->instruction_set;
  }
}

}  // namespace
}  // namespace rebound::sim
