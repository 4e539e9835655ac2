// Distances of features: against other ways to the same number, and their derivatives against finite differences for
// every combination of nearest features.
#include "sim/collide/feature_distance.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

using namespace rebound::sim;

namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3 point(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  FourPoints points(double size) { return {point(size), point(size), point(size), point(size)}; }

 private:
  std::mt19937 engine_;
};

constexpr std::array kKinds{FeaturePair::point_point, FeaturePair::point_edge, FeaturePair::point_triangle,
                            FeaturePair::edge_edge};

// Which corners have a part in it.
int features_of(const FeatureDistance& nearest) {
  int mask = 0;
  for (std::size_t i = 0; i < 4; ++i) mask |= (nearest.weights[i] != 0 ? 1 : 0) << i;
  return mask;
}

// The least over a fine grid of both features.
double sampled(FeaturePair kind, const FourPoints& x, int n) {
  double least = INFINITY;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const double s = double(i) / n, t = double(j) / n;
      Vec3 a = x[0], b = Vec3::Zero();
      switch (kind) {
        case FeaturePair::point_point:
          b = x[1];
          break;
        case FeaturePair::point_edge:
          b = x[1] + s * (x[2] - x[1]);
          break;
        case FeaturePair::point_triangle:
          if (i + j > n) continue;
          b = x[1] + s * (x[2] - x[1]) + t * (x[3] - x[1]);
          break;
        case FeaturePair::edge_edge:
          a = x[0] + s * (x[1] - x[0]);
          b = x[2] + t * (x[3] - x[2]);
          break;
      }
      least = std::min(least, (a - b).norm());
    }
  return least;
}

// Whole numbers, so that a squared distance is a fraction without rounding.
using Whole = std::array<long long, 3>;
struct Fraction {
  long long over, under;
  double value() const { return static_cast<double>(over) / static_cast<double>(under); }
};

Whole minus(const Whole& a, const Whole& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
long long dot(const Whole& a, const Whole& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Whole cross(const Whole& a, const Whole& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Fraction lesser(const Fraction& a, const Fraction& b) { return a.over * b.under <= b.over * a.under ? a : b; }

Fraction of_points(const Whole& p, const Whole& q) { return {dot(minus(p, q), minus(p, q)), 1}; }

Fraction of_point_and_edge(const Whole& p, const Whole& a, const Whole& b) {
  const Fraction ends = lesser(of_points(p, a), of_points(p, b));
  const Whole u = minus(b, a), w = minus(p, a), off = cross(w, u);
  const bool inside = dot(w, u) > 0 && dot(w, u) < dot(u, u);
  return inside ? lesser(ends, {dot(off, off), dot(u, u)}) : ends;
}

Fraction of_point_and_triangle(const Whole& p, const Whole& a, const Whole& b, const Whole& c) {
  const Fraction sides =
      lesser(of_point_and_edge(p, a, b), lesser(of_point_and_edge(p, b, c), of_point_and_edge(p, c, a)));
  const Whole n = cross(minus(b, a), minus(c, a));
  const auto is_within = [&](const Whole& from, const Whole& to) {
    return dot(n, cross(minus(to, from), minus(p, from))) >= 0;
  };
  if (dot(n, n) == 0 || !is_within(a, b) || !is_within(b, c) || !is_within(c, a)) return sides;
  const long long height = dot(n, minus(p, a));
  return lesser(sides, {height * height, dot(n, n)});
}

Fraction of_edges(const Whole& a, const Whole& b, const Whole& c, const Whole& d) {
  const Fraction ends = lesser(lesser(of_point_and_edge(a, c, d), of_point_and_edge(b, c, d)),
                               lesser(of_point_and_edge(c, a, b), of_point_and_edge(d, a, b)));
  const Whole u = minus(b, a), v = minus(d, c), w = minus(c, a), n = cross(u, v);
  // Where the lines are nearest: s = (w x v . n) / n . n along u, t = (w x u . n) / n . n along v.
  const long long whole = dot(n, n), s = dot(cross(w, v), n), t = dot(cross(w, u), n);
  if (whole == 0 || s < 0 || s > whole || t < 0 || t > whole) return ends;
  return lesser(ends, {dot(w, n) * dot(w, n), whole});
}

Fraction exact_distance(FeaturePair kind, const std::array<Whole, 4>& x) {
  switch (kind) {
    case FeaturePair::point_point:
      return of_points(x[0], x[1]);
    case FeaturePair::point_edge:
      return of_point_and_edge(x[0], x[1], x[2]);
    case FeaturePair::point_triangle:
      return of_point_and_triangle(x[0], x[1], x[2], x[3]);
    case FeaturePair::edge_edge:
      break;
  }
  return of_edges(x[0], x[1], x[2], x[3]);
}

}  // namespace

TEST(FeatureDistance, IsTheLeastOfAllPointsOfBoth) {
  Random random(1);
  std::map<FeaturePair, std::set<int>> seen;
  for (const FeaturePair kind : kKinds)
    for (int i = 0; i < 400; ++i) {
      const FourPoints x = random.points(1);
      const FeatureDistance nearest = feature_distance(kind, x);
      seen[kind].insert(features_of(nearest));
      const double distance = std::sqrt(nearest.squared), grid = sampled(kind, x, 60);
      EXPECT_LE(distance, grid + 1e-12);
      EXPECT_GE(distance, grid - 0.06);
      Vec3 r = Vec3::Zero();
      for (std::size_t c = 0; c < 4; ++c) r += nearest.weights[c] * x[c];
      EXPECT_LT((r - nearest.r).norm(), 1e-14);
    }
  EXPECT_EQ(seen[FeaturePair::point_point].size(), 1U);
  EXPECT_EQ(seen[FeaturePair::point_edge].size(), 3U);
  EXPECT_EQ(seen[FeaturePair::point_triangle].size(), 7U);
  EXPECT_EQ(seen[FeaturePair::edge_edge].size(), 9U);
}

// Corners on a coarse grid: parallel and collapsed edges, flat triangles, features that touch come by the thousand.
TEST(FeatureDistance, IsThatOfExactFractions) {
  std::mt19937 engine(4);
  for (const long long size : {1LL, 3LL, 12LL})
    // Far from the origin coordinates are still exact, and so are their differences.
    for (const double shift : {0.0, 1048576.0})
      for (const FeaturePair kind : kKinds) {
        int touching = 0, parallel = 0;
        for (int i = 0; i < 20000; ++i) {
          std::array<Whole, 4> whole{};
          FourPoints x{};
          for (std::size_t c = 0; c < 4; ++c)
            for (std::size_t k = 0; k < 3; ++k) {
              whole[c][k] = std::uniform_int_distribution<long long>(-size, size)(engine);
              x[c][static_cast<Eigen::Index>(k)] = static_cast<double>(whole[c][k]) + shift;
            }
          const Fraction exact = exact_distance(kind, whole);
          touching += exact.over == 0 ? 1 : 0;
          const Whole n = cross(minus(whole[1], whole[0]), minus(whole[3], whole[2]));
          parallel += dot(n, n) == 0 ? 1 : 0;
          const double rounding = 1e-14 * static_cast<double>(size * size);
          ASSERT_NEAR(feature_distance(kind, x).squared, exact.value(), rounding)
              << static_cast<int>(kind) << " " << size << " " << i;
        }
        if (size == 1) {
          EXPECT_GT(touching, 200);
          EXPECT_GT(parallel, 200);
        }
      }
}

TEST(FeatureDistance, ParallelAndCollapsedEdgesHaveOneDistance) {
  const Vec3 o = Vec3::Zero(), e = Vec3::UnitX();
  const auto distance = [](const FourPoints& x) {
    return std::sqrt(feature_distance(FeaturePair::edge_edge, x).squared);
  };
  for (const double tilt : {0.0, 1e-12, 1e-9, 1e-7, 1e-5}) {
    const Vec3 along(1, tilt, 0);
    EXPECT_NEAR(distance({o, e, Vec3(0.3, 0, 2), Vec3(0.3, 0, 2) + along}), 2, 1e-6) << tilt;
    EXPECT_NEAR(distance({o, e, Vec3(3, 0, 1), Vec3(3, 0, 1) + along}), std::sqrt(5.0), 1e-6) << tilt;
    EXPECT_NEAR(distance({o, e, Vec3(-0.5, 0.1, 0), Vec3(-0.5, 0.1, 0) - along}), std::sqrt(0.26), 1e-6) << tilt;
    EXPECT_NEAR(distance({o, e, Vec3(0.9, 0, 0.1), Vec3(0.9, 0, 0.1) + along}), 0.1, 1e-6) << tilt;
  }
  EXPECT_DOUBLE_EQ(distance({o, o, Vec3(0, 1, 0), Vec3(0, 1, 0)}), 1);
  EXPECT_DOUBLE_EQ(distance({o, e, Vec3(0.5, 1, 0), Vec3(0.5, 1, 0)}), 1);
}

TEST(FeatureDistance, HasTheDerivativesOfFiniteDifferences) {
  Random random(2);
  for (const FeaturePair kind : kKinds) {
    std::map<int, int> tried;
    for (int i = 0; i < 600; ++i) {
      const FourPoints x = random.points(1);
      const FeatureDistance nearest = feature_distance(kind, x);
      const Vector12 g = distance_gradient(nearest);
      const Matrix12 H = distance_hessian(kind, x, nearest);
      EXPECT_LT((H - H.transpose()).cwiseAbs().maxCoeff(), 1e-9 * (1 + H.cwiseAbs().maxCoeff()));
      constexpr double step = 1e-6;
      bool same_features = true;
      Vector12 g_fd = Vector12::Zero();
      Matrix12 H_fd = Matrix12::Zero();
      for (int c = 0; c < 12; ++c) {
        FourPoints up = x, down = x;
        up[static_cast<std::size_t>(c / 3)][c % 3] += step;
        down[static_cast<std::size_t>(c / 3)][c % 3] -= step;
        const FeatureDistance a = feature_distance(kind, up), b = feature_distance(kind, down);
        same_features =
            same_features && features_of(a) == features_of(nearest) && features_of(b) == features_of(nearest);
        g_fd[c] = (a.squared - b.squared) / (2 * step);
        H_fd.col(c) = (distance_gradient(a) - distance_gradient(b)) / (2 * step);
      }
      if (!same_features) continue;
      ++tried[features_of(nearest)];
      EXPECT_LT((g - g_fd).cwiseAbs().maxCoeff(), 1e-7 * (1 + g.cwiseAbs().maxCoeff()));
      EXPECT_LT((H - H_fd).cwiseAbs().maxCoeff(), 1e-5 * (1 + H.cwiseAbs().maxCoeff()));
    }
    for (const auto& [features, times] : tried) EXPECT_GE(times, 3) << features;
  }
}

TEST(FeatureDistance, DoesNotDependOnWhereItIs) {
  Random random(3);
  for (const FeaturePair kind : kKinds)
    for (int i = 0; i < 50; ++i) {
      const FourPoints x = random.points(0.01);
      FourPoints moved = x;
      for (Vec3& p : moved) p += Vec3(1000, -500, 2000);
      EXPECT_NEAR(feature_distance(kind, x).squared, feature_distance(kind, moved).squared, 1e-14);
    }
}
