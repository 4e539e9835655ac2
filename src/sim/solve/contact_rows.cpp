#include "sim/solve/contact_rows.hpp"

#include <algorithm>

#include "sim/solve/dense_kernel.hpp"

namespace rebound::sim {
namespace {

// Vertices that are kept for contacts that come back, at least.
constexpr std::size_t kFewestKept = 64;

}  // namespace

void ContactRows::forget() {
  known_.clear();
  learnt_ = 0;
  places_.clear();
  rows_.clear();
  normals_.resize(0, 3);
  inverse_weights_.resize(0);
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
  rows_.clear();
  std::vector<int> fresh;
  std::size_t wanted = 0;
  for (const Contact& contact : contacts) {
    const BodyRow& row = rows_.emplace_back(without_fixed(contact.point, model.fixed));
    wanted += static_cast<std::size_t>(row.count);
    for (int j = 0; j < row.count; ++j)
      if (!places_.contains(row.vertices[j])) fresh.push_back(row.vertices[j]);
  }
  if (known_.size() + fresh.size() > std::max(kFewestKept, 2 * wanted)) {
    std::vector<BodyRow> rows = std::move(rows_);
    forget();
    rows_before.clear();
    rows_ = std::move(rows);
    fresh.clear();
    for (const BodyRow& row : rows_) fresh.insert(fresh.end(), row.vertices.begin(), row.vertices.begin() + row.count);
  }
  for (const int v : fresh)
    if (places_.try_emplace(v, static_cast<int>(known_.size())).second) known_.push_back(v);
  learn(entries);

  // A row's place among the known is its vertices'.
  int same_rows = 0;
  const int most = static_cast<int>(std::min(rows_.size(), rows_before.size()));
  while (same_rows < most && row(same_rows) == rows_before[static_cast<std::size_t>(same_rows)]) ++same_rows;
  int same = 0;
  Normals normals(rank(), 3);
  Vector inverse_weights(rank());
  for (int c = 0; c < rank(); ++c) {
    const Contact& contact = contacts[static_cast<std::size_t>(c)];
    normals.row(c) = contact.n.transpose();
    inverse_weights[c] = 1 / (coefficient * contact.stiffness);
    if (same == c && c < same_rows && normals.row(c) == normals_.row(c) && inverse_weights[c] == inverse_weights_[c])
      ++same;
  }
  normals_ = std::move(normals);
  inverse_weights_ = std::move(inverse_weights);
  if (same == rank() && rows_.size() == rows_before.size()) return;
  find_mobility(same_rows);
  factor(same);
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
      for (Eigen::Index i = 0; i <= first + k; ++i) inverse_(i, first + k) = inverse_(first + k, i) = columns(i, k);
    learnt_ += static_cast<std::size_t>(count);
  }
}

void ContactRows::find_mobility(int first) {
  const int k = rank();
  if (mobility_.rows() < k) mobility_.conservativeResize(k + k / 2, k + k / 2);
  std::vector<int> begin(static_cast<std::size_t>(k) + 1, 0), slots;
  for (int c = 0; c < k; ++c) {
    begin[c + 1] = begin[c] + row(c).count;
    for (int j = 0; j < row(c).count; ++j) slots.push_back(places_.at(row(c).vertices[j]));
  }
  for (int d = 0; d < k; ++d)
    for (int c = std::max(d, first); c < k; ++c) {
      double sum = 0;
      for (int j = 0; j < row(d).count; ++j) {
        const auto column = inverse_.col(slots[begin[d] + j]);
        for (int i = 0; i < row(c).count; ++i)
          sum += row(d).weights[j] * row(c).weights[i] * column[slots[begin[c] + i]];
      }
      mobility_(c, d) = mobility_(d, c) = sum;
    }
}

// A row of the factor depends on the rows before it alone.
void ContactRows::factor(int same) {
  const int k = rank(), order = (k + kDensePanel - 1) / kDensePanel * kDensePanel;
  if (factor_.cols() < order) {
    factor_.setZero(order + order / 2 + kDenseSlack, order + order / 2);
    same = 0;
  }
  if (altered_) same = 0;
  int done = same / kDensePanel * kDensePanel;
  altered_ = false;
  // Rounding may leave rows that are all but the same on the wrong side of zero.
  double more = 0;
  do {
    for (int d = 0; d < order; ++d) {
      auto column = factor_.col(d);
      const int from = std::max(d, done);
      if (from < k) column.segment(from, k - from) = system_column(d, from);
      column.segment(std::max(from, k), order + kDenseSlack - std::max(from, k)).setZero();
      if (d >= k) column[d] = 1;
      if (d >= done) column[d] *= 1 + more;
    }
    if (dense_kernel().factor(factor_.data(), order, factor_.outerStride(), done)) break;
    altered_ = true;
    done = 0;
    more = more > 0 ? 10 * more : 1e-7;
  } while (more < 1);
}

// W^-1 + N^T G N, from that row on.
Vector ContactRows::system_column(int d, int from) const {
  const int count = rank() - from;
  const auto normals = normals_.bottomRows(count);
  Vector column =
      mobility_.col(d).segment(from, count).array() *
      (normals_(d, 0) * normals.col(0) + normals_(d, 1) * normals.col(1) + normals_(d, 2) * normals.col(2)).array();
  if (d >= from) column[d - from] += inverse_weights_[d];
  return column;
}

void ContactRows::solve_for_lambda() const {
  dense_kernel().solve(factor_.data(), rank(), factor_.outerStride(), lambda_.data());
}

}  // namespace rebound::sim
