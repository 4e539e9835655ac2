// The dense work of a supernodal Cholesky factor where matrices are small, and of solving with it for one right-hand
// side: the inner loops. The arithmetic stands once, in supernode_kernel.inl; it is compiled for three instruction sets
// and the widest that the processor has is taken.
//
// A BLAS packs what it multiplies, which for the supernodes of a body costs as much as the product. Here sums stay in
// registers and are read from where they lie. Lanes are rows, nothing is fused and every sum is in one order: all three
// give the same bits.
#pragma once

namespace rebound::sim {

/// `count` rows of an update, one below the other, that are rows `to`, to + 1, ... of what is updated.
struct RowRun {
  int from, to, count;
};

/// Number: double or float. Matrices lie column by column.
template <class Number>
struct SupernodeKernel {
  const char* instruction_set;
  /// C := A B^T, rows x columns; A: rows x inner, B: columns x inner, `stride` numbers from column to column of both;
  /// those of C lie one after the other. Of column c only the rows from c - below on are wanted: so many rows below
  /// those of B do those of A begin.
  void (*multiply)(int rows, int columns, int inner, int below, const Number* A, const Number* B, long stride,
                   Number* C);
  /// to -= from, a column of each.
  void (*subtract)(const Number* from, const RowRun* runs, int run_count, Number* to);
  /// A, rows x columns with rows >= columns, becomes L: its upper square the Cholesky factor of the symmetric matrix
  /// whose lower half is there, and below it what A has there times L^-T. False where a pivot is not positive.
  bool (*factor)(int rows, int columns, Number* A);
  /// x := L^-1 x and x := L^-T x, of the lower half of a square, `stride` numbers from column to column.
  void (*solve_lower)(int columns, const Number* L, long stride, Number* x);
  void (*solve_upper)(int columns, const Number* L, long stride, Number* x);
  /// y -= A x and x -= A^T y; A is rows x columns.
  void (*subtract_product)(int rows, int columns, const Number* A, long stride, const Number* x, Number* y);
  void (*subtract_transposed)(int rows, int columns, const Number* A, long stride, const Number* y, Number* x);
};

extern const SupernodeKernel<double> kSupernodeKernelBaseline;
extern const SupernodeKernel<double> kSupernodeKernelAvx2;
extern const SupernodeKernel<double> kSupernodeKernelAvx512;
extern const SupernodeKernel<float> kSingleSupernodeKernelBaseline;
extern const SupernodeKernel<float> kSingleSupernodeKernelAvx2;
extern const SupernodeKernel<float> kSingleSupernodeKernelAvx512;

/// The widest that this processor has; of double and float.
template <class Number>
const SupernodeKernel<Number>& supernode_kernel();
template <>
const SupernodeKernel<double>& supernode_kernel();
template <>
const SupernodeKernel<float>& supernode_kernel();

}  // namespace rebound::sim
