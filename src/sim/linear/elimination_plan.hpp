// In which order the vertices of a pattern are eliminated, and how the work is shared by two threads: nested
// dissection, with the elimination tree cut below its root separators into two parts that do not touch each other and a
// top that both of them touch.
//
// Glossary: a supernode is a run of columns of the factor with (nearly) the same rows below them; the rows of a
// supernode are its ancestors in the elimination tree, so two subtrees that hang side by side never share a column.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sim/linear/factor_cache.hpp"
#include "sim/base/types.hpp"

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

/// Solver order is [part 0 | part 1 | top]. No entry of the pattern connects part 0 to part 1. The cut depends on the
/// pattern alone, so that one thread that runs both parts in turn gives the same bytes as two. Either part, or the top,
/// may be empty. One plan serves every factor of the pattern, and may be read from several threads at once.
class EliminationPlan {
 public:
  static constexpr int kParts = 2;

  /// Columns [begin, end) in solver order and the supernodes that make them up, children before parents.
  struct Part {
    int begin = 0;
    int end = 0;
    std::vector<Supernode> supernodes;

    int size() const { return end - begin; }
  };

  /// Lower triangle, n x n, n >= 1, diagonal included. Values do not matter. Throws std::bad_alloc.
  /// The order of elimination is looked for in the cache, and kept there, if there is one.
  explicit EliminationPlan(const SparseMatrix& pattern, FactorCache* cache = nullptr);

  int vertices() const { return static_cast<int>(order_.size()); }
  /// Solver index -> vertex.
  std::span<const int> order() const { return order_; }
  /// Vertex -> solver index.
  std::span<const int> position() const { return position_; }

  const Part& part(int index) const { return parts_[index]; }
  const Part& top() const { return parts_[kParts]; }
  std::span<const int> rows() const { return rows_; }
  /// What a NumericFactor will take while it is made.
  double factor_bytes() const;

 private:
  friend class NumericFactor;
  struct Symbolic;

  void lay_out(const std::vector<int>& owner);

  std::shared_ptr<const Symbolic> symbolic_;
  std::vector<int> order_, position_;
  std::vector<int> rows_;
  Part parts_[kParts + 1];
};

}  // namespace rebound::sim
