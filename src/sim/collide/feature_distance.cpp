#include "sim/collide/feature_distance.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "sim/collide/triangle_point.hpp"

namespace rebound::sim {
namespace {

// Below this share of the largest possible, the squared sine of the angle between two edges is mostly rounding.
constexpr double kParallelEdges = 1e-10;
// The squared sine of the angle between two ways of r, below which they are one.
constexpr double kFlat = 1e-14;

double share(double of, double whole) { return whole > 0 ? std::clamp(of / whole, 0.0, 1.0) : 0; }

// The nearest points of the segments p + s u and q + t v, 0 <= s, t <= 1. Where the two are parallel there are several.
std::pair<double, double> nearest_on_segments(const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v) {
  const Vec3 w = p - q;
  const double a = u.dot(u), b = u.dot(v), c = v.dot(v), d = u.dot(w), e = v.dot(w);
  const double area = a * c - b * b;
  if (!(area > kParallelEdges * a * c)) {
    // The last word is that of the ends.
    std::pair<double, double> best;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& at : {std::pair(0.0, share(e, c)), std::pair(1.0, share(b + e, c)), std::pair(share(-d, a), 0.0),
                           std::pair(share(b - d, a), 1.0)}) {
      const double squared = (w + at.first * u - at.second * v).squaredNorm();
      if (!(squared < least)) continue;
      least = squared;
      best = at;
    }
    return best;
  }
  const double s = share(b * e - c * d, area), t = (b * s + e) / c;
  if (t <= 0) return {share(-d, a), 0};
  if (t >= 1) return {share(b - d, a), 1};
  return {s, t};
}

FeatureDistance of_weights(const FourPoints& x, const std::array<double, 4>& weights) {
  FeatureDistance nearest{0, weights, Vec3::Zero()};
  // Differences first: coordinates may be far from the origin, and their weights sum to 0.
  for (std::size_t i = 1; i < 4; ++i)
    if (weights[i] != 0) nearest.r += weights[i] * (x[i] - x[0]);
  nearest.squared = nearest.r.squaredNorm();
  return nearest;
}

}  // namespace

FeatureDistance feature_distance(FeaturePair kind, const FourPoints& x) {
  switch (kind) {
    case FeaturePair::point_point:
      return of_weights(x, {1, -1, 0, 0});
    case FeaturePair::point_edge: {
      const Vec3 along = x[2] - x[1];
      const double length2 = along.squaredNorm();
      const double t = length2 > 0 ? std::clamp((x[0] - x[1]).dot(along) / length2, 0.0, 1.0) : 0;
      return of_weights(x, {1, -(1 - t), -t, 0});
    }
    case FeaturePair::point_triangle: {
      const TrianglePoint nearest = nearest_in_triangle({x[1], x[2], x[3]}, x[0]);
      return of_weights(x, {1, -nearest.weights[0], -nearest.weights[1], -nearest.weights[2]});
    }
    case FeaturePair::edge_edge:
      break;
  }
  const auto [s, t] = nearest_on_segments(x[0], x[1] - x[0], x[2], x[3] - x[2]);
  return of_weights(x, {1 - s, s, -(1 - t), -t});
}

Vector12 distance_gradient(const FeatureDistance& nearest) {
  Vector12 g;
  for (int i = 0; i < 4; ++i) g.segment<3>(3 * i) = 2 * nearest.weights[static_cast<std::size_t>(i)] * nearest.r;
  return g;
}

FreeWeights free_weights(FeaturePair kind, const FourPoints& x, const FeatureDistance& nearest) {
  const auto& w = nearest.weights;
  FreeWeights free;
  const auto side = [&](std::size_t begin, std::size_t end) {
    std::optional<std::size_t> base;
    for (std::size_t to = begin; to < end; ++to) {
      if (w[to] == 0) continue;
      if (!base) {
        base = to;
        continue;
      }
      // A weight that goes from corner `base` to corner `to` moves r by sign (x_to - x_base), the sign that of its
      // side.
      const double sign = w[*base] > 0 ? 1 : -1;
      const auto k = static_cast<std::size_t>(free.count++);
      free.t[k] = sign * (x[to] - x[*base]);
      free.dw[k] = {};
      free.dw[k][to] = sign;
      free.dw[k][*base] = -sign;
    }
  };
  if (kind == FeaturePair::edge_edge) side(0, 2);
  side(kind == FeaturePair::edge_edge ? 2 : 1, static_cast<std::size_t>(corners_of(kind)));
  if (free.count == 2) {
    const double a = free.t[0].squaredNorm(), b = free.t[1].squaredNorm(), between = free.t[0].dot(free.t[1]);
    if (!(a * b - between * between > kFlat * a * b)) free.count = 1;
  }
  return free;
}

Matrix12 distance_hessian(FeaturePair kind, const FourPoints& x, const FeatureDistance& nearest) {
  const auto& w = nearest.weights;
  Matrix12 H = Matrix12::Zero();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      H.block<3, 3>(3 * i, 3 * j)
          .diagonal()
          .setConstant(2 * w[static_cast<std::size_t>(i)] * w[static_cast<std::size_t>(j)]);
  const FreeWeights free = free_weights(kind, x, nearest);
  if (free.count == 0) return H;
  Eigen::Matrix<double, 12, 2> D_xb;
  for (std::size_t k = 0; k < static_cast<std::size_t>(free.count); ++k)
    for (std::size_t i = 0; i < 4; ++i)
      D_xb.block<3, 1>(3 * static_cast<int>(i), static_cast<int>(k)) =
          2 * (w[i] * free.t[k] + free.dw[k][i] * nearest.r);
  const auto& t = free.t;
  if (free.count == 1) {
    H.noalias() -= D_xb.col(0) * (D_xb.col(0).transpose() / (2 * t[0].squaredNorm()));
    return H;
  }
  Eigen::Matrix2d D_bb;
  D_bb << t[0].squaredNorm(), t[0].dot(t[1]), t[0].dot(t[1]), t[1].squaredNorm();
  const Eigen::Matrix2d inverse = 0.5 * D_bb.inverse();
  H.noalias() -= D_xb * inverse * D_xb.transpose();
  return H;
}

}  // namespace rebound::sim
