// Included once by each of dense_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_DENSE_KERNEL and its name defined. Of
// libraries it includes nothing: an inline function compiled here for a wide instruction set could otherwise be the
// copy that the linker keeps for the whole program.
//
// Left-looking: a panel of columns first loses what the columns before it take, a tile of rows at a time, whose sums
// stay in registers; then it is factored by itself. Entry by entry the sums are the same wherever tiles begin.
// Solving, a panel's unknowns are found at once, by the inverse of its diagonal block, and taken from all others.

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
using Panel = double __attribute__((vector_size(8 * kDensePanel)));
using FloatPanel = float __attribute__((vector_size(4 * kDensePanel)));

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
                                                       double* rows) {
  Lanes x[kDensePanel];
#pragma GCC unroll 8
  for (int c = 0; c < kDensePanel; ++c) {
    x[c] = load(rows + c * stride);
#pragma GCC unroll 8
    for (int k = 0; k < c; ++k) x[c] -= x[k] * panel[k * stride + c];
    x[c] *= inverse_pivots[c];
    store(rows + c * stride, x[c]);
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
    finish_rows(matrix + first * stride + first, inverse_pivots, stride, matrix + first * stride + i);
}

void reduce(double* matrix, long stride, int done, int begin, int end) {
  for (int first = 0; first < done; first += kDensePanel) {
    double inverse_pivots[kDensePanel];
    for (int c = 0; c < kDensePanel; ++c) inverse_pivots[c] = 1 / matrix[(first + c) * stride + first + c];
    reduce_panel(matrix, stride, first, begin, end);
    finish_panel(matrix, inverse_pivots, stride, first, begin, end);
  }
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

// x_panel := D x_panel, D a square block.
template <class Number, class NumberPanel>
inline __attribute__((always_inline)) void multiply_block(const Number* D, Number* x_panel) {
  NumberPanel product = {};
#pragma GCC unroll 8
  for (int c = 0; c < kDensePanel; ++c) {
    NumberPanel column;
    __builtin_memcpy(&column, D + c * kDensePanel, sizeof(column));
    product += column * x_panel[c];
  }
  store(x_panel, product);
}

// x[begin, end) loses what a panel's columns take; x_panel: the panel's own unknowns.
template <class Number, class NumberLanes>
inline __attribute__((always_inline)) void subtract_panel(const Number* columns, long stride, const Number* x_panel,
                                                          int begin, int end, Number* x) {
  constexpr int kNumberLanes = sizeof(NumberLanes) / sizeof(Number);
  Number own[kDensePanel];
  for (int c = 0; c < kDensePanel; ++c) own[c] = x_panel[c];
  int i = begin;
  for (; i + kNumberLanes <= end; i += kNumberLanes) {
    NumberLanes left = load(x + i);
#pragma GCC unroll 8
    for (int c = 0; c < kDensePanel; ++c) left -= load(columns + c * stride + i) * own[c];
    store(x + i, left);
  }
  for (; i < end; ++i)
    for (int c = 0; c < kDensePanel; ++c) x[i] -= columns[c * stride + i] * own[c];
}

template <class Number, class NumberLanes, class NumberPanel>
void solve_lower(const Number* LU, const Number* diagonals, int order, long stride, Number* x) {
  for (int first = 0; first < order; first += kDensePanel) {
    multiply_block<Number, NumberPanel>(diagonals + 2 * kDensePanel * first, x + first);
    subtract_panel<Number, NumberLanes>(LU + first * stride, stride, x + first, first + kDensePanel, order, x);
  }
}

template <class Number, class NumberLanes, class NumberPanel>
void solve_upper(const Number* LU, const Number* diagonals, int order, long stride, Number* x) {
  constexpr int kBlock = kDensePanel * kDensePanel;
  for (int first = order - kDensePanel; first >= 0; first -= kDensePanel) {
    multiply_block<Number, NumberPanel>(diagonals + 2 * kDensePanel * first + kBlock, x + first);
    subtract_panel<Number, NumberLanes>(LU + first * stride, stride, x + first, 0, first, x);
  }
}

inline __attribute__((always_inline)) Lanes load_as_double(const double* p) { return load(p); }
inline __attribute__((always_inline)) Lanes load_as_double(const float* p) {
  float __attribute__((vector_size(4 * kLanes))) a;
  __builtin_memcpy(&a, p, sizeof(a));
  return __builtin_convertvector(a, Lanes);
}

template <class Number>
inline __attribute__((always_inline)) void add_columns_of(const Number* const* columns, const double* factors,
                                                          int count, int begin, int end, long stride, double* w) {
  int i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    Lanes x = load(w + i), y = load(w + stride + i), z = load(w + 2 * stride + i);
#pragma GCC unroll 8
    for (int c = 0; c < count; ++c) {
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
    for (int c = 0; c < count; ++c)
      for (int axis = 0; axis < 3; ++axis)
        w[axis * stride + i] += static_cast<double>(columns[c][i]) * factors[3 * c + axis];
}

template <class Number>
void add_columns(const Number* const* columns, const double* factors, int count, int begin, int end, long stride,
                 double* w) {
  // Of a whole panel the compiler knows how many there are.
  if (count == kDensePanel) return add_columns_of(columns, factors, kDensePanel, begin, end, stride, w);
  add_columns_of(columns, factors, count, begin, end, stride, w);
}

}  // namespace

const DenseKernel REBOUND_DENSE_KERNEL = {
    REBOUND_DENSE_KERNEL_NAME,
    reduce,
    factor,
    solve_lower<float, FloatLanes, FloatPanel>,
    solve_upper<float, FloatLanes, FloatPanel>,
    solve_lower<double, Lanes, Panel>,
    solve_upper<double, Lanes, Panel>,
    add_columns<float>,
    add_columns<double>};

}  // namespace rebound::sim
