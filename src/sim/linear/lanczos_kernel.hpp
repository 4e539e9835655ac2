// The inner loops of Lanczos with two vectors at once. The arithmetic stands once, in lanczos_kernel.inl; it is
// compiled for three instruction sets and the widest that the processor has is taken. Nothing is fused and every sum is
// in one order: all three give the same bits.
#pragma once

namespace rebound::sim {

/// Two vectors side by side: of each vertex three numbers of the one, a zero, three of the other, a zero.
inline constexpr int kPairStride = 8, kOtherOfPair = 4;

/// Of a vector w of both: w^T A w and w^T w.
struct PairProducts {
  double wAw, ww;
};

/// A matrix of 3 x 3 blocks by whole rows: row i has the blocks begin[i] to begin[i + 1], nine numbers each, row-major,
/// and one more behind the last. Each meets the pair that stands at meets[k], kPairStride times its column.
struct BlockRows {
  const double* values;
  const int *begin, *meets;
};

struct LanczosTerms {
  double scale, along, back;
};

/// Two terms of Chebyshev's recurrence for a tridiagonal matrix T on [-1, 1], a number a row from each pointer on, of
/// which at most the first `rows` are not zero; eight zeros stand before them, and as many as fill the last eight
/// behind. beside: above the diagonal the number of row i is beside[i + 1].
struct ChebyshevPair {
  static constexpr int kSums = 3;
  const double *diagonal, *beside;
  double *before, *now;
  double c[2][kSums];  ///< of each sum, the share of `now` and that of what comes next
  double* sums[kSums];
  int rows;
};

/// Some long columns, of which several sums are wanted: y[f] += sum_k g[f][k] w[k].
struct ColumnSums {
  static constexpr int kColumns = 8, kSums = 3;
  const double* w[kColumns];
  double g[kSums][kColumns];
  double* y[kSums];
};

struct LanczosKernel {
  const char* instruction_set;
  /// The rows [first, end) of to := A from, and what they have of both products.
  PairProducts (*multiply)(const BlockRows& A, int first, int end, const double* from, double* to);
  /// The next of a three-term recurrence in the place of the last: last := scale z - along w - back last.
  void (*recur)(int first, int end, const LanczosTerms& terms, const double* z, const double* w, double* last);
  /// Writes both vectors without their zeros, six numbers a vertex, past the caches, which are for A. `to` stands at a
  /// multiple of 16 bytes. Another thread sees them after its next meeting with this one: a locked instruction.
  void (*keep)(int first, int end, const double* pair, double* to);
  /// Of the rows [first, end).
  void (*add_columns)(const ColumnSums& sums, long first, long end);
  /// before := 2 T now - before and sums += c[0] now + c[1] before in the rows [first, end), multiples of eight, and
  /// now := 2 T before - now in those eight rows before, which have all they need: for calls from the first row to the
  /// eighth behind the last. What there are no rows of is left out.
  void (*chebyshev)(const ChebyshevPair& pair, int first, int end);
};

extern const LanczosKernel kLanczosKernelBaseline;
extern const LanczosKernel kLanczosKernelAvx2;
extern const LanczosKernel kLanczosKernelAvx512;

/// The widest that this processor has.
const LanczosKernel& lanczos_kernel();

}  // namespace rebound::sim
