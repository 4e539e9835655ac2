// Included once by each of hessian_multiply_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_HESSIAN_MULTIPLY_KERNEL and
// its name defined. Of libraries it includes nothing: an inline function compiled here for a wide instruction set could
// otherwise be the copy that the linker keeps for the whole program.

#include "sim/linear/hessian_multiply_kernel.hpp"

namespace rebound::sim {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 8, kMostVectors = 56;  // at a time: their sums for three coordinates stay in registers
#elif defined(__AVX2__)
constexpr int kLanes = 4, kMostVectors = 16;
#else
constexpr int kLanes = 2, kMostVectors = 8;
#endif
constexpr int kVectors = 8;  // there are a multiple of them
using Lanes = double __attribute__((vector_size(8 * kLanes)));

template <int kCount>
struct Row {
  static constexpr int kParts = kCount / kLanes;
  Lanes part[kParts];
};

// sums[k] += factors[k] x, of three rows at once: x is read but once.
template <int kCount>
inline __attribute__((always_inline)) void add(Row<kCount>* sums, const double* x, double a, double b, double c) {
#pragma GCC unroll 8
  for (int p = 0; p < Row<kCount>::kParts; ++p) {
    Lanes of;
    __builtin_memcpy(&of, x + p * kLanes, sizeof(of));
    sums[0].part[p] += a * of;
    sums[1].part[p] += b * of;
    sums[2].part[p] += c * of;
  }
}

// The three rows of vertex i of kCount vectors, whose rows are `stride` apart.
template <int kCount>
inline __attribute__((always_inline)) void multiply_vertex(const HessianRows& H, int i, long stride, const double* from,
                                                           double* to) {
  Row<kCount> sum[3] = {};
  const double* column[3];
  for (int c = 0; c < 3; ++c) column[c] = H.values + H.columns[3 * i + c];
  // Its own block, of which the lower half is there.
  const double* own = from + 3 * i * stride;
  add<kCount>(sum, own, column[0][0], column[0][1], column[0][2]);
  add<kCount>(sum, own + stride, column[0][1], column[1][0], column[1][1]);
  add<kCount>(sum, own + 2 * stride, column[0][2], column[1][1], column[2][0]);
  for (int c = 0; c < 3; ++c) column[c] += 3 - c;
  for (int k = H.begin[i] + 1; k < H.begin[i + 1]; ++k) {
    const double* x = from + 3L * H.rows[k] * stride;
#pragma GCC unroll 3
    for (int r = 0; r < 3; ++r) add<kCount>(sum, x + r * stride, column[0][r], column[1][r], column[2][r]);
    for (int c = 0; c < 3; ++c) column[c] += 3;
  }
  for (int place = H.left_begin[i]; place < H.left_begin[i + 1]; ++place) {
    const int j = H.left_column[place];
    const long below = 3L * (H.left_entry[place] - H.begin[j] - 1);
    const double* x = from + 3L * j * stride;
#pragma GCC unroll 3
    for (int c = 0; c < 3; ++c) {
      const double* block = H.values + H.columns[3 * j + c] + 3 - c + below;
      add<kCount>(sum, x + c * stride, block[0], block[1], block[2]);
    }
  }
  for (int r = 0; r < 3; ++r) __builtin_memcpy(to + (3L * i + r) * stride, sum[r].part, sizeof(sum[r]));
}

// The vectors [at, vectors) of vertex i, kCount at a time and then fewer.
template <int kCount>
inline __attribute__((always_inline)) void multiply_rest(const HessianRows& H, int i, int at, int vectors,
                                                         const double* from, double* to) {
  for (; vectors - at >= kCount; at += kCount) multiply_vertex<kCount>(H, i, vectors, from + at, to + at);
  if constexpr (kCount > kVectors) multiply_rest<kCount - kVectors>(H, i, at, vectors, from, to);
}

void multiply(const HessianRows& H, int first, int end, int vectors, const double* from, double* to) {
  for (int i = first; i < end; ++i) multiply_rest<kMostVectors>(H, i, 0, vectors, from, to);
}

// Three numbers, and one more that nobody looks at. All of H is followed by another number, but its very last.
using Four = double __attribute__((vector_size(32)));
inline __attribute__((always_inline)) void read_three(const double* p, Four& a) { __builtin_memcpy(&a, p, sizeof(a)); }

// Blocks below the diagonal are met by columns, whose numbers lie side by side: as rows of their transpose, whose lanes
// are added at the end, and left of it as they are.
void multiply_one(const HessianRows& H, int first, int end, int vertices, const double* from, double* to) {
  for (int i = first; i < end; ++i) {
    const double* column[3];
    for (int c = 0; c < 3; ++c) column[c] = H.values + H.columns[3 * i + c];
    const double* x = from + 3L * i;
    double sum[3] = {column[0][0] * x[0] + column[0][1] * x[1] + column[0][2] * x[2],
                     column[0][1] * x[0] + column[1][0] * x[1] + column[1][1] * x[2],
                     column[0][2] * x[0] + column[1][1] * x[1] + column[2][0] * x[2]};
    for (int c = 0; c < 3; ++c) column[c] += 3 - c;
    Four below[3] = {}, left[3] = {};
    for (int k = H.begin[i] + 1; k < H.begin[i + 1]; ++k) {
      const int j = H.rows[k];
      const double* other = from + 3L * j;
      Four y, block;
      if (j + 1 < vertices) {
        read_three(other, y);
      } else {
        y = Four{other[0], other[1], other[2], 0};
      }
#pragma GCC unroll 3
      for (int c = 0; c < 3; ++c) {
        read_three(column[c], block);
        below[c] += block * y;
        column[c] += 3;
      }
    }
    for (int place = H.left_begin[i]; place < H.left_begin[i + 1]; ++place) {
      const int j = H.left_column[place];
      const long under = 3L * (H.left_entry[place] - H.begin[j] - 1);
#pragma GCC unroll 3
      for (int c = 0; c < 3; ++c) {
        Four block;
        read_three(H.values + H.columns[3 * j + c] + 3 - c + under, block);
        left[c] += block * from[3L * j + c];
      }
    }
    for (int r = 0; r < 3; ++r)
      to[3L * i + r] = sum[r] + ((below[r][0] + below[r][1] + below[r][2]) + (left[0][r] + left[1][r] + left[2][r]));
  }
}

}  // namespace

const HessianMultiplyKernel REBOUND_HESSIAN_MULTIPLY_KERNEL = {REBOUND_HESSIAN_MULTIPLY_KERNEL_NAME, multiply, multiply_one};

}  // namespace rebound::sim
