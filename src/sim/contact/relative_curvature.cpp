#include "sim/contact/relative_curvature.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "sim/energy/curvature_filter.hpp"

namespace rebound::sim {
namespace {

// Orthonormal columns, three for each way in which so many points differ (Helmert's).
SmallMatrix differences(int corners) {
  SmallMatrix Q = SmallMatrix::Zero(3 * corners, 3 * corners - 3);
  for (int k = 1; k < corners; ++k) {
    const double length = std::sqrt(k * (k + 1.0));
    for (int i = 0; i < k; ++i) Q.block<3, 3>(3 * i, 3 * k - 3).diagonal().setConstant(1 / length);
    Q.block<3, 3>(3 * k, 3 * k - 3).diagonal().setConstant(-k / length);
  }
  return Q;
}

using Vector4 = Eigen::Vector4d;

// Orthonormal: w, and what of the weights' ways is normal to it and to one another. Their coordinates are in c.
template <int kFree>
struct WeightBasis {
  static constexpr int kWeights = kFree + 1;
  Eigen::Matrix<double, 4, kWeights> e;
  Eigen::Matrix<double, kWeights, kFree> c;
  double length;  ///< |w|

  WeightBasis(const Vector4& w, const Eigen::Matrix<double, 4, kFree>& dw) : length(w.norm()) {
    e.col(0) = w / length;
    c.setZero();
    for (int k = 0; k < kFree; ++k) {
      Vector4 rest = dw.col(k);
      for (int j = 0; j <= k; ++j) {
        c(j, k) = e.col(j).dot(rest);
        rest -= c(j, k) * e.col(j);
      }
      c(k + 1, k) = rest.norm();
      e.col(k + 1) = rest / c(k + 1, k);
    }
  }
};

// H += w w^T (x) block.
void add_outer(const Vector4& w, const Eigen::Matrix3d& block, Matrix12& H) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) H.block<3, 3>(3 * i, 3 * j) += w[i] * w[j] * block;
}

// Where no weight is free: along n, and across it.
Matrix12 counted_of_points(const FeatureDistance& nearest, double h_D, double h_DD, Curvature curvature) {
  const Vector4 w = Vector4::Map(nearest.weights.data()).normalized();
  const double w2 = Vector4::Map(nearest.weights.data()).squaredNorm();
  const Eigen::Matrix3d nn = nearest.r * nearest.r.transpose() / nearest.squared;
  Matrix12 H = Matrix12::Zero();
  add_outer(w, counted((4 * h_DD * nearest.squared + 2 * h_D) * w2, curvature) * nn, H);
  add_outer(w, counted(2 * h_D * w2, curvature) * (Eigen::Matrix3d::Identity() - nn), H);
  return H;
}

template <int kFree>
Matrix12 counted_in_ways(const FreeWeights& free, const FeatureDistance& nearest, double h_D, double h_DD,
                         Curvature curvature) {
  constexpr int kWeights = kFree + 1, kWays = kWeights + kFree;
  const Eigen::Map<const Vector4> w(nearest.weights.data());
  const double s = std::sqrt(nearest.squared);
  const Vec3 n = nearest.r / s;
  Eigen::Matrix<double, 3, kFree> t;
  Eigen::Matrix<double, 4, kFree> dw;
  for (int k = 0; k < kFree; ++k) {
    const auto of = static_cast<std::size_t>(k);
    t.col(k) = free.t[of];
    dw.col(k) = Eigen::Map<const Vector4>(free.dw[of].data());
    for (int j = 0; j < k; ++j) {
      const double along = t.col(j).dot(t.col(k));
      t.col(k) -= along * t.col(j);
      dw.col(k) -= along * dw.col(j);
    }
    const double length = t.col(k).norm();
    t.col(k) /= length;
    dw.col(k) /= length;
  }
  const WeightBasis<kFree> basis(w, dw);
  // In e_j (x) n, then w/|w| (x) t^_k.
  Eigen::Matrix<double, kWays, kWays> A = Eigen::Matrix<double, kWays, kWays>::Zero();
  A.template topLeftCorner<kWeights, kWeights>() = -2 * h_D * s * s * basis.c * basis.c.transpose();
  A(0, 0) += (4 * h_DD * s * s + 2 * h_D) * basis.length * basis.length;
  A.template topRightCorner<kWeights, kFree>() = -2 * h_D * s * basis.length * basis.c;
  A.template bottomLeftCorner<kFree, kWeights>() = A.template topRightCorner<kWeights, kFree>().transpose();
  A = counted(A, curvature);
  Eigen::Matrix<double, 12, kWays> E;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < kWeights; ++j) E.template block<3, 1>(3 * i, j) = basis.e(i, j) * n;
    for (int k = 0; k < kFree; ++k) E.template block<3, 1>(3 * i, kWeights + k) = basis.e(i, 0) * t.col(k);
  }
  const Eigen::Matrix<double, 12, kWays> EA = E * A;
  Matrix12 H = EA.lazyProduct(E.transpose());
  if constexpr (kFree == 1) {
    const Vec3 across = n.cross(t.col(0));
    add_outer(basis.e.col(0), counted(2 * h_D * basis.length * basis.length, curvature) * across * across.transpose(),
              H);
  }
  return H;
}

}  // namespace

Matrix12 counted_of_distance(FeaturePair kind, const FourPoints& x, const FeatureDistance& nearest, double h_D,
                             double h_DD, Curvature curvature) {
  const FreeWeights free = free_weights(kind, x, nearest);
  switch (free.count) {
    case 0:
      return counted_of_points(nearest, h_D, h_DD, curvature);
    case 1:
      return counted_in_ways<1>(free, nearest, h_D, h_DD, curvature);
    default:
      return counted_in_ways<2>(free, nearest, h_D, h_DD, curvature);
  }
}

Matrix12 counted_relative(const Matrix12& H, int corners, Curvature curvature) {
  if (curvature == Curvature::exact) return H;
  static const std::array of_corners = {differences(2), differences(3), differences(4)};
  const SmallMatrix& Q = of_corners[static_cast<std::size_t>(corners - 2)];
  const auto own = Q.rows(), ways = Q.cols();
  const SmallMatrix HQ = H.topLeftCorner(own, own).lazyProduct(Q);
  const SmallPairs pairs = symmetric_pairs(SmallMatrix(Q.transpose().lazyProduct(HQ)));
  Matrix12 result = H;
  for (int k = 0; k < ways && pairs.values[k] < 0; ++k) {
    const double lambda = pairs.values[k];
    const SmallVector q = Q.lazyProduct(pairs.vectors.col(k));
    result.topLeftCorner(own, own) += (counted(lambda, curvature) - lambda) * q.lazyProduct(q.transpose());
  }
  return result;
}

}  // namespace rebound::sim
