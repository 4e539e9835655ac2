#include "sim/energy/signed_svd.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

namespace rebound::sim {
namespace {

constexpr int kMostSweeps = 12;  // five do for nearly all
constexpr double kRightAngle = 1e-15;
constexpr double kNothing = 1e-150;  // of a matrix of size 1: below it squares lose digits

// Turns columns p and q of A, and of V, until those of A are at right angles. False if they were.
bool turn_columns(Eigen::Matrix3d& A, Eigen::Matrix3d& V, int p, int q) {
  const double a = A.col(p).squaredNorm(), b = A.col(q).squaredNorm(), both = A.col(p).dot(A.col(q));
  if (!(std::abs(both) > kRightAngle * std::sqrt(a * b))) return false;
  const double zeta = (b - a) / (2 * both);
  const double tangent = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
  const double cosine = 1 / std::sqrt(1 + tangent * tangent), sine = cosine * tangent;
  for (Eigen::Matrix3d* X : {&A, &V}) {
    const Eigen::Vector3d of_p = X->col(p);
    X->col(p) = cosine * of_p - sine * X->col(q);
    X->col(q) = sine * of_p + cosine * X->col(q);
  }
  return true;
}

// Swaps columns in a way that is a rotation.
void exchange(Eigen::Matrix3d& A, Eigen::Matrix3d& V, int p, int q) {
  for (Eigen::Matrix3d* X : {&A, &V}) {
    X->col(p).swap(X->col(q));
    X->col(p) *= -1;
  }
}

Eigen::Vector3d any_across(const Eigen::Vector3d& u) {
  int least = 0;
  u.cwiseAbs().minCoeff(&least);
  return u.cross(Eigen::Vector3d::Unit(least)).normalized();
}

}  // namespace

SignedSvd signed_svd(const Eigen::Matrix3d& F) {
  SignedSvd svd{Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero()};
  const double scale = F.cwiseAbs().sum();
  if (scale == 0) return svd;
  if (!std::isfinite(scale)) {
    svd.s.setConstant(scale);
    return svd;
  }
  Eigen::Matrix3d A = F / scale;
  bool turned = true;
  for (int sweep = 0; turned && sweep < kMostSweeps; ++sweep) {
    turned = turn_columns(A, svd.V, 0, 1);
    turned |= turn_columns(A, svd.V, 0, 2);
    turned |= turn_columns(A, svd.V, 1, 2);
  }
  Eigen::Vector3d length = A.colwise().norm().transpose();
  for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}})
    if (length[p] < length[q]) {
      exchange(A, svd.V, p, q);
      std::swap(length[p], length[q]);
    }
  svd.U.col(0) = A.col(0) / length[0];
  svd.U.col(1) = length[1] > kNothing ? Eigen::Vector3d(A.col(1) / length[1]) : any_across(svd.U.col(0));
  svd.U.col(2) = svd.U.col(0).cross(svd.U.col(1));
  svd.s << length[0], length[1], std::copysign(length[2], svd.U.col(2).dot(A.col(2)));
  svd.s *= scale;
  return svd;
}

}  // namespace rebound::sim
