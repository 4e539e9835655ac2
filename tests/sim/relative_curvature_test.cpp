// Curvature of points that differ: the eigenvalues that count are those of the whole matrix, with three rows less.
#include <gtest/gtest.h>

#include <random>

#include "sim/contact/relative_curvature.hpp"
#include "sim/energy/curvature_filter.hpp"

namespace rebound::test {
namespace {

using namespace sim;

// Of springs between so many points, some of which push apart: indefinite, and blind to where all of them are.
Matrix12 of_springs(int corners, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  Matrix12 H = Matrix12::Zero();
  for (int i = 0; i < corners; ++i)
    for (int j = 0; j < i; ++j) {
      Eigen::Matrix3d k;
      for (double& entry : k.reshaped()) entry = number(random);
      k = (k + k.transpose() - Eigen::Matrix3d::Identity()).eval();
      H.block<3, 3>(3 * i, 3 * i) += k;
      H.block<3, 3>(3 * j, 3 * j) += k;
      H.block<3, 3>(3 * i, 3 * j) -= k;
      H.block<3, 3>(3 * j, 3 * i) -= k;
    }
  return H;
}

TEST(RelativeCurvature, IsThatOfTheWholeMatrix) {
  for (int corners = 2; corners <= 4; ++corners)
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const Matrix12 H = of_springs(corners, seed);
      EXPECT_EQ(counted_relative(H, corners, Curvature::exact), H);
      for (const Curvature curvature : {Curvature::clamped, Curvature::absolute}) {
        const Matrix12 expected = counted(H, curvature);
        EXPECT_GT((expected - H).norm(), 1e-3 * H.norm()) << "nothing to count otherwise";
        EXPECT_LT((counted_relative(H, corners, curvature) - expected).norm(), 1e-13 * H.norm()) << corners << seed;
      }
    }
}

// Of a function of the distance of all kinds of features, in all positions: the same as the whole matrix.
TEST(RelativeCurvature, OfADistanceIsFoundInTheFewWaysInWhichItActs) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  std::array<int, 3> free{};
  for (const FeaturePair kind :
       {FeaturePair::point_point, FeaturePair::point_edge, FeaturePair::point_triangle, FeaturePair::edge_edge})
    for (int i = 0; i < 200; ++i) {
      FourPoints x;
      for (Vec3& p : x)
        for (double& c : p) c = number(random);
      if (i % 10 == 0) x[3] = x[2] + (x[1] - x[0]);  // parallel edges
      const FeatureDistance nearest = feature_distance(kind, x);
      if (nearest.squared < 1e-4) continue;
      ++free[static_cast<std::size_t>(free_weights(kind, x, nearest).count)];
      const double h_D = number(random), h_DD = 3 * number(random);
      const Vector12 g = distance_gradient(nearest);
      const Matrix12 H = h_DD * g * g.transpose() + h_D * distance_hessian(kind, x, nearest);
      for (const Curvature curvature : {Curvature::exact, Curvature::clamped, Curvature::absolute}) {
        const Matrix12 found = counted_of_distance(kind, x, nearest, h_D, h_DD, curvature);
        EXPECT_LT((found - counted(H, curvature)).norm(), 1e-12 * H.norm()) << static_cast<int>(kind) << ", " << i;
      }
    }
  for (const int some : free) EXPECT_GT(some, 50);
}

}  // namespace
}  // namespace rebound::test
