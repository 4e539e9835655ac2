// Included once by each of panel_solve_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_PANEL_SOLVE_KERNEL and its name
// defined. Of libraries it includes nothing: an inline function compiled here for a wide instruction set could otherwise
// be the copy that the linker keeps for the whole program.

#include "sim/linear/panel_solve_kernel.hpp"

namespace rebound::sim {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 8, kSums = 16;
#elif defined(__AVX2__)
constexpr int kLanes = 4, kSums = 8;
#else
constexpr int kLanes = 2, kSums = 8;
#endif
using Lanes = double __attribute__((vector_size(8 * kLanes)));

template <int kColumns>
struct Row {
  static constexpr int kParts = kColumns / kLanes;
  Lanes part[kParts];
};

template <int kColumns>
inline __attribute__((always_inline)) Row<kColumns> row_at(const double* panel, int i) {
  Row<kColumns> a;
#pragma GCC unroll 8
  for (int p = 0; p < a.kParts; ++p)
    __builtin_memcpy(&a.part[p], panel + static_cast<long>(kColumns) * i + p * kLanes, sizeof(Lanes));
  return a;
}
template <int kColumns>
inline __attribute__((always_inline)) void set_row(double* panel, int i, const Row<kColumns>& a) {
#pragma GCC unroll 8
  for (int p = 0; p < a.kParts; ++p)
    __builtin_memcpy(panel + static_cast<long>(kColumns) * i + p * kLanes, &a.part[p], sizeof(Lanes));
}
// to -= factor x
template <int kColumns>
inline __attribute__((always_inline)) void subtract(Row<kColumns>& to, double factor, const Row<kColumns>& x) {
#pragma GCC unroll 8
  for (int p = 0; p < x.kParts; ++p) to.part[p] -= factor * x.part[p];
}
template <int kColumns>
inline __attribute__((always_inline)) void scale(Row<kColumns>& x, double by) {
#pragma GCC unroll 8
  for (int p = 0; p < x.kParts; ++p) x.part[p] *= by;
}

template <int kCount>
struct Count {};
// visit(Count, first) of tiles that cover [begin, end), the large ones first. A row alone would wait for each of its own
// sums.
template <int kTileRows, class Visit>
inline __attribute__((always_inline)) void in_tiles(int begin, int end, const Visit& visit) {
  for (; begin + kTileRows <= end; begin += kTileRows) visit(Count<kTileRows>(), begin);
  if constexpr (kTileRows > 1) in_tiles<kTileRows / 2>(begin, end, visit);
}
// The same from the end.
template <int kTileRows, class Visit>
inline __attribute__((always_inline)) void in_tiles_from_end(int end, const Visit& visit) {
  for (; end >= kTileRows; end -= kTileRows) visit(Count<kTileRows>(), end - kTileRows);
  if constexpr (kTileRows > 1) in_tiles_from_end<kTileRows / 2>(end, visit);
}

// The rows c ... c + kCount of a supernode itself, once those before are known.
template <int kColumns, int kCount>
inline __attribute__((always_inline)) void solve_rows(const double* A, long height, double* own, int c) {
  Row<kColumns> sum[kCount];
#pragma GCC unroll 8
  for (int k = 0; k < kCount; ++k) sum[k] = row_at<kColumns>(own, c + k);
  for (int d = 0; d < c; ++d) {
    const double* entries = A + d * height + c;
    const Row<kColumns> x = row_at<kColumns>(own, d);
#pragma GCC unroll 8
    for (int k = 0; k < kCount; ++k) subtract(sum[k], entries[k], x);
  }
#pragma GCC unroll 8
  for (int k = 0; k < kCount; ++k) {
#pragma GCC unroll 8
    for (int m = 0; m < k; ++m) subtract(sum[k], A[(c + m) * height + c + k], sum[m]);
    scale(sum[k], 1 / A[(c + k) * height + c + k]);
    set_row(own, c + k, sum[k]);
  }
}

// Takes from the rows r ... r + kCount of a supernode what its columns [0, width) take.
template <int kColumns, int kCount>
inline __attribute__((always_inline)) void subtract_from_rows(const double* A, long height, int width,
                                                              const double* own, const int* rows, int r,
                                                              double* panel) {
  Row<kColumns> sum[kCount];
#pragma GCC unroll 8
  for (int k = 0; k < kCount; ++k) sum[k] = row_at<kColumns>(panel, rows[r + k]);
  for (int c = 0; c < width; ++c) {
    const double* entries = A + c * height + r;
    const Row<kColumns> x = row_at<kColumns>(own, c);
#pragma GCC unroll 8
    for (int k = 0; k < kCount; ++k) subtract(sum[k], entries[k], x);
  }
#pragma GCC unroll 8
  for (int k = 0; k < kCount; ++k) set_row(panel, rows[r + k], sum[k]);
}

// The columns c ... c + kCount of a supernode, once its later ones and all below are known.
template <int kColumns, int kCount>
inline __attribute__((always_inline)) void solve_columns(const double* A, long height, int width, double* own,
                                                         const int* rows, int c, const double* panel) {
  Row<kColumns> sum[kCount];
  const double* columns[kCount];
#pragma GCC unroll 8
  for (int k = 0; k < kCount; ++k) {
    sum[k] = row_at<kColumns>(own, c + k);
    columns[k] = A + (c + k) * height;
  }
  // Rows below first, then the own ones from the last: so the order is the same whatever kCount is.
  for (int r = width; r < static_cast<int>(height); ++r) {
    const Row<kColumns> x = row_at<kColumns>(panel, rows[r]);
#pragma GCC unroll 8
    for (int k = 0; k < kCount; ++k) subtract(sum[k], columns[k][r], x);
  }
  for (int r = width - 1; r >= c + kCount; --r) {
    const Row<kColumns> x = row_at<kColumns>(own, r);
#pragma GCC unroll 8
    for (int k = 0; k < kCount; ++k) subtract(sum[k], columns[k][r], x);
  }
#pragma GCC unroll 8
  for (int k = kCount - 1; k >= 0; --k) {
#pragma GCC unroll 8
    for (int m = kCount - 1; m > k; --m) subtract(sum[k], columns[k][c + m], sum[m]);
    scale(sum[k], 1 / columns[k][c + k]);
    set_row(own, c + k, sum[k]);
  }
}

// Rows or columns of L at a time, whose sums stay in registers; no sum's order depends on it.
constexpr int tile_rows(int columns) {
  int rows = 8;
  while (rows > 1 && rows * columns / kLanes > kSums) rows /= 2;
  return rows;
}

template <int kColumns>
void solve_panel(const SupernodalFactor& L, double* panel) {
  constexpr int kTileRows = tile_rows(kColumns);
  for (int s = 0; s < L.supernodes; ++s) {
    const int first = L.first_column[s], width = L.first_column[s + 1] - first;
    const int* rows = L.rows + L.rows_begin[s];
    const int height = L.rows_begin[s + 1] - L.rows_begin[s];
    const double* A = L.values + L.values_begin[s];
    double* own = panel + static_cast<long>(kColumns) * first;
    in_tiles<kTileRows>(0, width, [&]<int kCount>(Count<kCount>, int c) __attribute__((always_inline)) {
      solve_rows<kColumns, kCount>(A, height, own, c);
    });
    in_tiles<kTileRows>(width, height, [&]<int kCount>(Count<kCount>, int r) __attribute__((always_inline)) {
      subtract_from_rows<kColumns, kCount>(A, height, width, own, rows, r, panel);
    });
  }
  for (int s = L.supernodes - 1; s >= 0; --s) {
    const int first = L.first_column[s], width = L.first_column[s + 1] - first;
    const int* rows = L.rows + L.rows_begin[s];
    const int height = L.rows_begin[s + 1] - L.rows_begin[s];
    const double* A = L.values + L.values_begin[s];
    double* own = panel + static_cast<long>(kColumns) * first;
    in_tiles_from_end<kTileRows>(width, [&]<int kCount>(Count<kCount>, int c) __attribute__((always_inline)) {
      solve_columns<kColumns, kCount>(A, height, width, own, rows, c, panel);
    });
  }
}

template <int kColumns>
void solve(const SupernodalFactor& L, double* panel, int columns) {
  if (columns == kColumns) return solve_panel<kColumns>(L, panel);
  if constexpr (kColumns < kMostPanelColumns) solve<kColumns + kPanelColumns>(L, panel, columns);
}

}  // namespace

const PanelSolveKernel REBOUND_PANEL_SOLVE_KERNEL = {REBOUND_PANEL_SOLVE_KERNEL_NAME, solve<kPanelColumns>};

}  // namespace rebound::sim
