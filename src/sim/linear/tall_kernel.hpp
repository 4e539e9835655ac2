// Products of tall matrices with few columns: the inner loops. The arithmetic stands once, in tall_kernel.inl; it is
// compiled for three instruction sets and the widest that the processor has is taken.
//
// A BLAS packs both matrices anew for each product, and they lie far apart, a column from the next. Here they are read
// where they lie, along their columns. Nothing is fused and every sum is in one order: all three give the same bits.
#pragma once

namespace rebound::sim {

/// Matrices lie column by column, `stride_X` numbers from one to the next.
struct TallKernel {
  const char* instruction_set;
  /// C := beta C + alpha A^T B, m x n, of A with m and B with n columns and so many rows. lower: above its diagonal
  /// nothing is wanted. Here and below, with beta 0 it does not matter what C has.
  void (*transposed)(int rows, int m, int n, double alpha, const double* A, long stride_A, const double* B,
                     long stride_B, double beta, double* C, long stride_C, bool lower);
  /// C := beta C + alpha A B, rows x columns, A with `inner` columns.
  void (*multiply)(int rows, int columns, int inner, double alpha, const double* A, long stride_A, const double* B,
                   long stride_B, double beta, double* C, long stride_C);
};

extern const TallKernel kTallKernelBaseline;
extern const TallKernel kTallKernelAvx2;
extern const TallKernel kTallKernelAvx512;

/// The widest that this processor has.
const TallKernel& tall_kernel();

}  // namespace rebound::sim
