// A Hessian with both triangles, row by row, for the many products of a Krylov method: each block is read once, in
// order, and meets a pair of vectors. The vertices are in an order of their own, in which neighbours stand near each
// other (Cuthill and McKee), so that what a row reads of the vectors is in the nearest cache.
#pragma once

#include <utility>
#include <vector>

#include "sim/base/types.hpp"
#include "sim/base/workers.hpp"
#include "sim/linear/lanczos_kernel.hpp"

namespace rebound::sim {

class HessianByRows {
 public:
  /// Becomes H: HessianBlocks::matrix(), the lower triangle of 3 x 3 blocks.
  void take(const SparseMatrix& H, Workers& workers);
  /// Vectors of 3n, to this order and back.
  void to_rows(const Vector& of_vertices, Vector& of_rows) const;
  void to_vertices(const Vector& of_rows, Vector& of_vertices) const;
  /// The rows [first, end) of to := H from, for two vectors, kPairStride numbers a vertex, and what they have of
  /// from^T to and from^T from.
  PairProducts multiply(int first, int end, const double* from, double* to) const {
    return lanczos_kernel().multiply({values_.data(), begin_.data(), meets_.data()}, first, end, from, to);
  }
  /// The rows of `from` that those read: from the first of the pair on, before the second.
  std::pair<int, int> reach(int first, int end) const;
  /// What the rows before this one cost, in blocks.
  double work_before(int row) const { return begin_[static_cast<std::size_t>(row)] + kBlocksARow * row; }

 private:
  void plan(const SparseMatrix& H);

  static constexpr double kBlocksARow = 7;  ///< what a row costs beside its blocks, measured
  /// Where a block's numbers come from: the blocks below the diagonal of this vertex's columns, or its own.
  struct Source {
    static constexpr int kOwn = -1;
    int vertex, below;
  };
  std::vector<int> outer_, inner_;  ///< of the H that was planned for
  std::vector<int> vertex_;         ///< of each row
  std::vector<int> begin_;          ///< of each row its first block
  std::vector<int> meets_;          ///< of each block, as BlockRows has it
  std::vector<Source> source_;      ///< of each block
  std::vector<double> values_;
};

}  // namespace rebound::sim
