#include "sim/constraint/wires.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/constraint/rod.hpp"

namespace rebound::sim {
namespace {

constexpr int kPointsOfCircle = 96, kPointsOfTurn = 48, kTurnsDrawn = 4;
constexpr double kHalfLineDrawn = 20;  // m
// Below it the next term of a series is less than rounding.
constexpr double kSmallTurn = 1e-3;

// sin(u)/u.
double sinc(double u) { return std::abs(u) < kSmallTurn ? 1 - u * u / 6 * (1 - u * u / 20) : std::sin(u) / u; }

double sinc_slope(double u) {
  return std::abs(u) < kSmallTurn ? -u / 3 * (1 - u * u / 10) : (std::cos(u) - sinc(u)) / u;
}

}  // namespace

void Rod::evaluate(const Points& x, std::span<ConstraintRow> rows) const {
  const Vec3 d = (x.row(ends_[0]) - x.row(ends_[1])).transpose();
  // As a product, so that what is all but 0 keeps its digits.
  const double l = d.norm();
  rows[0].c = (l - length_) * (l + length_) / (2 * length_);
  rows[0].gradient = {d / length_, -d / length_};
}

Eigen::Matrix3d frame_about(const Vec3& axis) {
  int least = 0;
  axis.cwiseAbs().minCoeff(&least);
  Eigen::Matrix3d frame;
  frame.col(0) = axis.cross(Vec3::Unit(least)).normalized();
  frame.col(1) = axis.cross(Vec3(frame.col(0)));
  frame.col(2) = axis;
  return frame;
}

void LineWire::evaluate(const Points& x, std::span<ConstraintRow> rows) const {
  const Vec3 q = from_centre(x);
  rows[0].c = e1().dot(q);
  rows[0].gradient[0] = e1();
  rows[1].c = e2().dot(q);
  rows[1].gradient[0] = e2();
}

std::vector<Vec3> LineWire::path(const Points&) const {
  return {centre_ - kHalfLineDrawn * axis(), centre_ + kHalfLineDrawn * axis()};
}

void CircleWire::evaluate(const Points& x, std::span<ConstraintRow> rows) const {
  const Vec3 q = from_centre(x);
  const double length = q.norm();
  rows[0].c = axis().dot(q);
  rows[0].gradient[0] = axis();
  rows[1].c = (length - radius_) * (length + radius_) / (2 * radius_);
  rows[1].gradient[0] = q / radius_;
}

std::vector<Vec3> CircleWire::path(const Points&) const {
  std::vector<Vec3> points;
  for (int i = 0; i <= kPointsOfCircle; ++i) {
    const double t = 2 * std::numbers::pi * i / kPointsOfCircle;
    points.push_back(centre_ + radius_ * (std::cos(t) * e1() + std::sin(t) * e2()));
  }
  return points;
}

HelixWire::HelixWire(int vertex, const Vec3& centre, const Vec3& direction, double pitch, const Vec3& through)
    : Wire(vertex, centre, direction, std::abs(pitch)), rate_(2 * std::numbers::pi / pitch) {
  const Vec3 q = through - centre_;
  const double u = e1().dot(q), v = e2().dot(q);
  radius_ = std::hypot(u, v);
  height_ = axis().dot(q);
  phase_ = std::atan2(v, u) - rate_ * height_;
}

void HelixWire::evaluate(const Points& x, std::span<ConstraintRow> rows) const {
  const Vec3 q = from_centre(x);
  const double t = turn(q), along = rate_ * radius_;
  rows[0].c = e1().dot(q) - radius_ * std::cos(t);
  rows[0].gradient[0] = e1() + along * std::sin(t) * axis();
  rows[1].c = e2().dot(q) - radius_ * std::sin(t);
  rows[1].gradient[0] = e2() - along * std::cos(t) * axis();
}

void HelixWire::evaluate_along(const Points& middle, const Points& way, std::span<ConstraintRow> rows) const {
  evaluate(middle, rows);
  const double along = sinc(half_turn(way));
  rows[0].gradient[0] = e1() + along * (rows[0].gradient[0] - e1());
  rows[1].gradient[0] = e2() + along * (rows[1].gradient[0] - e2());
}

Eigen::Matrix3d HelixWire::bend(const Points& x, double u, std::span<const double> lambda) const {
  const double t = turn(from_centre(x)), C = std::cos(t), S = std::sin(t);
  const double across = lambda[0] * C + lambda[1] * S, round = lambda[0] * S - lambda[1] * C;
  return rate_ * rate_ * radius_ * (across * sinc(u) + round * sinc_slope(u)) * axis() * axis().transpose();
}

std::vector<Vec3> HelixWire::path(const Points& x) const {
  constexpr double kMostTurns = 200;
  // What is drawn at the start, and two turns beyond where the point has gone.
  const double gone = std::clamp((axis().dot(from_centre(x)) - height_) / size(), -kMostTurns, kMostTurns);
  const auto begin = static_cast<int>(std::floor(kPointsOfTurn * std::min<double>(-kTurnsDrawn, gone - 2)));
  const auto end = static_cast<int>(std::ceil(kPointsOfTurn * std::max<double>(kTurnsDrawn, gone + 2)));
  std::vector<Vec3> points;
  for (int i = begin; i <= end; ++i) {
    const double height = height_ + size() * i / kPointsOfTurn, t = phase_ + rate_ * height;
    points.push_back(centre_ + height * axis() + radius_ * (std::cos(t) * e1() + std::sin(t) * e2()));
  }
  return points;
}

}  // namespace rebound::sim
