// Included once by each of dense_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_DENSE_KERNEL and its name defined. Of
// libraries it includes nothing: an inline function compiled here for a wide instruction set could otherwise be the
// copy that the linker keeps for the whole program.
//
// Left-looking: a panel of columns first loses what the columns before it take, a tile of rows at a time, whose sums
// stay in registers; then it is factored by itself. Entry by entry the sums are the same wherever tiles begin.

#include "sim/solve/dense_kernel.hpp"

namespace rebound::sim {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 8;
constexpr int kColumns = 8;  // at a time, as registers allow
#elif defined(__AVX2__)
constexpr int kLanes = 4;
constexpr int kColumns = 4;
#else
constexpr int kLanes = 2;
constexpr int kColumns = 4;
#endif
constexpr int kTileRows = 2 * kLanes;
static_assert(kTileRows <= kDenseSlack);

using Lanes = double __attribute__((vector_size(8 * kLanes)));

inline __attribute__((always_inline)) Lanes load(const double* p) {
  Lanes a;
  __builtin_memcpy(&a, p, sizeof(a));
  return a;
}
inline __attribute__((always_inline)) void store(double* p, Lanes a) { __builtin_memcpy(p, &a, sizeof(a)); }

// Takes from a tile of rows of `kColumns` columns what the columns [0, before) take. rows: the tile in column 0; own:
// the rows of those columns themselves in column 0; to: the tile in the first of them.
inline __attribute__((always_inline)) void reduce_tile(const double* rows, const double* own, int before, long stride,
                                                       double* to) {
  Lanes sum[kColumns][2];
#pragma GCC unroll 8
  for (int c = 0; c < kColumns; ++c) {
    sum[c][0] = load(to + c * stride);
    sum[c][1] = load(to + c * stride + kLanes);
  }
  for (int k = 0; k < before; ++k) {
    const Lanes a = load(rows), b = load(rows + kLanes);
#pragma GCC unroll 8
    for (int c = 0; c < kColumns; ++c) {
      sum[c][0] -= a * own[c];
      sum[c][1] -= b * own[c];
    }
    rows += stride;
    own += stride;
  }
#pragma GCC unroll 8
  for (int c = 0; c < kColumns; ++c) {
    store(to + c * stride, sum[c][0]);
    store(to + c * stride + kLanes, sum[c][1]);
  }
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

bool factor(double* matrix, int order, long stride, int done) {
  for (int first = 0; first < order; first += kDensePanel) {
    double* panel = matrix + first * stride + first;
    const bool made = first < done;
    const int begin = made ? done : first;
    for (int i = begin; i < order; i += kTileRows)
      for (int c = 0; c < kDensePanel; c += kColumns)
        reduce_tile(matrix + i, matrix + first + c, first, stride, matrix + (first + c) * stride + i);
    double inverse_pivots[kDensePanel];
    if (made) {
      for (int c = 0; c < kDensePanel; ++c) inverse_pivots[c] = 1 / panel[c * stride + c];
    } else if (!factor_diagonal(panel, stride, inverse_pivots)) {
      return false;
    }
    for (int i = made ? done : first + kDensePanel; i < order; i += kLanes)
      finish_rows(panel, inverse_pivots, stride, matrix + first * stride + i);
  }
  return true;
}

// The sum over a column, in eight parts whatever the lanes.
double dot(const double* a, const double* b, int count) {
  constexpr int kParts = 8;
  Lanes sum[kParts / kLanes] = {};
  int i = 0;
  for (; i + kParts <= count; i += kParts)
#pragma GCC unroll 4
    for (int p = 0; p < kParts / kLanes; ++p) sum[p] += load(a + i + p * kLanes) * load(b + i + p * kLanes);
  double part[kParts];
  for (int p = 0; p < kParts / kLanes; ++p) store(part + p * kLanes, sum[p]);
  for (int p = 0; i < count; ++i, ++p) part[p] += a[i] * b[i];
  for (int half = kParts / 2; half > 0; half /= 2)
    for (int p = 0; p < half; ++p) part[p] += part[p + half];
  return part[0];
}

void solve(const double* L, int order, long stride, double* x) {
  for (int j = 0; j < order; ++j) {
    const double* column = L + j * stride;
    const double x_j = x[j] /= column[j];
    int i = j + 1;
    for (; i + kLanes <= order; i += kLanes) store(x + i, load(x + i) - load(column + i) * x_j);
    for (; i < order; ++i) x[i] -= column[i] * x_j;
  }
  for (int j = order - 1; j >= 0; --j) {
    const double* column = L + j * stride;
    x[j] = (x[j] - dot(column + j + 1, x + j + 1, order - j - 1)) / column[j];
  }
}

void add_column(const double* column, const double* factors, int count, long stride, double* w) {
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Lanes a = load(column + i);
#pragma GCC unroll 3
    for (int axis = 0; axis < 3; ++axis) store(w + axis * stride + i, load(w + axis * stride + i) + a * factors[axis]);
  }
  for (; i < count; ++i)
    for (int axis = 0; axis < 3; ++axis) w[axis * stride + i] += column[i] * factors[axis];
}

}  // namespace

const DenseKernel REBOUND_DENSE_KERNEL = {REBOUND_DENSE_KERNEL_NAME, factor, solve, add_column};

}  // namespace rebound::sim
