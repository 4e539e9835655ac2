#include "sim/linear/supernodal_plan.hpp"

#include <algorithm>
#include <numeric>

namespace rebound::sim {
namespace {

// A factor of fewer operations is made by one thread: starting others would take as long.
constexpr double kFewOperations = 2e6;
// Subtrees are cut until none is more than this share of the whole.
constexpr double kLargestShare = 1.0 / 16;

double own_operations(double columns, double rows) {
  return columns * columns * columns / 3 + columns * columns * (rows - columns);
}

}  // namespace

SupernodalPlan::SupernodalPlan(const cholmod_factor& symbolic, const SparseMatrix& pattern) {
  const auto copy = [](const void* from, std::size_t count) {
    const int* first = static_cast<const int*>(from);
    return std::vector<int>(first, first + count);
  };
  first_column_ = copy(symbolic.super, symbolic.nsuper + 1);
  rows_begin_ = copy(symbolic.pi, symbolic.nsuper + 1);
  values_begin_ = copy(symbolic.px, symbolic.nsuper + 1);
  rows_ = copy(symbolic.s, symbolic.ssize);
  supernode_of_.resize(symbolic.n);
  for (int s = 0; s < supernodes(); ++s) std::fill_n(supernode_of_.begin() + first_column(s), columns(s), s);
  find_updates();
  find_entries(static_cast<const int*>(symbolic.Perm), pattern);
  cut();
}

void SupernodalPlan::find_updates() {
  const auto each_update = [&](const auto& visit) {
    for (int d = 0; d < supernodes(); ++d)
      for (int begin = columns(d); begin < row_count(d);) {
        const int s = supernode_of_[at(rows(d)[begin])];
        const int* end = std::lower_bound(rows(d) + begin, rows(d) + row_count(d), first_column(s) + columns(s));
        visit(s, SupernodeUpdate{d, begin, static_cast<int>(end - rows(d))});
        begin = static_cast<int>(end - rows(d));
      }
  };
  updates_begin_.assign(first_column_.size(), 0);
  each_update([&](int s, const SupernodeUpdate&) { ++updates_begin_[at(s) + 1]; });
  std::partial_sum(updates_begin_.begin(), updates_begin_.end(), updates_begin_.begin());
  updates_.resize(at(updates_begin_.back()));
  std::vector<int> next(updates_begin_.begin(), updates_begin_.end() - 1);
  each_update([&](int s, const SupernodeUpdate& update) { updates_[at(next[at(s)]++)] = update; });
}

void SupernodalPlan::find_entries(const int* order, const SparseMatrix& pattern) {
  std::vector<int> position(supernode_of_.size());
  for (std::size_t k = 0; k < position.size(); ++k) position[at(order[k])] = static_cast<int>(k);
  const auto each_entry = [&](const auto& visit) {
    int from = 0;
    for (int column = 0; column < pattern.outerSize(); ++column)
      for (SparseMatrix::InnerIterator it(pattern, column); it; ++it, ++from) {
        const auto [low, high] = std::minmax(position[at(static_cast<int>(it.row()))], position[at(column)]);
        visit(supernode_of_[at(low)], low, high, from);
      }
  };
  entries_begin_.assign(first_column_.size(), 0);
  each_entry([&](int s, int, int, int) { ++entries_begin_[at(s) + 1]; });
  std::partial_sum(entries_begin_.begin(), entries_begin_.end(), entries_begin_.begin());
  entries_.resize(at(entries_begin_.back()));
  std::vector<int> next(entries_begin_.begin(), entries_begin_.end() - 1);
  each_entry([&](int s, int low, int high, int from) {
    const int* row = std::lower_bound(rows(s), rows(s) + row_count(s), high);
    const int to = values_begin_[at(s)] + (low - first_column(s)) * row_count(s) + static_cast<int>(row - rows(s));
    entries_[at(next[at(s)]++)] = {from, to};
  });
}

void SupernodalPlan::cut() {
  std::vector<double> below(at(supernodes()), 0);  // operations of a supernode and all below it
  std::vector<int> parent(at(supernodes()), -1);
  std::vector<std::vector<int>> children(at(supernodes()));
  for (int s = 0; s < supernodes(); ++s) {
    below[at(s)] += own_operations(columns(s), row_count(s));
    largest_height_ = std::max(largest_height_, row_count(s));
    for (const SupernodeUpdate* u = updates_begin(s); u != updates_end(s); ++u) {
      const double wide = u->end - u->begin, high = row_count(u->from) - u->begin;
      below[at(s)] += (2 * high - wide) * wide * columns(u->from);
      largest_update_ = std::max(largest_update_, static_cast<std::size_t>(wide * high));
    }
    if (columns(s) == row_count(s)) {
      operations_ += below[at(s)];
      continue;
    }
    parent[at(s)] = supernode_of_[at(rows(s)[columns(s)])];
    below[at(parent[at(s)])] += below[at(s)];
    children[at(parent[at(s)])].push_back(s);
  }
  std::vector<int> roots;
  for (int s = 0; s < supernodes(); ++s)
    if (parent[at(s)] < 0) roots.push_back(s);
  const double most = std::max(kFewOperations, kLargestShare * operations_);
  std::vector<std::uint8_t> above(at(supernodes()), 0);
  while (!roots.empty()) {
    const int s = roots.back();
    roots.pop_back();
    if (below[at(s)] <= most) continue;
    above[at(s)] = 1;
    roots.insert(roots.end(), children[at(s)].begin(), children[at(s)].end());
  }
  std::vector<int> root(at(supernodes()));
  for (int s = supernodes() - 1; s >= 0; --s) {
    const int up = parent[at(s)];
    root[at(s)] = up < 0 || above[at(up)] ? s : root[at(up)];
  }
  std::vector<int> cheapest_last;
  for (int s = 0; s < supernodes(); ++s)
    if (above[at(s)])
      top_.push_back(s);
    else if (root[at(s)] == s)
      cheapest_last.push_back(s);
  std::stable_sort(cheapest_last.begin(), cheapest_last.end(),
                   [&](int a, int b) { return below[at(a)] > below[at(b)]; });
  // Small ones go together: a task is not to be less than starting it.
  std::vector<int> task(at(supernodes()), -1);
  double gathered = most;
  for (const int s : cheapest_last) {
    if (gathered + below[at(s)] > most) {
      subtrees_.emplace_back();
      gathered = 0;
    }
    gathered += below[at(s)];
    task[at(s)] = static_cast<int>(subtrees_.size()) - 1;
  }
  for (int s = 0; s < supernodes(); ++s)
    if (!above[at(s)]) subtrees_[at(task[at(root[at(s)])])].push_back(s);
}

}  // namespace rebound::sim
