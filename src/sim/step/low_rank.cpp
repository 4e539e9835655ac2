#include "sim/step/low_rank.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace rebound::sim {
namespace {

// Columns in use and out of it: a point that is held again, or a pin that comes back, needs no solve.
constexpr std::size_t kMostColumns = 2 * LowRank::kMostPins;

bool same(const BodyPoint& a, const BodyPoint& b) { return a.vertices == b.vertices && a.weights == b.weights; }

}  // namespace

bool LowRank::can_reach(const std::vector<std::uint8_t>& factored, const std::vector<std::uint8_t>& fixed) {
  int more = 0;
  for (std::size_t v = 0; v < fixed.size(); ++v) {
    if (factored[v] && !fixed[v]) return false;
    more += fixed[v] && !factored[v];
  }
  return more <= kMostPins;
}

bool LowRank::update(const Model& model, const std::vector<std::uint8_t>& factored, double coefficient,
                     const Solve& solve) {
  std::vector<BodyPoint> wanted;
  std::vector<double> inverse_weights;
  pins_.clear();
  for (int v = 0; v < model.vertices(); ++v)
    if (model.fixed[v] && !factored[v]) pins_.push_back(v);
  for (const int v : pins_) {
    wanted.push_back(BodyPoint::at_vertex(v));
    inverse_weights.push_back(0);
  }
  for (const Attachment& grab : model.grabs.items) {
    // Without the fixed vertices: a grab of them alone is no column like that of their pins.
    wanted.push_back(grab.point);
    for (int j = 0; j < 4; ++j)
      if (model.fixed[grab.point.vertices[j]]) wanted.back().weights[j] = 0;
    inverse_weights.push_back(1 / (coefficient * grab.stiffness));
  }
  bool unchanged = inverse_weights == inverse_weights_;
  for (std::size_t c = 0; unchanged && c < wanted.size(); ++c) unchanged = same(wanted[c], columns_[c].U);
  if (unchanged) return false;

  use(wanted, model.vertices(), solve);
  inverse_weights_ = std::move(inverse_weights);
  Eigen::MatrixXd small(rank(), rank());
  for (int i = 0; i < rank(); ++i)
    for (int c = 0; c < rank(); ++c) {
      small(i, c) = i == c ? inverse_weights_[static_cast<std::size_t>(c)] : 0;
      for (int j = 0; j < 4; ++j) small(i, c) += wanted[i].weights[j] * Z(c)[wanted[i].vertices[j]];
    }
  small_inverse_ = small.inverse();
  return true;
}

std::vector<int> LowRank::vertices() const {
  std::vector<int> found;
  for (int c = 0; c < rank(); ++c) {
    const BodyPoint& U = columns_[static_cast<std::size_t>(c)].U;
    for (int j = 0; j < 4; ++j)
      if (U.weights[j] != 0) found.push_back(U.vertices[j]);
  }
  return found;
}

// Puts the wanted columns first; those that are not known are solved for, three at a time.
void LowRank::use(const std::vector<BodyPoint>& wanted, int n, const Solve& solve) {
  std::vector<Column> before = std::move(columns_);
  columns_.clear();
  std::vector<std::size_t> missing;
  for (const BodyPoint& U : wanted) {
    const auto known = std::find_if(before.begin(), before.end(), [&](const Column& c) { return same(c.U, U); });
    if (known == before.end()) {
      missing.push_back(columns_.size());
      columns_.push_back({U, {}});
    } else {
      columns_.push_back(std::move(*known));
      before.erase(known);
    }
  }
  for (std::size_t first = 0; first < missing.size(); first += 3) {
    const int count = static_cast<int>(std::min<std::size_t>(3, missing.size() - first));
    Points B = Points::Zero(n, 3);
    for (int k = 0; k < count; ++k) {
      const BodyPoint& U = columns_[missing[first + k]].U;
      for (int j = 0; j < 4; ++j) B(U.vertices[j], k) += U.weights[j];
    }
    solve(B);
    for (int k = 0; k < count; ++k) columns_[missing[first + k]].Z = B.col(k);
  }
  for (Column& column : before)
    if (columns_.size() < kMostColumns) columns_.push_back(std::move(column));
}

}  // namespace rebound::sim
