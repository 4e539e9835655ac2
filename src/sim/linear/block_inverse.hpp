// A^-1 b in single precision, ten times faster than substitution through a Cholesky factor.
//
// With the columns of a supernode as 1 and the rows below them as 2, L11 and L21 of A = L L^T are turned into
//     H = -L21 L11^-1,    S = (L11 L11^T)^-1,
// so that a solve is   forward  b2 += H b1,  b1 := S b1,   backward  b1 += H^T b2:   products of small dense matrices,
// in which no number waits for its neighbour. Forward goes through the supernodes from the leaves of the elimination
// tree to the top, whose inverse is dense; backward returns. The leaves of the plan's tree are done at the same time, by
// as many threads as there are.
//
// H and S are stored in half precision where the processor can read it, as reading them is most of what a solve costs.
// One solve is then good to about 1e-4, and x += A^-1 (b - A x) converges to whatever precision the residual has.
#pragma once

#include <utility>

#include "sim/linear/block_inverse_store.hpp"

namespace rebound::sim {

/// The blocks that right-hand sides at some slots reach on their way to the top. A right-hand side that is zero
/// elsewhere is solved, and read at those slots, by these alone.
struct InversePaths {
  /// A part that has some, those below first.
  struct Part {
    int index = 0;
    std::vector<InverseBlock> blocks;
  };
  std::vector<Part> parts;
  std::vector<std::pair<int, int>> ranges;  ///< [begin, end): the slots of the blocks, of the parts' halos, and the top's
};

class BlockInverse {
 public:
  enum class Precision { automatic, single };

  /// A: lower triangle, n x n, of the plan's pattern. `workers`, if given, share the conversion. `automatic` stores
  /// halves and falls back to floats where H or the error would be too large. The plan must outlive this; several inverses
  /// of one plan may be made on several threads at once.
  BlockInverse(const EliminationPlan& plan, const SparseMatrix& A, Workers* workers = nullptr,
               Precision precision = Precision::automatic, const InverseKernel& kernel = inverse_kernel());
  /// The same, looked for in the cache and kept there, which may be null.
  BlockInverse(const EliminationPlan& plan, const SparseMatrix& A, Workers& workers, FactorCache* cache);

  /// False if A is not finite, not positive definite, or too badly conditioned to be solved in single precision; then
  /// nothing else may be called.
  bool ok() const { return ok_; }
  /// |x - A^-1 b| / |A^-1 b| of a test vector b, every vertex weighted by sqrt(A_ii) so that light and heavy count
  /// alike.
  double error() const { return error_; }
  /// Stored in half precision?
  bool half() const { return half_; }
  /// Entries of H and S, padding included, and the memory that they take.
  std::size_t nonzeros() const;
  std::size_t bytes() const;
  /// Those of H and S of one part alone, forward, and of H, backward.
  std::size_t forward_bytes(int part) const;
  std::size_t backward_bytes(int part) const;
  /// What a solve reads and writes: H twice, forward and backward, S once, and the right-hand side in each direction.
  std::size_t bytes_moved() const;

  /// How many slots of 4 floats (x, y, z, unused) a vector must have: those of the plan's tree. The fourth floats are not
  /// read, and hold nothing afterwards.
  int slots() const { return tree_->slots(); }
  /// b := A^-1 b, 4 floats a slot, 64-byte aligned, whatever is in the halos. One solve of an object at a time. The same
  /// bytes whatever the number of threads.
  void solve(float* b, Workers& workers) const;

  /// The phases of solve(), for callers that join work of their own to them, and that see to the halos (PartTree). Parts
  /// that are leaves, or on one level, may be done at the same time. Forward: below first, after collect(), in a halo
  /// that has zeros, or what else the part adds to the vertices above it. `before`, if given, gets what stood in the
  /// part's own slots when all that comes from below had been added: before . after, summed over all parts and the top,
  /// is b^T A^-1 b. solve_top: after collect() of the top, likewise. Backward: above first, after take().
  void forward(int part, float* b, float* before = nullptr) const;
  void solve_top(float* b, Workers& workers) const { solve_top(b, &workers); }
  void backward(int part, float* b) const;

  InversePaths paths(std::span<const int> slots) const;
  /// All of the forward pass, the top's right-hand side included, for a b that is zero off the paths and in the halos.
  void forward(const InversePaths& paths, float* b) const;
  /// All of the backward pass, on the paths alone.
  void backward(const InversePaths& paths, float* b) const;

 private:
  BlockInverse(const EliminationPlan& plan, const InverseKernel& kernel);
  void make(const EliminationPlan& plan, const SparseMatrix& A, Workers* workers, Precision precision);
  void keep_in(FactorCache& cache, const std::string& name) const;
  bool take_over(std::span<const std::byte> kept);
  bool inverts(const EliminationPlan& plan, const SparseMatrix& A, Workers& workers) const;
  void solve_with(float* b, Workers* workers) const;
  void solve_top(float* b, Workers* workers) const;
  InverseBlocks view(const InverseStore::Part& part, float* sums) const;
  InverseBlocks view(int part) const;
  InverseBlocks view(const InversePaths::Part& path) const;
  const InverseLoops& loops() const { return half_ ? kernel_->half : kernel_->single; }

  const InverseKernel* kernel_;
  InverseStore store_;
  const PartTree* tree_;
  std::vector<int> block_of_slot_;  ///< within its part; of the slots below the top
  std::size_t sums_stride_ = 0;
  mutable AlignedBuffer<float> sums_;  ///< scratch of the loops, for as many of them as run at once
  mutable AlignedBuffer<float> top_right_hand_side_;
  double error_ = 0;
  bool half_ = false;
  bool ok_ = false;
};

}  // namespace rebound::sim
