// A vertex that slides along a fixed curve without friction, as a bead on a wire: two equations.
//
// With q = x - centre and e1, e2, a orthonormal, a the axis of the curve:
//   line    c = (e1 . q, e2 . q)
//   circle  c = (a . q, (|q|^2 - r^2) / (2 r))
//   helix   c = (e1 . q - r cos t, e2 . q - r sin t),  t = phase + 2 pi (a . q) / pitch
// All but the helix are quadratic. Its discrete gradient from t1 to t2 is dc in the middle with the part along the axis
// times sin(u)/u, u = (t2 - t1)/2, as cos t2 - cos t1 = -2 sin((t1 + t2)/2) sin(u).
#pragma once

#include "sim/constraint/constraint.hpp"

namespace rebound::sim {

/// e1, e2 and a as columns, for an axis of length 1.
Eigen::Matrix3d frame_about(const Vec3& axis);

class Wire : public Constraint {
 public:
  std::span<const int> vertices() const final { return vertex_; }
  int equations() const final { return 2; }
  double size() const override { return size_; }

 protected:
  /// axis: of any length above 0. size: m.
  Wire(int vertex, const Vec3& centre, const Vec3& axis, double size)
      : vertex_{vertex}, centre_(centre), frame_(frame_about(axis.normalized())), size_(size) {}
  int vertex() const { return vertex_[0]; }
  Vec3 from_centre(const Points& x) const { return x.row(vertex_[0]).transpose() - centre_; }
  Vec3 e1() const { return frame_.col(0); }
  Vec3 e2() const { return frame_.col(1); }
  Vec3 axis() const { return frame_.col(2); }

  const std::array<int, 1> vertex_;
  const Vec3 centre_;

 private:
  const Eigen::Matrix3d frame_;
  const double size_;
};

class LineWire final : public Wire {
 public:
  LineWire(int vertex, const Vec3& through, const Vec3& direction) : Wire(vertex, through, direction, 1) {}
  std::string_view kind() const override { return "line"; }
  void evaluate(const Points& x, std::span<ConstraintRow> rows) const override;
  Eigen::Matrix3d curvature(const Points&, std::span<const double>, int, int) const override {
    return Eigen::Matrix3d::Zero();
  }
  std::vector<Vec3> path(const Points& x) const override;
};

class CircleWire final : public Wire {
 public:
  /// radius: m, > 0.
  CircleWire(int vertex, const Vec3& centre, const Vec3& normal, double radius)
      : Wire(vertex, centre, normal, radius), radius_(radius) {}
  std::string_view kind() const override { return "circle"; }
  void evaluate(const Points& x, std::span<ConstraintRow> rows) const override;
  Eigen::Matrix3d curvature(const Points&, std::span<const double> lambda, int, int) const override {
    return lambda[1] / radius_ * Eigen::Matrix3d::Identity();
  }
  std::vector<Vec3> path(const Points& x) const override;

 private:
  double radius_;
};

class HelixWire final : public Wire {
 public:
  /// through: a point of the helix, m, whose distance from the axis is its radius. pitch: m a turn; negative turns the
  /// other way.
  HelixWire(int vertex, const Vec3& centre, const Vec3& axis, double pitch, const Vec3& through);
  std::string_view kind() const override { return "helix"; }
  void evaluate(const Points& x, std::span<ConstraintRow> rows) const override;
  Eigen::Matrix3d curvature(const Points& x, std::span<const double> lambda, int, int) const override {
    return bend(x, 0, lambda);
  }
  void evaluate_along(const Points& middle, const Points& way, std::span<ConstraintRow> rows) const override;
  Eigen::Matrix3d curvature_along(const Points& middle, const Points& way, std::span<const double> lambda, int,
                                  int) const override {
    return bend(middle, half_turn(way), lambda);
  }
  std::vector<Vec3> path(const Points& x) const override;
  double radius() const { return radius_; }

 private:
  double turn(const Vec3& q) const { return phase_ + rate_ * axis().dot(q); }
  double half_turn(const Points& way) const { return 0.5 * rate_ * axis().dot(way.row(vertex())); }
  /// Of the discrete gradient over u to both sides of x.
  Eigen::Matrix3d bend(const Points& x, double u, std::span<const double> lambda) const;

  double rate_, radius_, phase_, height_;
};

}  // namespace rebound::sim
