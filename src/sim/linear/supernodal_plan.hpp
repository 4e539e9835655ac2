// Which supernode of a factor needs which, and which may be worked out at the same time: known from the pattern alone.
//
// Source: left-looking supernodal Cholesky [Chen08]. Supernode s is A's columns less what earlier ones, d, take from
// them, L_d L_d^T; then its own dense factor. The supernodes that s needs lie below it in the elimination tree, so
// subtrees have nothing to do with one another: cut low enough, they keep all threads busy, and the few large
// supernodes above the cut are worked out one after the other, each by all threads.
#pragma once

#include <cholmod.h>

#include <vector>

#include "sim/base/types.hpp"

namespace rebound::sim {

/// Rows [begin, end) of supernode `from`, counted from its first, are columns of the supernode that is updated.
struct SupernodeUpdate {
  int from, begin, end;
};

/// An entry of the matrix: where it stands among its values, and among those of the factor.
struct SupernodeEntry {
  int from, to;
};

class SupernodalPlan {
 public:
  /// symbolic: supernodal; copied from. pattern: the lower triangle that it is of.
  SupernodalPlan(const cholmod_factor& symbolic, const SparseMatrix& pattern);

  /// Columns of the matrix.
  int size() const { return first_column_.back(); }
  int supernodes() const { return static_cast<int>(first_column_.size()) - 1; }
  int first_column(int s) const { return first_column_[at(s)]; }
  int columns(int s) const { return first_column_[at(s) + 1] - first_column_[at(s)]; }
  int row_count(int s) const { return rows_begin_[at(s) + 1] - rows_begin_[at(s)]; }
  const int* rows(int s) const { return rows_.data() + rows_begin_[at(s)]; }
  /// Where its values begin in those of the factor, column by column.
  std::size_t values_begin(int s) const { return static_cast<std::size_t>(values_begin_[at(s)]); }
  std::size_t values() const { return static_cast<std::size_t>(values_begin_.back()); }
  const SupernodeUpdate* updates_begin(int s) const { return updates_.data() + updates_begin_[at(s)]; }
  const SupernodeUpdate* updates_end(int s) const { return updates_.data() + updates_begin_[at(s) + 1]; }
  /// The entries of the pattern that a supernode begins with.
  const SupernodeEntry* entries_begin(int s) const { return entries_.data() + entries_begin_[at(s)]; }
  const SupernodeEntry* entries_end(int s) const { return entries_.data() + entries_begin_[at(s) + 1]; }
  /// Subtrees below the cut, the dearest first, each a list of supernodes, ascending; and what is above, ascending.
  const std::vector<std::vector<int>>& subtrees() const { return subtrees_; }
  const std::vector<int>& top() const { return top_; }
  /// The most numbers that one update comes to.
  std::size_t largest_update() const { return largest_update_; }
  /// The most rows of a supernode.
  int largest_height() const { return largest_height_; }
  /// Additions and multiplications of a factor, each counted.
  double operations() const { return operations_; }

 private:
  static std::size_t at(int s) { return static_cast<std::size_t>(s); }
  void find_updates();
  void find_entries(const int* order, const SparseMatrix& pattern);
  void cut();

  std::vector<int> first_column_, rows_begin_, values_begin_, rows_;
  std::vector<int> supernode_of_;  ///< a column
  std::vector<SupernodeUpdate> updates_;
  std::vector<int> updates_begin_;
  std::vector<SupernodeEntry> entries_;
  std::vector<int> entries_begin_;
  std::vector<std::vector<int>> subtrees_;
  std::vector<int> top_;
  std::size_t largest_update_ = 0;
  int largest_height_ = 0;
  double operations_ = 0;
};

}  // namespace rebound::sim
