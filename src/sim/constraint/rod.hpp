// A rod without mass between two vertices, or an edge that cannot stretch: d = x_a - x_b keeps its length l.
//
//   c = (|d|^2 - l^2) / (2 l),   dc/dx_a = d / l = -dc/dx_b,   d2c = 1 / l on the diagonal, -1 / l beside it
//
// lambda is its tension at |d| = l; negative: it is pressed.
#pragma once

#include "sim/constraint/constraint.hpp"

namespace rebound::sim {

class Rod final : public Constraint {
 public:
  /// length: m, > 0.
  Rod(int a, int b, double length) : ends_{a, b}, length_(length) {}

  std::string_view kind() const override { return "rod"; }
  std::span<const int> vertices() const override { return ends_; }
  int equations() const override { return 1; }
  void evaluate(const Points& x, std::span<ConstraintRow> rows) const override;
  Eigen::Matrix3d curvature(const Points&, std::span<const double> lambda, int a, int b) const override {
    return (a == b ? lambda[0] : -lambda[0]) / length_ * Eigen::Matrix3d::Identity();
  }
  double size() const override { return length_; }
  double length() const { return length_; }

 private:
  std::array<int, 2> ends_;
  double length_;
};

}  // namespace rebound::sim
