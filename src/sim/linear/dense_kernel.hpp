// Dense matrices with a row a contact: the inner loops. The arithmetic stands once, in dense_kernel.inl; it is compiled
// for three instruction sets and the widest that the processor has is taken at start. Lanes are rows, every sum is in
// one order, and nothing is fused: all three give the same bits.
//
// A factor is made in double precision. Solving costs what it takes to read the factor, so whoever can do with less
// rounds it.
#pragma once

namespace rebound::sim {

/// A panel of columns, by which a factor is made and solved with: orders and rows that stay are multiples of it.
inline constexpr int kDensePanel = 8;

/// Matrices lie column by column, `stride` numbers a column. Of a lower triangle the entries above the diagonal are not
/// read, but within the panels on the diagonal, where a factor has zeros.
struct DenseKernel {
  const char* instruction_set;
  /// Rows [begin, end) of a Cholesky factor, within its first `done` columns, whose rows [0, done) are there; all
  /// multiples of kDensePanel. May run for disjoint rows at once.
  void (*reduce)(double* matrix, long stride, int done, int begin, int end);
  /// The rest of the factor, columns [done, order) once reduce() has been there. False where a pivot is not positive.
  bool (*factor)(double* matrix, int order, long stride, int done);
  /// x := L^-1 x and x := L^-T x. LU: L below its panels' diagonal blocks, L^T above them. diagonals: one per panel,
  /// column by column, the inverse of its diagonal block and then the transpose of that.
  void (*lower_single)(const float* LU, const float* diagonals, int order, long stride, float* x);
  void (*upper_single)(const float* LU, const float* diagonals, int order, long stride, float* x);
  void (*lower_double)(const double* LU, const double* diagonals, int order, long stride, double* x);
  void (*upper_double)(const double* LU, const double* diagonals, int order, long stride, double* x);
  /// w[axis stride + i] += sum_c factors[3 c + axis] * columns[c][i], for three axes and i in [begin, end); count <=
  /// kDensePanel.
  void (*add_columns_single)(const float* const* columns, const double* factors, int count, int begin, int end,
                             long stride, double* w);
  void (*add_columns_double)(const double* const* columns, const double* factors, int count, int begin, int end,
                             long stride, double* w);
};

extern const DenseKernel kDenseKernelBaseline;
extern const DenseKernel kDenseKernelAvx2;
extern const DenseKernel kDenseKernelAvx512;

/// The widest that this processor has.
const DenseKernel& dense_kernel();

}  // namespace rebound::sim
