#include "sim/solve/contact_rows.hpp"

#include <algorithm>

namespace rebound::sim {
namespace {

// Rows that are kept for points that come back, at least.
constexpr std::size_t kFewestKnown = 64;

BodyRow without_fixed(const BodyRow& row, const std::vector<std::uint8_t>& fixed) {
  BodyRow free;
  for (int j = 0; j < row.count; ++j)
    if (!fixed[static_cast<std::size_t>(row.vertices[j])]) free.add(row.vertices[j], row.weights[j]);
  return free;
}

}  // namespace

std::size_t ContactRows::Hash::operator()(const BodyRow& row) const {
  std::size_t hash = 0;
  for (int j = 0; j < row.count; ++j)
    hash = hash * 1'000'003 + static_cast<std::size_t>(row.vertices[j]) + std::hash<double>()(row.weights[j]);
  return hash;
}

void ContactRows::forget() {
  known_.clear();
  places_.clear();
  rows_.clear();
  slots_.clear();
}

void ContactRows::update(const Model& model, double coefficient, const Solve& solve) {
  const auto& contacts = model.contacts.items;
  std::vector<BodyRow> wanted;
  std::vector<double> parts_before = std::move(parts_);
  Points normals(static_cast<Eigen::Index>(contacts.size()), 3);
  Vector inverse_weights(normals.rows());
  rows_.clear();
  parts_.clear();
  first_.assign(1, 0);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const BodyRow& row = rows_.emplace_back(without_fixed(contacts[c].point, model.fixed));
    if (contacts[c].obstacle >= 0) {
      wanted.push_back(row);
      parts_.push_back(1);
    } else {
      for (int j = 0; j < row.count; ++j) wanted.emplace_back().add(row.vertices[j], 1);
      parts_.insert(parts_.end(), row.weights.begin(), row.weights.begin() + row.count);
    }
    first_.push_back(static_cast<int>(parts_.size()));
    normals.row(static_cast<Eigen::Index>(c)) = contacts[c].n.transpose();
    inverse_weights[static_cast<Eigen::Index>(c)] = 1 / (coefficient * contacts[c].stiffness);
  }
  std::vector<int> slots_before = std::move(slots_);
  find(wanted, model.vertices(), solve);
  const bool same = slots_ == slots_before && parts_ == parts_before;
  if (same && normals == normals_ && inverse_weights == inverse_weights_) return;
  normals_ = std::move(normals);
  inverse_weights_ = std::move(inverse_weights);
  factor();
}

Eigen::MatrixXd ContactRows::mobility() const {
  const auto size = static_cast<Eigen::Index>(known_.size());
  Eigen::MatrixXd GC = Eigen::MatrixXd::Zero(size, rank()), result = Eigen::MatrixXd::Zero(rank(), rank());
  for (int c = 0; c < rank(); ++c)
    for (int k = first_[c]; k < first_[c + 1]; ++k) GC.col(c) += parts_[k] * G_.col(slots_[k]).head(size);
  for (int c = 0; c < rank(); ++c)
    for (int d = 0; d < rank(); ++d)
      for (int k = first_[c]; k < first_[c + 1]; ++k) result(c, d) += parts_[k] * GC(slots_[k], d);
  return result;
}

// Gives every row its place among the known ones; those that are new are solved for, three at a time.
void ContactRows::find(const std::vector<BodyRow>& wanted, int n, const Solve& solve) {
  ++update_;
  slots_.clear();
  std::vector<std::size_t> missing;
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    const auto place = places_.find(wanted[c]);
    slots_.push_back(place == places_.end() ? -1 : place->second);
    if (slots_.back() < 0) {
      missing.push_back(c);
    } else {
      known_[static_cast<std::size_t>(slots_.back())].used = update_;
    }
  }
  std::vector<int> fresh;
  std::vector<int> old = missing.empty() ? std::vector<int>() : unused(std::max(kFewestKnown, 2 * wanted.size()));
  for (const std::size_t c : missing) {
    // A point that meets two surfaces is one row.
    auto [place, is_new] = places_.try_emplace(wanted[c], -1);
    if (is_new) {
      int slot = static_cast<int>(known_.size());
      if (old.empty()) {
        known_.emplace_back();
      } else {
        slot = old.back();
        old.pop_back();
        places_.erase(known_[static_cast<std::size_t>(slot)].V);
      }
      known_[static_cast<std::size_t>(slot)] = {wanted[c], update_};
      place->second = slot;
      fresh.push_back(slot);
    }
    slots_[c] = place->second;
  }
  solve_for(fresh, n, solve);
}

// Places that may be given to others, the one unused for longest last; none while fewer than `enough` are taken.
std::vector<int> ContactRows::unused(std::size_t enough) const {
  std::vector<int> old;
  if (known_.size() < enough) return old;
  for (int slot = 0; slot < static_cast<int>(known_.size()); ++slot)
    if (known_[static_cast<std::size_t>(slot)].used != update_) old.push_back(slot);
  std::stable_sort(old.begin(), old.end(), [&](int a, int b) {
    return known_[static_cast<std::size_t>(a)].used > known_[static_cast<std::size_t>(b)].used;
  });
  return old;
}

void ContactRows::solve_for(const std::vector<int>& fresh, int n, const Solve& solve) {
  const auto size = static_cast<Eigen::Index>(known_.size());
  if (G_.rows() < size) G_.conservativeResize(size + size / 2, size + size / 2);
  for (std::size_t first = 0; first < fresh.size(); first += 3) {
    const int count = static_cast<int>(std::min<std::size_t>(3, fresh.size() - first));
    Points Z = Points::Zero(n, 3);
    for (int k = 0; k < count; ++k) {
      const BodyRow& V = known_[static_cast<std::size_t>(fresh[first + k])].V;
      for (int j = 0; j < V.count; ++j) Z(V.vertices[j], k) = V.weights[j];
    }
    solve(Z);
    for (int slot = 0; slot < size; ++slot) {
      const Vec3 entries = known_[static_cast<std::size_t>(slot)].V.of(Z);
      for (int k = 0; k < count; ++k) G_(slot, fresh[first + k]) = G_(fresh[first + k], slot) = entries[k];
    }
  }
}

void ContactRows::factor() {
  Eigen::MatrixXd S = mobility().cwiseProduct((normals_ * normals_.transpose()).matrix());
  S.diagonal() += inverse_weights_;
  factor_.compute(S);
  // Rounding may leave rows that are all but the same on the wrong side of zero.
  for (double more = 1e-7; factor_.info() != Eigen::Success && more < 1; more *= 10) {
    S.diagonal() *= 1 + more;
    factor_.compute(S);
  }
}

}  // namespace rebound::sim
