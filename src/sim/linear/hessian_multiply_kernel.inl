// Included once by each of hessian_multiply_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_HESSIAN_MULTIPLY_KERNEL and
// its name defined. Of libraries it includes nothing: an inline function compiled here for a wide instruction set could
// otherwise be the copy that the linker keeps for the whole program.

#include "sim/linear/hessian_multiply_kernel.hpp"

namespace rebound::sim {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 8;
#elif defined(__AVX2__)
constexpr int kLanes = 4;
#else
constexpr int kLanes = 2;
#endif
constexpr int kVectors = 8, kParts = kVectors / kLanes;
using Lanes = double __attribute__((vector_size(8 * kLanes)));

struct Row {
  Lanes part[kParts];
};

inline __attribute__((always_inline)) Row row_at(const double* from, long coordinate) {
  Row a;
#pragma GCC unroll 4
  for (int p = 0; p < kParts; ++p)
    __builtin_memcpy(&a.part[p], from + kVectors * coordinate + p * kLanes, sizeof(Lanes));
  return a;
}
// sum += factor x
inline __attribute__((always_inline)) void add(Row& sum, double factor, const Row& x) {
#pragma GCC unroll 4
  for (int p = 0; p < kParts; ++p) sum.part[p] += factor * x.part[p];
}

void multiply(const HessianRows& H, int first, int end, const double* from, double* to) {
  for (int i = first; i < end; ++i) {
    Row sum[3] = {};
    const double* column[3];
    for (int c = 0; c < 3; ++c) column[c] = H.values + H.columns[3 * i + c];
    for (int c = 0; c < 3; ++c) {  // its own block, of which the lower half is there
      const Row x = row_at(from, 3L * i + c);
      for (int r = 0; r < 3; ++r) add(sum[r], r >= c ? column[c][r - c] : column[r][c - r], x);
    }
    for (int c = 0; c < 3; ++c) column[c] += 3 - c;
    for (int k = H.begin[i] + 1; k < H.begin[i + 1]; ++k) {
      const long row = 3L * H.rows[k];
#pragma GCC unroll 3
      for (int r = 0; r < 3; ++r) {
        const Row x = row_at(from, row + r);
#pragma GCC unroll 3
        for (int c = 0; c < 3; ++c) add(sum[c], column[c][r], x);
      }
#pragma GCC unroll 3
      for (int c = 0; c < 3; ++c) column[c] += 3;
    }
    for (int place = H.left_begin[i]; place < H.left_begin[i + 1]; ++place) {
      const int j = H.left_column[place];
      const long below = 3L * (H.left_entry[place] - H.begin[j] - 1);
#pragma GCC unroll 3
      for (int c = 0; c < 3; ++c) {
        const double* block = H.values + H.columns[3 * j + c] + 3 - c + below;
        const Row x = row_at(from, 3L * j + c);
#pragma GCC unroll 3
        for (int r = 0; r < 3; ++r) add(sum[r], block[r], x);
      }
    }
    __builtin_memcpy(to + 3L * kVectors * i, sum, sizeof(sum));
  }
}

}  // namespace

const HessianMultiplyKernel REBOUND_HESSIAN_MULTIPLY_KERNEL = {REBOUND_HESSIAN_MULTIPLY_KERNEL_NAME, multiply};

}  // namespace rebound::sim
