// A Hessian of 3 x 3 blocks times a few vectors at once, or one: the inner loops. The arithmetic stands once, in
// hessian_multiply_kernel.inl; it is compiled for three instruction sets and the widest that the processor has is
// taken. Nothing is fused and every sum is in one order: all three give the same bits.
#pragma once

namespace rebound::sim {

/// The blocks of HessianBlocks: of column j those of the rows rows[begin[j] ...], its own first. columns: where each
/// coordinate's column begins among the values, 3 - c lower rows of its own block, then three of every other. The
/// entries left of the diagonal by rows, from left_begin[i]: their columns, and their numbers.
struct HessianRows {
  const double* values;
  const int *columns, *begin, *rows;
  const int *left_begin, *left_column, *left_entry;
};

struct HessianMultiplyKernel {
  const char* instruction_set;
  /// The rows of the vertices [first, end) of to := H from; so many vectors side by side, a multiple of eight, a row a
  /// coordinate. Whatever the others are, a vector has the same bits.
  void (*multiply)(const HessianRows& H, int first, int end, int vectors, const double* from, double* to);
  /// The same for one vector of so many vertices.
  void (*multiply_one)(const HessianRows& H, int first, int end, int vertices, const double* from, double* to);
};

extern const HessianMultiplyKernel kHessianMultiplyKernelBaseline;
extern const HessianMultiplyKernel kHessianMultiplyKernelAvx2;
extern const HessianMultiplyKernel kHessianMultiplyKernelAvx512;

/// The widest that this processor has.
const HessianMultiplyKernel& hessian_multiply_kernel();

}  // namespace rebound::sim
