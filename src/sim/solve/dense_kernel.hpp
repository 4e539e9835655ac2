// Dense matrices with a row a contact, in double precision: the inner loops. The arithmetic stands once, in
// dense_kernel.inl; it is compiled for three instruction sets and the widest that the processor has is taken at start.
// Lanes are rows, every sum is in the order of the columns, and nothing is fused: all three give the same bits.
#pragma once

namespace rebound::sim {

/// A panel of columns, by which a factor is made; orders and rows that stay are multiples of it.
inline constexpr int kDensePanel = 8;
/// Rows that lie below a matrix that is factored, in each column: they are zero, and read.
inline constexpr int kDenseSlack = 16;

struct DenseKernel {
  const char* instruction_set;
  /// A lower triangle, column by column, `stride` doubles a column, becomes its Cholesky factor. Of the first `done`
  /// rows it is the factor already. False where a pivot is not positive.
  /// What is above the diagonal is not read, but within the panels on the diagonal, where it becomes zero.
  bool (*factor)(double* matrix, int order, long stride, int done);
  /// x := (L L^T)^-1 x, with the factor as above, of any order up to its own.
  void (*solve)(const double* L, int order, long stride, double* x);
  /// w[axis stride + i] += factors[axis] * column[i], for three axes.
  void (*add_column)(const double* column, const double* factors, int count, long stride, double* w);
};

extern const DenseKernel kDenseKernelBaseline;
extern const DenseKernel kDenseKernelAvx2;
extern const DenseKernel kDenseKernelAvx512;

/// The widest that this processor has.
const DenseKernel& dense_kernel();

}  // namespace rebound::sim
