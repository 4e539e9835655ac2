// The numbers of a BlockInverse, and how they are made from a double-precision factor.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/aligned_buffer.hpp"
#include "sim/base/workers.hpp"
#include "sim/linear/block_inverse_kernel.hpp"
#include "sim/linear/elimination_plan.hpp"
#include "sim/linear/numeric_factor.hpp"

namespace rebound::sim {

class InverseStore {
 public:
  struct Part {
    std::vector<InverseBlock> blocks;
    std::vector<int> rows;        ///< slots, kQuad a quad
    std::byte* matrix = nullptr;  ///< among those of all parts
    float* roots = nullptr;
    std::size_t entries = 0, root_entries = 0;  ///< padding included
    bool half = false;                          ///< the precision of `matrix`

    std::size_t entry_size() const { return half ? sizeof(std::uint16_t) : sizeof(float); }
    std::size_t bytes() const { return entries * entry_size() + root_entries * sizeof(float); }
  };

  /// Blocks for every supernode of the parts, and some rows of its inverse a block for the top. No numbers yet.
  explicit InverseStore(const EliminationPlan& plan);

  /// What converting a factor will take at most, its dense top included; the factor itself is not.
  double conversion_bytes() const;

  /// H and S of every block, to be read by the kernel's loops; floats, or halves below the roots. False if an entry of
  /// H is too large, or not a number. The result does not depend on the number of threads; `workers` may be null.
  bool convert(const EliminationPlan& plan, const NumericFactor& L, const InverseKernel& kernel, bool half,
               Workers* workers);

  /// All numbers as bytes, and back into a store of the same plan; false, and no use, if they are not of such a one.
  void append_to(std::vector<std::byte>& bytes) const;
  bool read_from(std::span<const std::byte> bytes, const InverseKernel& kernel, bool half);

  /// The plan's parts, and the top.
  std::span<const Part> parts() const { return parts_; }
  const Part& part(int index) const { return parts_[static_cast<std::size_t>(index)]; }
  /// The top's inverse, in blocks of rows that need nothing of each other.
  const Part& top() const { return parts_.back(); }

 private:
  void allocate(const InverseKernel& kernel, bool half);
  void lay_out_part(const EliminationPlan& plan, const EliminationPlan::Part& from, Part& part);
  void lay_out_top(const EliminationPlan& plan);
  bool convert_block(const NumericFactor& L, const Supernode& node, Part& part, InverseBlock& block);
  void convert_top(const EliminationPlan& plan, const NumericFactor& L, Workers* workers);
  void store(const Eigen::MatrixXd& coupling, const Eigen::MatrixXd& own, Part& part, InverseBlock& block);

  std::vector<Part> parts_;
  // One piece of memory for all parts: most are too small for huge pages of their own.
  AlignedBuffer<std::byte> matrices_;
  AlignedBuffer<float> roots_;
  const InverseKernel* kernel_ = nullptr;
};

}  // namespace rebound::sim
