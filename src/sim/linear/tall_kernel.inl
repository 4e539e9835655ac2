// Included once by each of tall_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_TALL_KERNEL and its name defined. Of
// libraries it includes nothing: an inline function compiled here for a wide instruction set could otherwise be the
// copy that the linker keeps for the whole program.

#include "sim/linear/tall_kernel.hpp"

namespace rebound::sim {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 8;
constexpr int kAlong = 4;    // columns of A, and of B, whose products are summed at a time, as registers allow
constexpr int kColumns = 8;  // of C at a time
#elif defined(__AVX2__)
constexpr int kLanes = 4;
constexpr int kAlong = 2;
constexpr int kColumns = 4;
#else
constexpr int kLanes = 2;
constexpr int kAlong = 1;
constexpr int kColumns = 4;
#endif
constexpr int kVectors = 2;
constexpr int kTileRows = kVectors * kLanes;
// Sums over rows are eight, whatever the registers: of the rows r, r + 8, r + 16, ...
constexpr int kSums = 8, kParts = kSums / kLanes;

using Lanes = double __attribute__((vector_size(8 * kLanes)));

struct Rows {
  Lanes part[kParts];
};

inline __attribute__((always_inline)) Lanes load(const double* p) {
  Lanes a;
  __builtin_memcpy(&a, p, sizeof(a));
  return a;
}
inline __attribute__((always_inline)) void store(double* p, Lanes a) { __builtin_memcpy(p, &a, sizeof(a)); }

inline __attribute__((always_inline)) Rows rows_at(const double* p) {
  Rows a;
#pragma GCC unroll 4
  for (int i = 0; i < kParts; ++i) a.part[i] = load(p + i * kLanes);
  return a;
}
// The last rows, fewer than there are sums; the others 0.
inline Rows last_rows(const double* p, int count) {
  double padded[kSums] = {};
  for (int i = 0; i < count; ++i) padded[i] = p[i];
  return rows_at(padded);
}

inline double total(const Rows& sums) {
  double s[kSums];
  for (int i = 0; i < kParts; ++i) store(s + i * kLanes, sums.part[i]);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

template <int kOfA, int kOfB>
inline __attribute__((always_inline)) void transposed_tile(int rows, double alpha, const double* A, long stride_A,
                                                           const double* B, long stride_B, double beta, double* C,
                                                           long stride_C) {
  Rows sum[kOfA][kOfB] = {};
  int r = 0;
  for (; r + kSums <= rows; r += kSums) {
    Rows a[kOfA], b[kOfB];
#pragma GCC unroll 4
    for (int i = 0; i < kOfA; ++i) a[i] = rows_at(A + i * stride_A + r);
#pragma GCC unroll 4
    for (int j = 0; j < kOfB; ++j) b[j] = rows_at(B + j * stride_B + r);
#pragma GCC unroll 4
    for (int i = 0; i < kOfA; ++i)
#pragma GCC unroll 4
      for (int j = 0; j < kOfB; ++j)
#pragma GCC unroll 4
        for (int p = 0; p < kParts; ++p) sum[i][j].part[p] += a[i].part[p] * b[j].part[p];
  }
  for (int i = 0; i < kOfA; ++i)
    for (int j = 0; j < kOfB; ++j) {
      Rows& of = sum[i][j];
      if (r < rows) {
        const Rows a = last_rows(A + i * stride_A + r, rows - r), b = last_rows(B + j * stride_B + r, rows - r);
        for (int p = 0; p < kParts; ++p) of.part[p] += a.part[p] * b.part[p];
      }
      double& to = C[i + j * stride_C];
      to = beta == 0 ? alpha * total(of) : beta * to + alpha * total(of);
    }
}

template <int kOfA>
inline __attribute__((always_inline)) void transposed_rows(int rows, int n, double alpha, const double* A,
                                                           long stride_A, const double* B, long stride_B, double beta,
                                                           double* C, long stride_C) {
  int j = 0;
  for (; j + kAlong <= n; j += kAlong)
    transposed_tile<kOfA, kAlong>(rows, alpha, A, stride_A, B + j * stride_B, stride_B, beta, C + j * stride_C,
                                  stride_C);
  for (; j < n; ++j)
    transposed_tile<kOfA, 1>(rows, alpha, A, stride_A, B + j * stride_B, stride_B, beta, C + j * stride_C, stride_C);
}

void transposed(int rows, int m, int n, double alpha, const double* A, long stride_A, const double* B, long stride_B,
                double beta, double* C, long stride_C, bool lower) {
  const auto wanted = [&](int end) { return lower && end < n ? end : n; };
  int i = 0;
  for (; i + kAlong <= m; i += kAlong)
    transposed_rows<kAlong>(rows, wanted(i + kAlong), alpha, A + i * stride_A, stride_A, B, stride_B, beta, C + i,
                            stride_C);
  for (; i < m; ++i)
    transposed_rows<1>(rows, wanted(i + 1), alpha, A + i * stride_A, stride_A, B, stride_B, beta, C + i, stride_C);
}

template <int kRows, int kCount>
inline __attribute__((always_inline)) void multiply_tile(int inner, double alpha, const double* A, long stride_A,
                                                         const double* B, long stride_B, double beta, double* C,
                                                         long stride_C) {
  Lanes sum[kCount][kRows] = {};
  for (int k = 0; k < inner; ++k) {
    Lanes a[kRows];
#pragma GCC unroll 2
    for (int v = 0; v < kRows; ++v) a[v] = load(A + v * kLanes);
#pragma GCC unroll 8
    for (int c = 0; c < kCount; ++c)
#pragma GCC unroll 2
      for (int v = 0; v < kRows; ++v) sum[c][v] += a[v] * B[c * stride_B + k];
    A += stride_A;
  }
#pragma GCC unroll 8
  for (int c = 0; c < kCount; ++c)
#pragma GCC unroll 2
    for (int v = 0; v < kRows; ++v) {
      double* to = C + c * stride_C + v * kLanes;
      store(to, beta == 0 ? alpha * sum[c][v] : beta * load(to) + alpha * sum[c][v]);
    }
}

template <int kCount>
inline __attribute__((always_inline)) void multiply_columns(int rows, int inner, double alpha, const double* A,
                                                            long stride_A, const double* B, long stride_B, double beta,
                                                            double* C, long stride_C) {
  int i = 0;
  for (; i + kTileRows <= rows; i += kTileRows)
    multiply_tile<kVectors, kCount>(inner, alpha, A + i, stride_A, B, stride_B, beta, C + i, stride_C);
  for (; i + kLanes <= rows; i += kLanes)
    multiply_tile<1, kCount>(inner, alpha, A + i, stride_A, B, stride_B, beta, C + i, stride_C);
  for (; i < rows; ++i)
    for (int c = 0; c < kCount; ++c) {
      double sum = 0;
      for (int k = 0; k < inner; ++k) sum += A[k * stride_A + i] * B[c * stride_B + k];
      double& to = C[c * stride_C + i];
      to = beta == 0 ? alpha * sum : beta * to + alpha * sum;
    }
}

// Some rows of A at a time stay near, for all columns of C.
constexpr int kNear = 4 * kTileRows;

void multiply(int rows, int columns, int inner, double alpha, const double* A, long stride_A, const double* B,
              long stride_B, double beta, double* C, long stride_C) {
  for (int first = 0; first < rows; first += kNear) {
    const int count = rows - first < kNear ? rows - first : kNear;
    int c = 0;
    for (; c + kColumns <= columns; c += kColumns)
      multiply_columns<kColumns>(count, inner, alpha, A + first, stride_A, B + c * stride_B, stride_B, beta,
                                 C + first + c * stride_C, stride_C);
    for (; c < columns; ++c)
      multiply_columns<1>(count, inner, alpha, A + first, stride_A, B + c * stride_B, stride_B, beta,
                          C + first + c * stride_C, stride_C);
  }
}

}  // namespace

const TallKernel REBOUND_TALL_KERNEL = {REBOUND_TALL_KERNEL_NAME, transposed, multiply};

}  // namespace rebound::sim
