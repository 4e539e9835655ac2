// The grabs of the moment on top of a prefactored matrix, by the Woodbury identity: a grab costs one solve when it
// begins and next to nothing while it moves.
//   (A + U W U^T)^-1 b = z - Z (W^-1 + U^T Z)^-1 U^T z,   z = A^-1 b,  Z = A^-1 U
// with a column of U a grab: the weights of the vertices that carry the grabbed point.
#pragma once

#include <functional>

#include "sim/model.hpp"

namespace rebound::sim {

class LowRank {
 public:
  /// A^-1 of one column, n numbers in the order of the vertices.
  using Solve = std::function<void(Vector& column)>;

  /// Brings the columns in line with the model's grabs; those of points that stay are kept. coefficient: what L has in
  /// A, s^2. Returns whether anything changed.
  bool update(const Model& model, double coefficient, const Solve& solve);

  int rank() const { return static_cast<int>(points_.size()); }
  /// n x rank.
  const Eigen::MatrixXd& Z() const { return Z_; }

  /// (W^-1 + U^T Z)^-1 U^T z, rank x 3; row(v): z of vertex v.
  template <class Row>
  const Eigen::MatrixX3d& weights(const Row& row) const {
    right_hand_side_.setZero(rank(), 3);
    for (int c = 0; c < rank(); ++c)
      for (int j = 0; j < 4; ++j)
        if (carries_[static_cast<std::size_t>(c)][j] != 0)
          right_hand_side_.row(c) += carries_[static_cast<std::size_t>(c)][j] *
                                     row(points_[static_cast<std::size_t>(c)].vertices[j]).template cast<double>();
    weights_.noalias() = small_inverse_ * right_hand_side_;
    return weights_;
  }

 private:
  std::vector<BodyPoint> points_;
  std::vector<std::array<double, 4>> carries_;  ///< the points' weights, 0 at fixed vertices
  std::vector<double> stiffness_;
  Eigen::MatrixXd Z_;              // n x k
  Eigen::MatrixXd small_inverse_;  // k x k
  mutable Eigen::MatrixX3d right_hand_side_, weights_;
};

}  // namespace rebound::sim
