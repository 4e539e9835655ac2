// A^-1 b in single precision, ten times faster than substitution through a Cholesky factor.
//
// With the columns of a supernode as 1 and the rows below them as 2, L11 and L21 of A = L L^T are turned into
//     H = -L21 L11^-1,    S = (L11 L11^T)^-1,
// so that a solve is   forward  b2 += H b1,  b1 := S b1,   backward  b1 += H^T b2:   products of small dense matrices,
// in which no number waits for its neighbour. Forward goes through the supernodes from the leaves of the elimination
// tree to the top, whose inverse is dense; backward returns. Each of the two parts of the plan runs on a thread of its
// own.
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
  std::vector<InverseBlock> blocks[EliminationPlan::kParts];
  std::vector<std::pair<int, int>> ranges;  ///< [begin, end): the slots of the blocks, of the top, and the spare ones
};

class BlockInverse {
 public:
  enum class Precision { automatic, single };

  /// A: lower triangle, n x n, of the plan's pattern. `workers`, if given, share the conversion. `automatic` stores
  /// halves and falls back to floats where H or the error would be too large. The plan is not needed afterwards, and
  /// several inverses of one plan may be made on several threads at once.
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
  /// What a solve reads and writes: H twice, forward and backward, S once, and the right-hand side in each direction.
  std::size_t bytes_moved() const;

  /// How many slots of 4 floats (x, y, z, unused) a vector must have: slot i < vertices() is vertex order()[i], the
  /// others are spare. The fourth floats are not read, and hold nothing afterwards.
  int slots() const { return slots_; }
  /// b := A^-1 b, 4 floats a slot, 64-byte aligned. One solve of an object at a time. The same bytes whatever the
  /// number of threads.
  void solve(float* b, Workers& workers) const;

  /// The phases of solve(), for callers that join work of their own to them: forward(0, b) and forward(1, b), on two
  /// threads if they like; solve_top; backward(0, b) and backward(1, b), likewise. forward(0, b) touches the slots of
  /// part 0 and of the top, forward(1, b) those of part 1 and the spare ones: there it sums up its share of the top, in
  /// the top's order, and they must hold zeros before, or what else part 1 adds to the top's right-hand side.
  void forward(int part, float* b) const;
  void solve_top(float* b, Workers& workers) const { solve_top(b, &workers); }
  void backward(int part, float* b) const;

  InversePaths paths(std::span<const int> slots) const;
  /// forward(0, b) and forward(1, b) for a b that is zero off the paths, the spare slots included.
  void forward(const InversePaths& paths, float* b) const;
  /// backward(0, b) and backward(1, b) on the paths alone.
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
  InverseBlocks view(const InversePaths& paths, int part) const;
  const InverseLoops& loops() const { return half_ ? kernel_->half : kernel_->single; }

  const InverseKernel* kernel_;
  InverseStore store_;
  int slots_, top_begin_, top_size_, second_begin_;
  std::vector<int> block_of_slot_;  ///< within its part; of the slots below the top
  std::size_t sums_stride_ = 0;
  mutable AlignedBuffer<float> sums_;  ///< scratch of the loops, for as many of them as run at once
  mutable AlignedBuffer<float> top_right_hand_side_;
  double error_ = 0;
  bool half_ = false;
  bool ok_ = false;
};

}  // namespace rebound::sim
