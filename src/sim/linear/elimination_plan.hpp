// In which order the vertices of a pattern are eliminated, and how the work is shared out: nested dissection, with the
// elimination tree cut below its separators into parts (part_tree.hpp), whose leaves fit a core's cache.
//
// Glossary: a supernode is a run of columns of the factor with (nearly) the same rows below them; the rows of a
// supernode are its ancestors in the elimination tree, so two subtrees that hang side by side never share a column.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/types.hpp"
#include "sim/linear/elimination_cut.hpp"
#include "sim/linear/factor_cache.hpp"
#include "sim/linear/part_tree.hpp"

namespace rebound::sim {

/// Columns [first, first + width) of the factor in solver order, and the rows below them.
struct Supernode {
  int first = 0;
  int width = 0;
  int row_begin = 0;      ///< into EliminationPlan::rows(), ascending
  int row_count = 0;      ///< rows below the supernode's own
  int source = 0;         ///< the supernode in CHOLMOD's factor
  int source_column = 0;  ///< its first column within that one; wide ones are cut
};

/// Solver order goes part by part, those below first; no entry of the pattern, or of the factor, connects two parts of
/// which neither is above the other. The cut depends on the pattern alone, so that one thread that goes through all parts
/// gives the same bytes as many. One plan serves every factor of the pattern, and may be read from several threads at
/// once.
class EliminationPlan {
 public:
  /// Lower triangle, n x n, n >= 1, diagonal included. Values do not matter. Throws std::bad_alloc.
  /// The order of elimination is looked for in the cache, and kept there, if there is one. leaf_cost: see cut_into_parts;
  /// without it, large bodies have eight leaves, or more where those would be larger than some megabytes: two fit what a
  /// thread has of a desktop's last cache.
  explicit EliminationPlan(const SparseMatrix& pattern, FactorCache* cache = nullptr,
                           std::optional<double> leaf_cost = {});

  int vertices() const { return static_cast<int>(order_.size()); }
  /// Solver index -> vertex.
  std::span<const int> order() const { return order_; }
  /// Vertex -> solver index.
  std::span<const int> position() const { return position_; }

  /// The parts, by columns in solver order. There is one besides the top at least; the top may be empty.
  const PartTree& tree() const { return tree_; }
  const PartTree::Part& top() const { return tree_.top(); }
  /// The supernodes that make up a part, children before parents.
  std::span<const Supernode> supernodes(int part) const { return supernodes_[static_cast<std::size_t>(part)]; }
  std::span<const int> rows() const { return rows_; }
  /// What a NumericFactor will take while it is made.
  double factor_bytes() const;

 private:
  friend class NumericFactor;
  struct Symbolic;

  void lay_out(const TreeCut& cut);
  void make_tree(const TreeCut& cut, const std::vector<int>& sizes);

  std::shared_ptr<const Symbolic> symbolic_;
  std::vector<int> order_, position_;
  std::vector<int> rows_;
  PartTree tree_;
  std::vector<std::vector<Supernode>> supernodes_;  ///< a part
};

}  // namespace rebound::sim
