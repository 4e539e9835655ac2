// The inner loops of Lanczos with two vectors at once. The arithmetic stands once, in lanczos_kernel.inl; it is compiled
// for three instruction sets and the widest that the processor has is taken. Nothing is fused and every sum is in one
// order: all three give the same bits.
#pragma once

namespace rebound::sim {

/// Two vectors side by side: of each vertex three numbers of the one, a zero, three of the other, a zero.
inline constexpr int kPairStride = 8;

/// A matrix of 3 x 3 blocks by whole rows: the blocks of row i, nine numbers each and one more behind the last,
/// column-major, are those of the columns column[begin[i] ...].
struct BlockRows {
  const double* values;
  const int *begin, *column;
};

/// Chebyshev's recurrence for a tridiagonal matrix T on [-1, 1], a number a row from `now` on: what stands before and
/// after them is zero, to seven numbers after. beside: above the diagonal the number of row i is beside[i + 1].
struct ChebyshevStep {
  static constexpr int kSums = 3;
  const double *diagonal, *beside, *now;
  double* before;
  double c[kSums];  ///< the share of `now` in each sum
  double* sums[kSums];
};

struct LanczosKernel {
  const char* instruction_set;
  /// The rows [first, end) of to := A from.
  void (*multiply)(const BlockRows& A, int first, int end, const double* from, double* to);
  /// z := scale z - back before of these vertices; returns w^T z.
  double (*subtract_last)(int first, int end, double scale, double back, const double* before, const double* w,
                          double* z);
  /// next := z - along w, which may be z; returns |next|^2.
  double (*subtract_own)(int first, int end, double along, const double* w, const double* z, double* next);
  /// Writes each vector where it has three numbers a vertex.
  void (*part)(int first, int end, const double* pair, double* one, double* other);
  /// sums += c now; before := 2 T now - before, for the rows [first, end), both rounded up to a multiple of eight.
  void (*chebyshev)(const ChebyshevStep& step, int first, int end);
};

extern const LanczosKernel kLanczosKernelBaseline;
extern const LanczosKernel kLanczosKernelAvx2;
extern const LanczosKernel kLanczosKernelAvx512;

/// The widest that this processor has.
const LanczosKernel& lanczos_kernel();

}  // namespace rebound::sim
