// Dense matrices with a row a contact: the inner loops. The arithmetic stands once, in dense_kernel.inl; it is compiled
// for three instruction sets and the widest that the processor has is taken at start. Lanes are rows, every sum is in
// one order, and nothing is fused: all three give the same bits.
//
// A factor is made in double precision. Solving costs what it takes to read the factor, so whoever can do with less
// rounds it.
#pragma once

namespace rebound::sim {

/// A panel of columns, by which a factor is made: orders and rows that stay are multiples of it.
inline constexpr int kDensePanel = 8;
/// The side of a tile, by which a factor is solved with.
inline constexpr int kDenseTile = 16;
inline constexpr long kTileEntries = long{kDenseTile} * kDenseTile;
/// Where a row of tiles begins, in entries: tiles lie row after row, each column by column, without those on the
/// diagonal. So a factor that grows keeps its place, and is read once, in the order of memory, for each direction.
constexpr long row_of_tiles(long row) { return kTileEntries * (row * (row - 1) / 2); }

/// Matrices lie column by column, `stride` numbers a column. Of a lower triangle the entries above the diagonal are not
/// read, but within the panels on the diagonal, where a factor has zeros.
struct DenseKernel {
  const char* instruction_set;
  /// kDensePanel rows of a Cholesky factor, from `begin` on, within its first `done` columns, whose rows [0, done) are
  /// there; both multiples of kDensePanel. rows: what the matrix has there, kDensePanel numbers a column, which is
  /// overwritten. May run for other rows at once.
  void (*reduce)(double* matrix, long stride, int done, int begin, double* rows);
  /// The rest of the factor, columns [done, order) once reduce() has been there. False where a pivot is not positive.
  bool (*factor)(double* matrix, int order, long stride, int done);
  /// x := L^-1 x and x := L^-T x; order: a multiple of kDenseTile. diagonals: one per row of tiles, column by column,
  /// the inverse of its tile on the diagonal and then the transpose of that.
  void (*lower_single)(const float* tiles, const float* diagonals, int order, float* x);
  void (*upper_single)(const float* tiles, const float* diagonals, int order, float* x);
  void (*lower_double)(const double* tiles, const double* diagonals, int order, double* x);
  void (*upper_double)(const double* tiles, const double* diagonals, int order, double* x);
  /// w[axis stride + i] += sum_c factors[3 c + axis] * columns[c][i], for kDensePanel columns, three axes and i in
  /// [begin, end).
  void (*add_columns_single)(const float* const* columns, const double* factors, int begin, int end, long stride,
                             double* w);
  void (*add_columns_double)(const double* const* columns, const double* factors, int begin, int end, long stride,
                             double* w);
};

extern const DenseKernel kDenseKernelBaseline;
extern const DenseKernel kDenseKernelAvx2;
extern const DenseKernel kDenseKernelAvx512;

/// The widest that this processor has.
const DenseKernel& dense_kernel();

}  // namespace rebound::sim
