// Included once by each of tall_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_TALL_KERNEL and its name defined. Of
// libraries it includes nothing: an inline function compiled here for a wide instruction set could otherwise be the
// copy that the linker keeps for the whole program.

#include "sim/linear/tall_kernel.hpp"

namespace rebound::sim {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 8;
constexpr int kOfA = 4, kOfB = 4;  // columns whose products are summed at a time, as registers allow
constexpr int kColumns = 8;  // of C at a time
constexpr int kVectors = 1;  // of their rows at a time, measured
#elif defined(__AVX2__)
constexpr int kLanes = 4;
constexpr int kOfA = 4, kOfB = 3;
constexpr int kColumns = 4;
constexpr int kVectors = 2;
#else
constexpr int kLanes = 2;
constexpr int kOfA = 4, kOfB = 3;
constexpr int kColumns = 4;
constexpr int kVectors = 2;
#endif
constexpr int kTileRows = kVectors * kLanes;
// Sums over rows are eight, whatever the registers: of the rows r, r + 8, r + 16, ...
constexpr int kSums = 8;

using Lanes = double __attribute__((vector_size(8 * kLanes)));

inline __attribute__((always_inline)) Lanes load(const double* p) {
  Lanes a;
  __builtin_memcpy(&a, p, sizeof(a));
  return a;
}
inline __attribute__((always_inline)) void store(double* p, Lanes a) { __builtin_memcpy(p, &a, sizeof(a)); }

inline double total(const double* s) { return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])); }

// kI columns of A with kJ columns of B.
template <int kI, int kJ>
inline __attribute__((always_inline)) void transposed_tile(int rows, double alpha, const double* A, long stride_A,
                                                           const double* B, long stride_B, double beta, double* C,
                                                           long stride_C) {
  double sums[kI][kJ][kSums];
  const int whole = rows - rows % kSums;
  // Registers hold the sums of one vector of rows; the others go the same way again.
  for (int part = 0; part < kSums; part += kLanes) {
    Lanes sum[kI][kJ] = {};
    for (int r = part; r < whole; r += kSums) {
      Lanes b[kJ];
#pragma GCC unroll 4
      for (int j = 0; j < kJ; ++j) b[j] = load(B + j * stride_B + r);
#pragma GCC unroll 4
      for (int i = 0; i < kI; ++i) {
        const Lanes a = load(A + i * stride_A + r);
#pragma GCC unroll 4
        for (int j = 0; j < kJ; ++j) sum[i][j] += a * b[j];
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < kI; ++i)
#pragma GCC unroll 4
      for (int j = 0; j < kJ; ++j) store(sums[i][j] + part, sum[i][j]);
  }
  for (int i = 0; i < kI; ++i)
    for (int j = 0; j < kJ; ++j) {
      double* of = sums[i][j];
      for (int r = whole; r < rows; ++r) of[r - whole] += A[i * stride_A + r] * B[j * stride_B + r];
      double& to = C[i + j * stride_C];
      to = beta == 0 ? alpha * total(of) : beta * to + alpha * total(of);
    }
}

template <int kI>
inline __attribute__((always_inline)) void transposed_rows(int rows, int n, double alpha, const double* A,
                                                           long stride_A, const double* B, long stride_B, double beta,
                                                           double* C, long stride_C) {
  int j = 0;
  for (; j + kOfB <= n; j += kOfB)
    transposed_tile<kI, kOfB>(rows, alpha, A, stride_A, B + j * stride_B, stride_B, beta, C + j * stride_C, stride_C);
  for (; j < n; ++j)
    transposed_tile<kI, 1>(rows, alpha, A, stride_A, B + j * stride_B, stride_B, beta, C + j * stride_C, stride_C);
}

void transposed(int rows, int m, int n, double alpha, const double* A, long stride_A, const double* B, long stride_B,
                double beta, double* C, long stride_C, bool lower) {
  const auto wanted = [&](int end) { return lower && end < n ? end : n; };
  int i = 0;
  for (; i + kOfA <= m; i += kOfA)
    transposed_rows<kOfA>(rows, wanted(i + kOfA), alpha, A + i * stride_A, stride_A, B, stride_B, beta, C + i,
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
constexpr int kNear = 8 * kLanes;

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
