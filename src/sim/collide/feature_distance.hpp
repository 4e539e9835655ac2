// The distance between a point and a triangle, or between two edges, by the features of both that are nearest to each
// other, with its first and second derivatives by the four corners.
//
// The nearest points are r = sum_i w_i x_i apart, where the weights of one side sum to 1 and those of the other to -1.
// D = |r|^2 is the least over the weights beta that are free, so that by the implicit function theorem
//   dD = 2 w (x) r,   d2D = 2 w w^T (x) I - D_xb D_bb^-1 D_bx                     [Li20 Supplement 3, in one form]
// whatever the features: a corner has no free weight, an edge one, a triangle two.
#pragma once

#include "sim/base/types.hpp"

namespace rebound::sim {

/// A point (corner 0) and a triangle (1, 2, 3), or an edge (0, 1) and an edge (2, 3); a point and an edge (1, 2), or
/// two points (0, 1), are triangles that have collapsed.
enum class FeaturePair { point_point, point_edge, point_triangle, edge_edge };

inline constexpr int corners_of(FeaturePair kind) {
  return kind == FeaturePair::point_point ? 2 : kind == FeaturePair::point_edge ? 3 : 4;
}

using FourPoints = std::array<Vec3, 4>;
using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

struct FeatureDistance {
  double squared = 0;                         ///< D, m^2
  std::array<double, 4> weights{0, 0, 0, 0};  ///< w; 0 for a corner that has no part in it
  Vec3 r{0, 0, 0};                            ///< m
};

/// Where two features are nearest to each other.
FeatureDistance feature_distance(FeaturePair kind, const FourPoints& x);

/// The weights that are free: how r moves with each, and how all weights do. Of two parallel edges what both do
/// together is no change at all; there one counts.
struct FreeWeights {
  int count = 0;
  std::array<Vec3, 2> t;                    ///< m, normal to r
  std::array<std::array<double, 4>, 2> dw;  ///< their sum is 0
};
FreeWeights free_weights(FeaturePair kind, const FourPoints& x, const FeatureDistance& nearest);

/// dD by the corners.
Vector12 distance_gradient(const FeatureDistance& nearest);
/// d2D by the corners; exact while the nearest features stay what they are.
Matrix12 distance_hessian(FeaturePair kind, const FourPoints& x, const FeatureDistance& nearest);

}  // namespace rebound::sim
