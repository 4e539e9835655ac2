#include "sim/contact/relative_curvature.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace rebound::sim {
namespace {

// Orthonormal columns, three for each way in which so many points differ (Helmert's).
template <int kCorners>
Eigen::Matrix<double, 3 * kCorners, 3 * kCorners - 3> differences() {
  Eigen::Matrix<double, 3 * kCorners, 3 * kCorners - 3> Q;
  Q.setZero();
  for (int k = 1; k < kCorners; ++k) {
    const double length = std::sqrt(k * (k + 1.0));
    for (int i = 0; i < k; ++i) Q.template block<3, 3>(3 * i, 3 * k - 3).diagonal().setConstant(1 / length);
    Q.template block<3, 3>(3 * k, 3 * k - 3).diagonal().setConstant(-k / length);
  }
  return Q;
}

template <int kCorners>
Matrix12 counted_of(const Matrix12& H, Curvature curvature) {
  constexpr int kOwn = 3 * kCorners;
  static const auto Q = differences<kCorners>();
  const Eigen::Matrix<double, kOwn, kOwn - 3> HQ = H.topLeftCorner<kOwn, kOwn>() * Q;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, kOwn - 3, kOwn - 3>> eigen(Q.transpose() * HQ);
  Matrix12 result = H;
  for (int k = 0; k < kOwn - 3 && eigen.eigenvalues()[k] < 0; ++k) {
    const double lambda = eigen.eigenvalues()[k];
    const Eigen::Matrix<double, kOwn, 1> q = Q * eigen.eigenvectors().col(k);
    result.topLeftCorner<kOwn, kOwn>() += (counted(lambda, curvature) - lambda) * q * q.transpose();
  }
  return result;
}

}  // namespace

Matrix12 counted_relative(const Matrix12& H, int corners, Curvature curvature) {
  if (curvature == Curvature::exact) return H;
  return corners == 2 ? counted_of<2>(H, curvature)
         : corners == 3 ? counted_of<3>(H, curvature)
                        : counted_of<4>(H, curvature);
}

}  // namespace rebound::sim
