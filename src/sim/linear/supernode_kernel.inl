// Included once by each of supernode_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_SUPERNODE_KERNEL and
// REBOUND_SINGLE_SUPERNODE_KERNEL, of double and single precision, and their name defined. Of libraries it includes
// nothing: an inline function compiled here for a wide instruction set could otherwise be the copy that the linker
// keeps for the whole program.
//
// Rows that are left over beside whole tiles are done with rows of the tile before: they come out the same again.

#include "sim/linear/supernode_kernel.hpp"

namespace rebound::sim {
namespace {

#if defined(__AVX512F__)
constexpr int kBytes = 64;   // of a vector
constexpr int kColumns = 8;  // of a product at a time, as registers allow
constexpr int kVectors = 1;  // of their rows at a time, measured
#elif defined(__AVX2__)
constexpr int kBytes = 32;
constexpr int kColumns = 4;
constexpr int kVectors = 2;
#else
constexpr int kBytes = 16;
constexpr int kColumns = 4;
constexpr int kVectors = 2;
#endif
constexpr int kPanel = 8;            // columns that are factored at a time
constexpr int kColumnsOfVector = 4;  // of a triangle, or of a product with one vector, at a time

template <class Number>
struct Loops {
  static constexpr int kLanes = kBytes / sizeof(Number), kTileRows = kVectors * kLanes;
  // Few rows, a panel's own among them, are fewer than a wide vector has.
  static constexpr int kNarrow = kLanes < kPanel ? kLanes : kPanel, kOwnVectors = kPanel / kNarrow;
  typedef Number Lanes __attribute__((vector_size(kBytes)));
  typedef Number NarrowLanes __attribute__((vector_size(kNarrow * sizeof(Number))));
  typedef Number Four __attribute__((vector_size(4 * sizeof(Number))));

  template <class Some>
  static inline __attribute__((always_inline)) Some load_as(const Number* p) {
    Some a;
    __builtin_memcpy(&a, p, sizeof(a));
    return a;
  }
  static inline __attribute__((always_inline)) Lanes load(const Number* p) { return load_as<Lanes>(p); }
  template <class Some>
  static inline __attribute__((always_inline)) void store(Number* p, Some a) {
    __builtin_memcpy(p, &a, sizeof(a));
  }

  // A tile of the product, of so many vectors of rows. a, b: its rows and columns in the first of the inner columns.
  template <class Rows, int kRows, int kCount>
  static inline __attribute__((always_inline)) void multiply_tile(const Number* a, const Number* b, int inner,
                                                                  long stride, Number* to, long to_stride) {
    constexpr int kWidth = sizeof(Rows) / sizeof(Number);
    Rows sum[kCount][kRows] = {};
    for (int k = 0; k < inner; ++k) {
      Rows of_a[kRows];
#pragma GCC unroll 2
      for (int v = 0; v < kRows; ++v) of_a[v] = load_as<Rows>(a + v * kWidth);
#pragma GCC unroll 8
      for (int c = 0; c < kCount; ++c)
#pragma GCC unroll 2
        for (int v = 0; v < kRows; ++v) sum[c][v] += of_a[v] * b[c];
      a += stride;
      b += stride;
    }
#pragma GCC unroll 8
    for (int c = 0; c < kCount; ++c)
#pragma GCC unroll 2
      for (int v = 0; v < kRows; ++v) store(to + c * to_stride + v * kWidth, sum[c][v]);
  }

  // Columns c ... c + kCount of the product, from the tile of rows that has the first wanted one on.
  template <int kCount>
  static inline __attribute__((always_inline)) void multiply_columns(int rows, int c, int inner, int below,
                                                                     const Number* A, const Number* B, long stride,
                                                                     Number* C) {
    Number* to = C + static_cast<long>(c) * rows;
    int i = c > below ? (c - below) / kTileRows * kTileRows : 0;
    if (rows - i < kNarrow && rows >= kNarrow) i = rows - kNarrow;
    for (; i + kTileRows <= rows; i += kTileRows)
      multiply_tile<Lanes, kVectors, kCount>(A + i, B + c, inner, stride, to + i, rows);
    for (; i + kLanes <= rows; i += kLanes) multiply_tile<Lanes, 1, kCount>(A + i, B + c, inner, stride, to + i, rows);
    for (; i + kNarrow <= rows; i += kNarrow)
      multiply_tile<NarrowLanes, 1, kCount>(A + i, B + c, inner, stride, to + i, rows);
    if (i == rows) return;
    if (rows >= kNarrow) {
      const int last = rows - kNarrow;
      multiply_tile<NarrowLanes, 1, kCount>(A + last, B + c, inner, stride, to + last, rows);
      return;
    }
    for (; i < rows; ++i)
      for (int d = 0; d < kCount; ++d) {
        Number sum = 0;
        for (int k = 0; k < inner; ++k) sum += A[k * stride + i] * B[k * stride + c + d];
        to[static_cast<long>(d) * rows + i] = sum;
      }
  }

  static void multiply(int rows, int columns, int inner, int below, const Number* A, const Number* B, long stride,
                       Number* C) {
    int c = 0;
    for (; c + kColumns <= columns; c += kColumns) multiply_columns<kColumns>(rows, c, inner, below, A, B, stride, C);
    switch (columns - c) {
      case 7:
        return multiply_columns<7>(rows, c, inner, below, A, B, stride, C);
      case 6:
        return multiply_columns<6>(rows, c, inner, below, A, B, stride, C);
      case 5:
        return multiply_columns<5>(rows, c, inner, below, A, B, stride, C);
      case 4:
        return multiply_columns<4>(rows, c, inner, below, A, B, stride, C);
      case 3:
        return multiply_columns<3>(rows, c, inner, below, A, B, stride, C);
      case 2:
        return multiply_columns<2>(rows, c, inner, below, A, B, stride, C);
      case 1:
        return multiply_columns<1>(rows, c, inner, below, A, B, stride, C);
      default:
        return;
    }
  }

  static void subtract(const Number* from, const RowRun* runs, int run_count, Number* to) {
    for (const RowRun* run = runs; run != runs + run_count; ++run) {
      const Number* source = from + run->from;
      Number* target = to + run->to;
      int i = 0;
      for (; i + kLanes <= run->count; i += kLanes) store(target + i, load(target + i) - load(source + i));
      for (; kLanes > kNarrow && i + kNarrow <= run->count; i += kNarrow)
        store(target + i, load_as<NarrowLanes>(target + i) - load_as<NarrowLanes>(source + i));
      for (; kNarrow > 4 && i + 4 <= run->count; i += 4) {
        Four a, b;
        __builtin_memcpy(&a, target + i, sizeof(a));
        __builtin_memcpy(&b, source + i, sizeof(b));
        a -= b;
        __builtin_memcpy(target + i, &a, sizeof(a));
      }
      for (; i < run->count; ++i) target[i] -= source[i];
    }
  }

  /// A panel of columns that is being factored.
  struct Panel {
    const Number* left;  ///< the first column, at the panel's rows
    int before;          ///< columns to the left of it
    long stride;
    Number diagonal[kPanel * kPanel];  ///< L of its own rows, column by column
    Number inverse_pivots[kPanel];
  };

  // A vector of rows of the panel's columns, below its own. rows: of the first column; from: of the panel's columns as
  // they are.
  template <class Rows, int kWidth>
  static inline __attribute__((always_inline)) void finish_tile(const Panel& panel, const Number* rows,
                                                                const Number* from, long from_stride, Number* to) {
    Rows x[kWidth];
#pragma GCC unroll 8
    for (int c = 0; c < kWidth; ++c) x[c] = load_as<Rows>(from + c * from_stride);
    const Number* own = panel.left;
    for (int k = 0; k < panel.before; ++k) {
      const Rows a = load_as<Rows>(rows);
#pragma GCC unroll 8
      for (int c = 0; c < kWidth; ++c) x[c] -= a * own[c];
      rows += panel.stride;
      own += panel.stride;
    }
#pragma GCC unroll 8
    for (int c = 0; c < kWidth; ++c) {
#pragma GCC unroll 8
      for (int k = 0; k < c; ++k) x[c] -= x[k] * panel.diagonal[k * kPanel + c];
      x[c] *= panel.inverse_pivots[c];
      store(to + c * panel.stride, x[c]);
    }
  }

  template <int kWidth>
  static inline __attribute__((always_inline)) void finish_row(const Panel& panel, const Number* row, Number* to) {
    for (int c = 0; c < kWidth; ++c) {
      Number x = to[c * panel.stride];
      for (int k = 0; k < panel.before; ++k) x -= row[k * panel.stride] * panel.left[k * panel.stride + c];
      for (int k = 0; k < c; ++k) x -= to[k * panel.stride] * panel.diagonal[k * kPanel + c];
      to[c * panel.stride] = x * panel.inverse_pivots[c];
    }
  }

  // Its own rows, less what the columns to the left take. whole: as many rows as a panel has are there to be read.
  template <int kWidth>
  static inline __attribute__((always_inline)) void reduce_own(Panel& panel, const Number* A, bool whole) {
    Number* D = panel.diagonal;
    if (!whole) {
      for (int c = 0; c < kWidth; ++c)
        for (int i = c; i < kWidth; ++i) {
          Number x = A[c * panel.stride + i];
          for (int k = 0; k < panel.before; ++k)
            x -= panel.left[k * panel.stride + i] * panel.left[k * panel.stride + c];
          D[c * kPanel + i] = x;
        }
      return;
    }
    NarrowLanes x[kWidth][kOwnVectors];
#pragma GCC unroll 8
    for (int c = 0; c < kWidth; ++c)
#pragma GCC unroll 4
      for (int v = 0; v < kOwnVectors; ++v) x[c][v] = load_as<NarrowLanes>(A + c * panel.stride + v * kNarrow);
    const Number* own = panel.left;
    for (int k = 0; k < panel.before; ++k, own += panel.stride)
#pragma GCC unroll 8
      for (int c = 0; c < kWidth; ++c)
#pragma GCC unroll 4
        for (int v = 0; v < kOwnVectors; ++v) x[c][v] -= load_as<NarrowLanes>(own + v * kNarrow) * own[c];
#pragma GCC unroll 8
    for (int c = 0; c < kWidth; ++c)
#pragma GCC unroll 4
      for (int v = 0; v < kOwnVectors; ++v) store(D + c * kPanel + v * kNarrow, x[c][v]);
  }

  template <int kWidth>
  static bool factor_panel(int rows, int first, Number* A) {
    Panel panel{A + first, first, rows, {}, {}};
    Number* own = A + static_cast<long>(first) * rows + first;
    reduce_own<kWidth>(panel, own, first + kPanel <= rows);
    Number* D = panel.diagonal;
    for (int c = 0; c < kWidth; ++c) {
      for (int k = 0; k < c; ++k)
        for (int i = c; i < kWidth; ++i) D[c * kPanel + i] -= D[k * kPanel + i] * D[k * kPanel + c];
      if (!(D[c * kPanel + c] > 0)) return false;
      D[c * kPanel + c] = static_cast<Number>(__builtin_sqrt(D[c * kPanel + c]));
      panel.inverse_pivots[c] = 1 / D[c * kPanel + c];
      for (int i = c + 1; i < kWidth; ++i) D[c * kPanel + i] *= panel.inverse_pivots[c];
      for (int i = c; i < kWidth; ++i) own[static_cast<long>(c) * rows + i] = D[c * kPanel + i];
    }
    int i = first + kWidth;
    Number* columns = A + static_cast<long>(first) * rows;
    if (rows - i < kNarrow) {
      for (; i < rows; ++i) finish_row<kWidth>(panel, A + i, columns + i);
      return true;
    }
    Number last[kWidth * kNarrow];  // of the columns as they are, for rows that are left over
    for (int c = 0; c < kWidth; ++c)
      store(last + c * kNarrow, load_as<NarrowLanes>(columns + static_cast<long>(c + 1) * rows - kNarrow));
    for (; i + kLanes <= rows; i += kLanes) finish_tile<Lanes, kWidth>(panel, A + i, columns + i, rows, columns + i);
    for (; i + kNarrow <= rows; i += kNarrow)
      finish_tile<NarrowLanes, kWidth>(panel, A + i, columns + i, rows, columns + i);
    if (i < rows) finish_tile<NarrowLanes, kWidth>(panel, A + rows - kNarrow, last, kNarrow, columns + rows - kNarrow);
    return true;
  }

  static bool factor(int rows, int columns, Number* A) {
    int first = 0;
    for (; first + kPanel <= columns; first += kPanel)
      if (!factor_panel<kPanel>(rows, first, A)) return false;
    switch (columns - first) {
      case 7:
        return factor_panel<7>(rows, first, A);
      case 6:
        return factor_panel<6>(rows, first, A);
      case 5:
        return factor_panel<5>(rows, first, A);
      case 4:
        return factor_panel<4>(rows, first, A);
      case 3:
        return factor_panel<3>(rows, first, A);
      case 2:
        return factor_panel<2>(rows, first, A);
      case 1:
        return factor_panel<1>(rows, first, A);
      default:
        return true;
    }
  }

  // So many sums a column whatever the lanes are, so that they are added in one order.
  static constexpr int kSumLanes = 64 / sizeof(Number);
  typedef Number Sums __attribute__((vector_size(64)));

  // y -= A x of so many columns.
  template <int kCount>
  static inline __attribute__((always_inline)) void subtract_columns(int rows, const Number* A, long stride,
                                                                     const Number* x, Number* y) {
    int i = 0;
    for (; i + kLanes <= rows; i += kLanes) {
      Lanes sum = load(y + i);
#pragma GCC unroll 4
      for (int c = 0; c < kCount; ++c) sum -= load(A + c * stride + i) * x[c];
      store(y + i, sum);
    }
    for (; i < rows; ++i)
      for (int c = 0; c < kCount; ++c) y[i] -= A[c * stride + i] * x[c];
  }

  // x -= A^T y of so many columns.
  template <int kCount>
  static inline __attribute__((always_inline)) void subtract_dots(int rows, const Number* A, long stride,
                                                                  const Number* y, Number* x) {
    Sums sum[kCount] = {};
    int i = 0;
    for (; i + kSumLanes <= rows; i += kSumLanes) {
      Sums of_y, of_A;
      __builtin_memcpy(&of_y, y + i, sizeof(Sums));
#pragma GCC unroll 4
      for (int c = 0; c < kCount; ++c) {
        __builtin_memcpy(&of_A, A + c * stride + i, sizeof(Sums));
        sum[c] += of_A * of_y;
      }
    }
    for (int c = 0; c < kCount; ++c) {
      Number rest = 0;
      for (int r = i; r < rows; ++r) rest += A[c * stride + r] * y[r];
      for (int lane = 0; lane < kSumLanes; ++lane) rest += sum[c][lane];
      x[c] -= rest;
    }
  }

  template <int kCount>
  static inline __attribute__((always_inline)) void solve_lower_columns(int columns, int c, const Number* L,
                                                                        long stride, Number* x) {
    const Number* own = L + c * stride;
    for (int k = 0; k < kCount; ++k) {
      for (int m = 0; m < k; ++m) x[c + k] -= own[m * stride + c + k] * x[c + m];
      x[c + k] /= own[k * stride + c + k];
    }
    const int below = c + kCount;
    subtract_columns<kCount>(columns - below, own + below, stride, x + c, x + below);
  }

  template <int kCount>
  static inline __attribute__((always_inline)) void solve_upper_columns(int columns, int c, const Number* L,
                                                                        long stride, Number* x) {
    const Number* own = L + c * stride;
    const int below = c + kCount;
    subtract_dots<kCount>(columns - below, own + below, stride, x + below, x + c);
    for (int k = kCount - 1; k >= 0; --k) {
      for (int m = k + 1; m < kCount; ++m) x[c + k] -= own[k * stride + c + m] * x[c + m];
      x[c + k] /= own[k * stride + c + k];
    }
  }

  static void solve_lower(int columns, const Number* L, long stride, Number* x) {
    int c = 0;
    for (; c + kColumnsOfVector <= columns; c += kColumnsOfVector)
      solve_lower_columns<kColumnsOfVector>(columns, c, L, stride, x);
    for (; c < columns; ++c) solve_lower_columns<1>(columns, c, L, stride, x);
  }

  static void solve_upper(int columns, const Number* L, long stride, Number* x) {
    int c = columns;
    for (; c % kColumnsOfVector != 0; --c) solve_upper_columns<1>(columns, c - 1, L, stride, x);
    for (; c > 0; c -= kColumnsOfVector)
      solve_upper_columns<kColumnsOfVector>(columns, c - kColumnsOfVector, L, stride, x);
  }

  static void subtract_product(int rows, int columns, const Number* A, long stride, const Number* x, Number* y) {
    int c = 0;
    for (; c + kColumnsOfVector <= columns; c += kColumnsOfVector)
      subtract_columns<kColumnsOfVector>(rows, A + c * stride, stride, x + c, y);
    for (; c < columns; ++c) subtract_columns<1>(rows, A + c * stride, stride, x + c, y);
  }

  static void subtract_transposed(int rows, int columns, const Number* A, long stride, const Number* y, Number* x) {
    int c = 0;
    for (; c + kColumnsOfVector <= columns; c += kColumnsOfVector)
      subtract_dots<kColumnsOfVector>(rows, A + c * stride, stride, y, x + c);
    for (; c < columns; ++c) subtract_dots<1>(rows, A + c * stride, stride, y, x + c);
  }

  static constexpr SupernodeKernel<Number> kernel() {
    return {REBOUND_SUPERNODE_KERNEL_NAME,
            multiply,
            subtract,
            factor,
            solve_lower,
            solve_upper,
            subtract_product,
            subtract_transposed};
  }
};

}  // namespace

const SupernodeKernel<double> REBOUND_SUPERNODE_KERNEL = Loops<double>::kernel();
const SupernodeKernel<float> REBOUND_SINGLE_SUPERNODE_KERNEL = Loops<float>::kernel();

}  // namespace rebound::sim
