#include "sim/solve/contact_rows.hpp"

#include <algorithm>

namespace rebound::sim {
namespace {

// Vertices that are kept for contacts that come back, at least.
constexpr std::size_t kFewestKept = 64;

BodyRow without_fixed(const BodyRow& row, const std::vector<std::uint8_t>& fixed) {
  BodyRow free;
  for (int j = 0; j < row.count; ++j)
    if (!fixed[static_cast<std::size_t>(row.vertices[j])]) free.add(row.vertices[j], row.weights[j]);
  return free;
}

}  // namespace

void ContactRows::forget() {
  known_.clear();
  learnt_ = 0;
  places_.clear();
  rows_.clear();
  slots_.clear();
}

void ContactRows::know(std::vector<int> vertices) {
  if (vertices == known_) return;
  forget();
  known_ = std::move(vertices);
  for (std::size_t i = 0; i < known_.size(); ++i) places_.emplace(known_[i], static_cast<int>(i));
}

void ContactRows::update(const Model& model, double coefficient, const Entries& entries) {
  const auto& contacts = model.contacts.items;
  std::vector<BodyRow> rows_before = std::move(rows_);
  Points normals(static_cast<Eigen::Index>(contacts.size()), 3);
  Vector inverse_weights(normals.rows());
  rows_.clear();
  std::vector<int> fresh;
  std::size_t wanted = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const BodyRow& row = rows_.emplace_back(without_fixed(contacts[c].point, model.fixed));
    wanted += static_cast<std::size_t>(row.count);
    for (int j = 0; j < row.count; ++j)
      if (!places_.contains(row.vertices[j])) fresh.push_back(row.vertices[j]);
    normals.row(static_cast<Eigen::Index>(c)) = contacts[c].n.transpose();
    inverse_weights[static_cast<Eigen::Index>(c)] = 1 / (coefficient * contacts[c].stiffness);
  }
  if (known_.size() + fresh.size() > std::max(kFewestKept, 2 * wanted)) {
    std::vector<BodyRow> rows = std::move(rows_);
    forget();
    rows_ = std::move(rows);
    fresh.clear();
    for (const BodyRow& row : rows_) fresh.insert(fresh.end(), row.vertices.begin(), row.vertices.begin() + row.count);
  }
  for (const int v : fresh)
    if (places_.try_emplace(v, static_cast<int>(known_.size())).second) known_.push_back(v);
  learn(entries);

  std::vector<int> slots_before = std::move(slots_);
  slots_.clear();
  for (const BodyRow& row : rows_)
    for (int j = 0; j < row.count; ++j) slots_.push_back(places_.at(row.vertices[j]));
  const bool same_rows = rows_ == rows_before && slots_ == slots_before;
  if (same_rows && normals == normals_ && inverse_weights == inverse_weights_) return;
  normals_ = std::move(normals);
  inverse_weights_ = std::move(inverse_weights);
  if (!same_rows) find_mobility();
  factor();
}

void ContactRows::learn(const Entries& entries) {
  const auto size = static_cast<Eigen::Index>(known_.size());
  if (inverse_.rows() < size) inverse_.conservativeResize(size + size / 2, size + size / 2);
  Eigen::MatrixXd columns(size, 3);
  while (learnt_ < known_.size()) {
    const auto first = static_cast<Eigen::Index>(learnt_), count = std::min<Eigen::Index>(3, size - first);
    // Those that come later have no entries yet, and will bring their own.
    const Eigen::Index rows = first + count;
    entries(std::span(known_).subspan(learnt_, static_cast<std::size_t>(count)),
            std::span(known_).first(static_cast<std::size_t>(rows)), columns.topLeftCorner(rows, count));
    // An entry is read from the column of the later of its two vertices.
    for (Eigen::Index k = 0; k < count; ++k)
      for (Eigen::Index i = 0; i <= first + k; ++i)
        inverse_(i, first + k) = inverse_(first + k, i) = columns(i, k);
    learnt_ += static_cast<std::size_t>(count);
  }
}

void ContactRows::find_mobility() {
  const int k = rank();
  mobility_.resize(k, k);
  std::vector<int> begin(static_cast<std::size_t>(k) + 1, 0);
  for (int c = 0; c < k; ++c) begin[c + 1] = begin[c] + row(c).count;
  for (int d = 0; d < k; ++d)
    for (int c = d; c < k; ++c) {
      double sum = 0;
      for (int j = 0; j < row(d).count; ++j) {
        const auto column = inverse_.col(slots_[begin[d] + j]);
        for (int i = 0; i < row(c).count; ++i)
          sum += row(d).weights[j] * row(c).weights[i] * column[slots_[begin[c] + i]];
      }
      mobility_(c, d) = mobility_(d, c) = sum;
    }
}

void ContactRows::factor() {
  Eigen::MatrixXd S = mobility_.cwiseProduct((normals_ * normals_.transpose()).matrix());
  S.diagonal() += inverse_weights_;
  factor_.compute(S);
  // Rounding may leave rows that are all but the same on the wrong side of zero.
  for (double more = 1e-7; factor_.info() != Eigen::Success && more < 1; more *= 10) {
    S.diagonal() *= 1 + more;
    factor_.compute(S);
  }
  if (precision_ == Precision::single) single_factor_ = factor_.matrixLLT().cast<float>();
}

void ContactRows::solve_for_lambda() const {
  if (precision_ == Precision::full) {
    factor_.solveInPlace(lambda_);
    return;
  }
  single_lambda_ = lambda_.cast<float>();
  single_factor_.triangularView<Eigen::Lower>().solveInPlace(single_lambda_);
  single_factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(single_lambda_);
  lambda_ = single_lambda_.cast<double>();
}

}  // namespace rebound::sim
