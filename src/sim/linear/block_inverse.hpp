// A^-1 b in single precision, ten times faster than substitution through a Cholesky factor.
//
// With the columns of a supernode as 1 and the rows below them as 2, L11 and L21 of A = L L^T are turned into
//     H = -L21 L11^-1,    S = (L11 L11^T)^-1,
// so that a solve is   forward  b2 += H b1,  b1 := S b1,   backward  b1 += H^T b2:   products of small dense matrices,
// in which no number waits for its neighbour. Forward goes through the supernodes from the leaves of the elimination
// tree to the top, whose inverse is dense; backward returns. Parts of one stage of the plan run on threads of their
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
  std::vector<int> parts;                         ///< that are met on the way, ascending
  std::vector<std::vector<InverseBlock>> blocks;  ///< of each of them
  std::vector<std::pair<int, int>> stages;        ///< [begin, end) in parts: those that do not wait for one another
  std::vector<std::pair<int, int>> ranges;        ///< [begin, end): the slots of the blocks, the areas, and the top
  std::size_t entries = 0;                        ///< of the blocks, H and S
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
  /// others are the areas of the parts. The fourth floats are not read, and hold nothing afterwards.
  int slots() const { return slots_; }
  /// b := A^-1 b, 4 floats a slot, 64-byte aligned. One solve of an object at a time. The same bytes whatever the
  /// number of threads.
  void solve(float* b, Workers& workers) const;

  /// The phases of solve(), for callers that join work of their own to them. The areas must hold zeros before, or what
  /// else a part adds to the vertices above it.
  void forward(float* b, Workers& workers) const;
  /// forward where that of the parts of stage 0, which have no children, has been done.
  void forward_joints(float* b, Workers& workers) const;
  void solve_top(float* b, Workers& workers) const { solve_top(b, &workers); }
  void backward(float* b, Workers& workers) const;

  /// One part's share of these phases. It touches the slots of the part, its area, and:
  /// forward: reads the areas of its children, which must be through;
  void forward(int part, float* b) const;
  /// backward: writes the areas of its children, which come after it. solve_top does so for its own.
  void backward(int part, float* b) const;

  /// b += the areas of the children, in the slots that the part, or the top, has for them.
  void add_children(int part, float* b) const;
  /// Calls visit(part) for all parts, children before parents, those of a stage at the same time. from: the lowest
  /// stage that is visited.
  template <class Visit>
  void each_upwards(Workers& workers, const Visit& visit, std::size_t from = 0) const {
    for (std::size_t stage = from; stage < stages_.size(); ++stage) {
      const auto [begin, end] = stages_[stage];
      workers.run(end - begin, [&, first = begin](int i) { visit(first + i); });
    }
  }
  /// The same for all stages, parents before children.
  template <class Visit>
  void each_downwards(Workers& workers, const Visit& visit) const {
    for (std::size_t stage = stages_.size(); stage-- > 0;) {
      const auto [begin, end] = stages_[stage];
      workers.run(end - begin, [&, first = begin](int i) { visit(first + i); });
    }
  }

  InversePaths paths(std::span<const int> slots) const;
  /// forward of every part for a b that is zero off the paths, the areas included.
  void forward(const InversePaths& paths, float* b, Workers& workers) const;
  /// backward of every part on the paths alone.
  void backward(const InversePaths& paths, float* b, Workers& workers) const;

 private:
  using Place = EliminationPlan::Place;

  BlockInverse(const EliminationPlan& plan, const InverseKernel& kernel);
  void make(const EliminationPlan& plan, const SparseMatrix& A, Workers* workers, Precision precision);
  void keep_in(FactorCache& cache, const std::string& name) const;
  bool take_over(std::span<const std::byte> kept);
  bool inverts(const EliminationPlan& plan, const SparseMatrix& A, Workers& workers) const;
  void solve_with(float* b, Workers* workers) const;
  void solve_top(float* b, Workers* workers) const;
  InverseBlocks view(const InverseStore::Part& part, float* sums) const;
  InverseBlocks view(int part) const { return view(store_.part(part), sums_.data() + part * sums_stride_); }
  InverseBlocks view(const InversePaths& paths, std::size_t k) const;
  void fill_children(int part, float* b) const;
  void add_areas(int part, InversePaths& paths) const;
  int part_of(int slot) const;
  int part_count() const { return static_cast<int>(places_.size()) - 1; }
  const Place& top() const { return places_.back(); }
  const InverseLoops& loops() const { return half_ ? kernel_->half : kernel_->single; }

  const InverseKernel* kernel_;
  InverseStore store_;
  int slots_;
  std::vector<Place> places_;                ///< of the parts, and the top
  std::vector<std::pair<int, int>> stages_;  ///< [begin, end): the parts of each
  std::vector<int> block_of_slot_;           ///< within its part; of the slots below the top
  std::size_t sums_stride_ = 0;
  mutable AlignedBuffer<float> sums_;  ///< scratch of the loops, for as many of them as run at once
  mutable AlignedBuffer<float> top_right_hand_side_;
  double error_ = 0;
  bool half_ = false;
  bool ok_ = false;
};

}  // namespace rebound::sim
