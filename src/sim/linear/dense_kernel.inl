// Included once by each of dense_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_DENSE_KERNEL and its name defined. Of
// libraries it includes intrinsics alone: an inline function compiled here for a wide instruction set could otherwise
// be the copy that the linker keeps for the whole program.
//
// Left-looking: a panel of columns first loses what the columns before it take, a tile of rows at a time, whose sums
// stay in registers; then it is factored by itself. Entry by entry the sums are the same wherever tiles begin.
// Solving, a tile's unknowns are found at once, by the inverse of the tile on the diagonal. Upwards as downwards a row
// of L is read as it lies; upwards the products of a tile's columns are summed a lane each, and the lanes last.

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "sim/linear/dense_kernel.hpp"

namespace rebound::sim {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 8;
constexpr int kColumns = 8;  // at a time, as registers allow
constexpr int kVectors = 1;  // of their rows at a time, measured
#elif defined(__AVX2__)
constexpr int kLanes = 4;
constexpr int kColumns = 4;
constexpr int kVectors = 2;
#else
constexpr int kLanes = 2;
constexpr int kColumns = 4;
constexpr int kVectors = 2;
#endif
constexpr int kTileRows = kVectors * kLanes;
static_assert(kDensePanel == 8 && kDensePanel % kLanes == 0);

using Lanes = double __attribute__((vector_size(8 * kLanes)));
using FloatLanes = float __attribute__((vector_size(8 * kLanes)));

inline __attribute__((always_inline)) Lanes load(const double* p) {
  Lanes a;
  __builtin_memcpy(&a, p, sizeof(a));
  return a;
}
inline __attribute__((always_inline)) FloatLanes load(const float* p) {
  FloatLanes a;
  __builtin_memcpy(&a, p, sizeof(a));
  return a;
}
template <class Numbers, class AnyLanes>
inline __attribute__((always_inline)) void store(Numbers* p, AnyLanes a) {
  __builtin_memcpy(p, &a, sizeof(a));
}

// Takes from a tile of rows of `kColumns` columns what the columns [0, before) take. rows: the tile in column 0; own:
// the rows of those columns themselves in column 0; to: the tile in the first of them.
template <int kRows>
inline __attribute__((always_inline)) void reduce_tile(const double* rows, const double* own, int before, long stride,
                                                       double* to) {
  Lanes sum[kColumns][kRows];
#pragma GCC unroll 8
  for (int c = 0; c < kColumns; ++c)
#pragma GCC unroll 2
    for (int v = 0; v < kRows; ++v) sum[c][v] = load(to + c * stride + v * kLanes);
  for (int k = 0; k < before; ++k) {
    Lanes a[kRows];
#pragma GCC unroll 2
    for (int v = 0; v < kRows; ++v) a[v] = load(rows + v * kLanes);
#pragma GCC unroll 8
    for (int c = 0; c < kColumns; ++c)
#pragma GCC unroll 2
      for (int v = 0; v < kRows; ++v) sum[c][v] -= a[v] * own[c];
    rows += stride;
    own += stride;
  }
#pragma GCC unroll 8
  for (int c = 0; c < kColumns; ++c)
#pragma GCC unroll 2
    for (int v = 0; v < kRows; ++v) store(to + c * stride + v * kLanes, sum[c][v]);
}

// The panel's own rows; panel: its first entry on the diagonal.
bool factor_diagonal(double* panel, long stride, double* inverse_pivots) {
  for (int c = 0; c < kDensePanel; ++c) {
    double* column = panel + c * stride;
    for (int k = 0; k < c; ++k)
      for (int i = c; i < kDensePanel; ++i) column[i] -= panel[k * stride + i] * panel[k * stride + c];
    if (!(column[c] > 0)) return false;
    column[c] = __builtin_sqrt(column[c]);
    inverse_pivots[c] = 1 / column[c];
    for (int i = c + 1; i < kDensePanel; ++i) column[i] *= inverse_pivots[c];
    for (int i = 0; i < c; ++i) column[i] = 0;
  }
  return true;
}

// Rows below the panel's own, a vector of them. rows: in the panel's first column.
inline __attribute__((always_inline)) void finish_rows(const double* panel, const double* inverse_pivots, long stride,
                                                       long rows_stride, double* rows) {
  Lanes x[kDensePanel];
#pragma GCC unroll 8
  for (int c = 0; c < kDensePanel; ++c) {
    x[c] = load(rows + c * rows_stride);
#pragma GCC unroll 8
    for (int k = 0; k < c; ++k) x[c] -= x[k] * panel[k * stride + c];
    x[c] *= inverse_pivots[c];
    store(rows + c * rows_stride, x[c]);
  }
}

// Those rows in the columns of a panel, once the columns before it are done.
inline __attribute__((always_inline)) void reduce_panel(double* matrix, long stride, int first, int begin, int end) {
  int i = begin;
  for (; i + kTileRows <= end; i += kTileRows)
    for (int c = 0; c < kDensePanel; c += kColumns)
      reduce_tile<kVectors>(matrix + i, matrix + first + c, first, stride, matrix + (first + c) * stride + i);
  for (; i < end; i += kLanes)
    for (int c = 0; c < kDensePanel; c += kColumns)
      reduce_tile<1>(matrix + i, matrix + first + c, first, stride, matrix + (first + c) * stride + i);
}

inline __attribute__((always_inline)) void finish_panel(double* matrix, const double* inverse_pivots, long stride,
                                                        int first, int begin, int end) {
  for (int i = begin; i < end; i += kLanes)
    finish_rows(matrix + first * stride + first, inverse_pivots, stride, stride, matrix + first * stride + i);
}

// Takes what is done of some rows, the columns of a panel, from all that is left of them. Entry by entry the sums are
// those of reduce_tile, but the factor is read down its columns, as it lies. rows: vectors of them, column by column.
inline __attribute__((always_inline)) void reduce_rows(const double* matrix, long stride, int first, int done,
                                                       double* rows) {
  Lanes x[kDensePanel];
#pragma GCC unroll 8
  for (int c = 0; c < kDensePanel; ++c) x[c] = load(rows + (first + c) * kDensePanel);
  const double* own = matrix + first * stride;
  for (int column = first + kDensePanel; column < done; ++column) {
    Lanes left = load(rows + column * kDensePanel);
#pragma GCC unroll 8
    for (int c = 0; c < kDensePanel; ++c) left -= x[c] * own[c * stride + column];
    store(rows + column * kDensePanel, left);
  }
}

void reduce(double* matrix, long stride, int done, int begin, double* rows) {
  constexpr int kVectorsOfPanel = kDensePanel / kLanes;
  for (int first = 0; first < done; first += kDensePanel) {
    double inverse_pivots[kDensePanel];
    const double* panel = matrix + first * stride + first;
    for (int c = 0; c < kDensePanel; ++c) inverse_pivots[c] = 1 / panel[c * stride + c];
    for (int v = 0; v < kVectorsOfPanel; ++v) {
      double* lanes = rows + v * kLanes;
      finish_rows(panel, inverse_pivots, stride, kDensePanel, lanes + first * kDensePanel);
      reduce_rows(matrix, stride, first, done, lanes);
    }
  }
  for (int column = 0; column < done; ++column)
    for (int v = 0; v < kVectorsOfPanel; ++v)
      store(matrix + column * stride + begin + v * kLanes, load(rows + column * kDensePanel + v * kLanes));
}

bool factor(double* matrix, int order, long stride, int done) {
  for (int first = done; first < order; first += kDensePanel) {
    double inverse_pivots[kDensePanel];
    reduce_panel(matrix, stride, first, first, order);
    if (!factor_diagonal(matrix + first * stride + first, stride, inverse_pivots)) return false;
    finish_panel(matrix, inverse_pivots, stride, first, first + kDensePanel, order);
  }
  return true;
}

template <class Number>
struct LanesOf;
template <>
struct LanesOf<double> {
  using Type = Lanes;
};
template <>
struct LanesOf<float> {
  using Type = FloatLanes;
};
// Vectors of a tile's column.
template <class Number>
constexpr int kColumnVectors = kDenseTile * sizeof(Number) / sizeof(Lanes);

constexpr int kSums = 4;
template <class Number>
struct ColumnSum {
  typename LanesOf<Number>::Type vectors[kColumnVectors<Number>] = {};
};

// sum += tile x, in four sums, none of which waits for another.
template <class Number>
inline __attribute__((always_inline)) void multiply_tile(const Number* tile, const Number* x,
                                                         ColumnSum<Number> (&sum)[kSums]) {
  using NumberLanes = typename LanesOf<Number>::Type;
  constexpr int kNumberLanes = sizeof(NumberLanes) / sizeof(Number);
#pragma GCC unroll 16
  for (int c = 0; c < kDenseTile; ++c)
#pragma GCC unroll 8
    for (int v = 0; v < kColumnVectors<Number>; ++v)
      sum[c % kSums].vectors[v] += load(tile + c * kDenseTile + v * kNumberLanes) * x[c];
}

template <class Number>
inline __attribute__((always_inline)) auto total(const ColumnSum<Number> (&sum)[kSums], int v) {
  return (sum[0].vectors[v] + sum[1].vectors[v]) + (sum[2].vectors[v] + sum[3].vectors[v]);
}

// x_tile := D x_tile.
template <class Number>
inline __attribute__((always_inline)) void multiply_diagonal(const Number* D, Number* x) {
  constexpr int kNumberLanes = kDenseTile / kColumnVectors<Number>;
  ColumnSum<Number> sum[kSums];
  multiply_tile(D, x, sum);
  for (int v = 0; v < kColumnVectors<Number>; ++v) store(x + v * kNumberLanes, total(sum, v));
}

template <class Number>
void solve_lower(const Number* tiles, const Number* diagonals, int order, Number* x) {
  constexpr int kNumberLanes = kDenseTile / kColumnVectors<Number>;
  for (int row = 0; row < order / kDenseTile; ++row) {
    ColumnSum<Number> sum[kSums];
    for (int column = 0; column < row; ++column, tiles += kTileEntries)
      multiply_tile(tiles, x + column * kDenseTile, sum);
    Number* own = x + row * kDenseTile;
    for (int v = 0; v < kColumnVectors<Number>; ++v)
      store(own + v * kNumberLanes, load(own + v * kNumberLanes) - total(sum, v));
    multiply_diagonal(diagonals + 2 * kTileEntries * row, own);
  }
}

// x_column loses what the tiles below the diagonal take: some of its entries, as registers allow.
template <int kCount, class Number>
inline __attribute__((always_inline)) void subtract_transposed(const Number* tiles, int column, int rows, int first,
                                                               Number* x) {
  constexpr int kNumberLanes = kDenseTile / kColumnVectors<Number>;
  ColumnSum<Number> sum[kCount];
  for (int row = column + 1; row < rows; ++row) {
    const Number* tile = tiles + row_of_tiles(row) + kTileEntries * column + first * kDenseTile;
#pragma GCC unroll 8
    for (int v = 0; v < kColumnVectors<Number>; ++v) {
      const auto with = load(x + row * kDenseTile + v * kNumberLanes);
#pragma GCC unroll 16
      for (int c = 0; c < kCount; ++c) sum[c].vectors[v] += load(tile + c * kDenseTile + v * kNumberLanes) * with;
    }
  }
  for (int c = 0; c < kCount; ++c) {
    Number lanes[kDenseTile];
    for (int v = 0; v < kColumnVectors<Number>; ++v) store(lanes + v * kNumberLanes, sum[c].vectors[v]);
    for (int half = kDenseTile / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) lanes[i] += lanes[i + half];
    x[column * kDenseTile + first + c] -= lanes[0];
  }
}

template <class Number>
void solve_upper(const Number* tiles, const Number* diagonals, int order, Number* x) {
  constexpr int kAtOnce = 16 / kColumnVectors<Number>;
  const int rows = order / kDenseTile;
  for (int column = rows - 1; column >= 0; --column) {
    for (int first = 0; first < kDenseTile; first += kAtOnce)
      subtract_transposed<kAtOnce>(tiles, column, rows, first, x);
    multiply_diagonal(diagonals + 2 * kTileEntries * column + kTileEntries, x + column * kDenseTile);
  }
}

inline __attribute__((always_inline)) Lanes load_as_double(const double* p) { return load(p); }
inline __attribute__((always_inline)) Lanes load_as_double(const float* p) {
#if defined(__AVX512F__)
  // One instruction, where the compiler takes four.
  return _mm512_cvtps_pd(_mm256_loadu_ps(p));
#else
  float __attribute__((vector_size(4 * kLanes))) a;
  __builtin_memcpy(&a, p, sizeof(a));
  return __builtin_convertvector(a, Lanes);
#endif
}

template <class Number>
void add_columns(const Number* const* columns, const double* factors, int begin, int end, long stride, double* w) {
  int i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    Lanes x = load(w + i), y = load(w + stride + i), z = load(w + 2 * stride + i);
#pragma GCC unroll 8
    for (int c = 0; c < kDensePanel; ++c) {
      const Lanes a = load_as_double(columns[c] + i);
      x += a * factors[3 * c];
      y += a * factors[3 * c + 1];
      z += a * factors[3 * c + 2];
    }
    store(w + i, x);
    store(w + stride + i, y);
    store(w + 2 * stride + i, z);
  }
  for (; i < end; ++i)
    for (int c = 0; c < kDensePanel; ++c)
      for (int axis = 0; axis < 3; ++axis)
        w[axis * stride + i] += static_cast<double>(columns[c][i]) * factors[3 * c + axis];
}

}  // namespace

const DenseKernel REBOUND_DENSE_KERNEL = {REBOUND_DENSE_KERNEL_NAME,
                                          reduce,
                                          factor,
                                          solve_lower<float>,
                                          solve_upper<float>,
                                          solve_lower<double>,
                                          solve_upper<double>,
                                          add_columns<float>,
                                          add_columns<double>};

}  // namespace rebound::sim
