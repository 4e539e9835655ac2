// The grabs of the moment, and pins that came after the factor, on top of a prefactored matrix by the Woodbury
// identity: each costs a third of a solve when it begins and next to nothing while it lasts.
//   (A + U W U^T)^-1 b = z - Z (W^-1 + U^T Z)^-1 U^T z,   z = A^-1 b,  Z = A^-1 U
// with a column of U a grab or a pin: the weights of the vertices that carry the grabbed point, or 1 at the pinned
// vertex, which is held infinitely hard: W^-1 = 0.
#pragma once

#include <functional>
#include <span>

#include "sim/base/fresh_zeros.hpp"
#include "sim/model/model.hpp"

namespace rebound::sim {

class LowRank {
 public:
  /// Every column is read in every iteration; beyond this many, factors are worth making anew.
  static constexpr int kMostPins = 16;
  /// Can a matrix that was factored with these vertices fixed serve those, by columns?
  static bool can_reach(const std::vector<std::uint8_t>& factored, const std::vector<std::uint8_t>& fixed);

  /// B := A^-1 B, n x 3 in the order of the vertices: three columns of U, not three coordinates.
  using Solve = std::function<void(Points& B)>;

  /// Brings the columns in line with the model's grabs and with its fixed vertices that were not when A was factored;
  /// columns that were solved for once are kept. coefficient: what L has in A, s^2. Returns whether anything changed.
  bool update(const Model& model, const std::vector<std::uint8_t>& factored, double coefficient, const Solve& solve);

  int rank() const { return static_cast<int>(inverse_weights_.size()); }
  /// Column c of Z, n.
  const Vector& Z(int c) const { return columns_[static_cast<std::size_t>(c)].Z; }
  /// The pins that have a column. Whatever rounding leaves of a correction there must be cleared.
  std::span<const int> pins() const { return pins_; }

  /// The vertices whose rows weights() asks for.
  std::vector<int> vertices() const;

  /// (W^-1 + U^T Z)^-1 U^T z, rank x 3; row(v): z of vertex v.
  template <class Row>
  const Eigen::MatrixX3d& weights(const Row& row) const {
    fresh_zeros(right_hand_side_, rank(), 3);
    for (int c = 0; c < rank(); ++c) {
      const BodyPoint& U = columns_[static_cast<std::size_t>(c)].U;
      for (int j = 0; j < 4; ++j)
        if (U.weights[j] != 0) right_hand_side_.row(c) += U.weights[j] * row(U.vertices[j]).template cast<double>();
    }
    weights_.noalias() = small_inverse_ * right_hand_side_;
    return weights_;
  }

 private:
  struct Column {
    BodyPoint U;  ///< weight 0 at fixed vertices
    Vector Z;
  };
  void use(const std::vector<BodyPoint>& wanted, int n, const Solve& solve);

  std::vector<Column> columns_;  ///< `rank` in use, then some of those that were
  std::vector<double> inverse_weights_;
  std::vector<int> pins_;
  Eigen::MatrixXd small_inverse_;  // k x k
  mutable Eigen::MatrixX3d right_hand_side_, weights_;
};

}  // namespace rebound::sim
