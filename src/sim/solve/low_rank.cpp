#include "sim/solve/low_rank.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace rebound::sim {
namespace {

bool same(const BodyPoint& a, const BodyPoint& b) { return a.vertices == b.vertices && a.weights == b.weights; }

}  // namespace

bool LowRank::update(const Model& model, double coefficient, const Solve& solve) {
  const auto& grabs = model.grabs.items;
  bool unchanged = grabs.size() == points_.size();
  for (std::size_t i = 0; unchanged && i < grabs.size(); ++i)
    unchanged = same(grabs[i].point, points_[i]) && grabs[i].stiffness == stiffness_[i];
  if (unchanged) return false;

  const auto k = static_cast<Eigen::Index>(grabs.size());
  const Eigen::MatrixXd old_Z = std::move(Z_);
  const auto old_points = std::move(points_);
  Z_.resize(model.vertices(), k);
  points_.clear();
  carries_.clear();
  stiffness_.clear();
  Eigen::MatrixXd U = Eigen::MatrixXd::Zero(model.vertices(), k);
  Vector inverse_weight(k);
  for (Eigen::Index c = 0; c < k; ++c) {
    const Attachment& grab = grabs[static_cast<std::size_t>(c)];
    std::array<double, 4> carry = grab.point.weights;
    for (int j = 0; j < 4; ++j) {
      if (model.fixed[grab.point.vertices[j]]) carry[j] = 0;
      U(grab.point.vertices[j], c) += carry[j];
    }
    const auto known =
        std::find_if(old_points.begin(), old_points.end(), [&](const BodyPoint& p) { return same(p, grab.point); });
    if (known != old_points.end()) {
      Z_.col(c) = old_Z.col(known - old_points.begin());
    } else {
      Vector column = U.col(c);
      solve(column);
      Z_.col(c) = column;
    }
    points_.push_back(grab.point);
    carries_.push_back(carry);
    stiffness_.push_back(grab.stiffness);
    inverse_weight[c] = 1 / (coefficient * grab.stiffness);
  }
  Eigen::MatrixXd small = U.transpose() * Z_;
  small.diagonal() += inverse_weight;
  small_inverse_ = small.inverse();
  return true;
}

}  // namespace rebound::sim
