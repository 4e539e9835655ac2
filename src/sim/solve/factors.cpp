#include "sim/solve/factors.hpp"

#include <Eigen/LU>
#include <cmath>

namespace rebound::sim {

namespace {
constexpr std::size_t kMostMatrices = 6;
}

SystemMatrix::SystemMatrix(const CholeskyAnalysis& analysis, const SparseMatrix& A, double coefficient)
    : factor_(analysis, A), coefficient_(coefficient) {}

void SystemMatrix::set_grabs(const Model& model) {
  const auto& grabs = model.grabs.items;
  const auto same = [](const BodyPoint& a, const BodyPoint& b) {
    return a.vertices == b.vertices && a.weights == b.weights;
  };
  bool unchanged = grabs.size() == points_.size();
  for (std::size_t i = 0; unchanged && i < grabs.size(); ++i)
    unchanged = same(grabs[i].point, points_[i]) && grabs[i].stiffness == stiffness_[i];
  if (unchanged) return;

  const auto k = static_cast<Eigen::Index>(grabs.size());
  const Eigen::MatrixXd old_Z = std::move(Z_);
  const auto old_points = std::move(points_);
  U_.setZero(model.vertices(), k);
  Z_.resize(model.vertices(), k);
  points_.clear();
  stiffness_.clear();
  Vector inverse_weight(k);
  for (Eigen::Index c = 0; c < k; ++c) {
    const Attachment& grab = grabs[c];
    for (int j = 0; j < 4; ++j)
      if (!model.fixed[grab.point.vertices[j]]) U_(grab.point.vertices[j], c) += grab.point.weights[j];
    const auto known =
        std::find_if(old_points.begin(), old_points.end(), [&](const BodyPoint& p) { return same(p, grab.point); });
    if (known != old_points.end()) {
      Z_.col(c) = old_Z.col(known - old_points.begin());
    } else {
      Vector column = U_.col(c);
      factor_.solve(column);
      Z_.col(c) = column;
    }
    points_.push_back(grab.point);
    stiffness_.push_back(grab.stiffness);
    inverse_weight[c] = 1 / (coefficient_ * grab.stiffness);
  }
  Eigen::MatrixXd small = U_.transpose() * Z_;
  small.diagonal() += inverse_weight;
  small_inverse_ = small.inverse();
}

void SystemMatrix::solve(Points& b) const {
  factor_.solve(b);
  if (points_.empty()) return;
  small_rhs_.noalias() = U_.transpose() * b;
  b.noalias() -= Z_ * (small_inverse_ * small_rhs_);
}

Factors::Factors(const Model& model) : model_(model), L_(model.laplacian()), analysis_(L_) {}

void Factors::refresh() {
  L_ = model_.laplacian();
  matrices_.clear();
}

// Fixed vertices keep their row, as an identity scaled like a mass: pinning changes numbers, never the pattern.
SparseMatrix Factors::system(double coefficient) const {
  SparseMatrix A = coefficient * L_;
  for (int column = 0; column < A.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(A, column); it; ++it) {
      const bool held = model_.fixed[it.row()] || model_.fixed[column];
      if (it.row() == column) {
        it.valueRef() = held ? model_.M[column] : model_.M[column] + it.value();
      } else if (held) {
        it.valueRef() = 0;
      }
    }
  return A;
}

const SystemMatrix* Factors::find(double coefficient) {
  auto it = matrices_.find(coefficient);
  if (it == matrices_.end()) {
    // Other coefficients come from other time steps; a slider that is dragged must not pile them up.
    if (matrices_.size() >= kMostMatrices) matrices_.clear();
    it = matrices_.try_emplace(coefficient, analysis_, system(coefficient), coefficient).first;
    if (it->second.ok()) it->second.set_grabs(model_);
  }
  return it->second.ok() ? &it->second : nullptr;
}

void Factors::update_grabs() {
  for (auto& [coefficient, matrix] : matrices_)
    if (matrix.ok()) matrix.set_grabs(model_);
}

double Factors::nonzeros() const {
  double total = 0;
  for (const auto& [coefficient, matrix] : matrices_) total += matrix.nonzeros();
  return total;
}

}  // namespace rebound::sim
