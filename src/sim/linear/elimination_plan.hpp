// In which order the vertices of a pattern are eliminated, and how the work is shared by threads: nested dissection,
// with the elimination tree cut into subtrees that do not touch each other, parts above them that join two at a time,
// and a top that all of them may touch.
//
// Glossary: a supernode is a run of columns of the factor with (nearly) the same rows below them; the rows of a
// supernode are its ancestors in the elimination tree, so two subtrees that hang side by side never share a column.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sim/base/types.hpp"
#include "sim/linear/elimination_cut.hpp"
#include "sim/linear/factor_cache.hpp"

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

/// Solver order is part after part, by stage, and then the top. No entry of the pattern connects two parts of one
/// stage. The cut depends on the pattern alone, so that one thread that runs the parts in turn gives the same bytes as
/// many. There may be no part, or no top. One plan serves every factor of the pattern, and may be read from several
/// threads at once.
///
/// Vectors have slots. Slot i < vertices() is vertex order()[i]; behind them every part has an area, a slot for each
/// vertex above it that it touches, so that parts of one stage can add to the same vertex at the same time.
class EliminationPlan {
 public:
  /// Where a part's vertices and its area lie, and how they hang together with those of other parts.
  struct Place {
    int begin = 0;  ///< its vertices are [begin, end) in solver order
    int end = 0;
    int stage = 0;              ///< parts of one stage need nothing of each other, and all of those below
    int parent = -1;            ///< the part above; -1: the top
    std::vector<int> children;  ///< the parts below
    std::vector<int> above;     ///< the vertices of its area, in solver order, ascending
    int area = 0;               ///< slot of the first of them
    std::vector<int> up;        ///< of each of them: the slot that the parent has for it, among its own or in its area

    int size() const { return end - begin; }
    int area_size() const { return static_cast<int>(above.size()); }
    /// The slot for a vertex of its own or of its area.
    int slot(int vertex) const;
  };
  /// The supernodes that make up its columns, children before parents.
  struct Part : Place {
    std::vector<Supernode> supernodes;
  };

  /// Lower triangle, n x n, n >= 1, diagonal included. Values do not matter. Throws std::bad_alloc.
  /// The order of elimination is looked for in the cache, and kept there, if there is one.
  explicit EliminationPlan(const SparseMatrix& pattern, FactorCache* cache = nullptr);

  /// Has the matrix the entries of the pattern, and no others?
  bool is_of(const SparseMatrix& A) const;
  int vertices() const { return static_cast<int>(order_.size()); }
  /// Solver index -> vertex.
  std::span<const int> order() const { return order_; }
  /// Vertex -> solver index.
  std::span<const int> position() const { return position_; }

  /// By stage.
  std::span<const Part> parts() const { return parts_; }
  int part_count() const { return static_cast<int>(parts_.size()); }
  const Part& part(int index) const { return parts_[static_cast<std::size_t>(index)]; }
  /// Its area is empty, its children are the parts without a parent.
  const Part& top() const { return top_; }
  int slots() const { return slots_; }
  /// The elimination tree of all supernodes, and how it is cut.
  const EliminationTree& tree() const { return tree_; }
  const EliminationCut& cut() const { return cut_; }
  std::span<const int> rows() const { return rows_; }
  /// What a NumericFactor will take while it is made.
  double factor_bytes() const;

 private:
  friend class NumericFactor;
  struct Symbolic;

  std::vector<Supernode> find_pieces();
  std::span<const int> rows_below(const Supernode& piece) const;
  void lay_out(const std::vector<Supernode>& pieces);
  void find_areas();

  std::shared_ptr<const Symbolic> symbolic_;
  std::vector<int> order_, position_;
  std::vector<int> rows_;
  std::vector<Part> parts_;
  Part top_;
  int slots_ = 0;
  EliminationTree tree_;
  EliminationCut cut_;
};

}  // namespace rebound::sim
