// Included once by each of lanczos_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_LANCZOS_KERNEL and its name defined.
// Of libraries it includes nothing: an inline function compiled here for a wide instruction set could otherwise be the
// copy that the linker keeps for the whole program.

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "sim/linear/lanczos_kernel.hpp"

namespace rebound::sim {
namespace {

using Four = double __attribute__((vector_size(32)));
using Eight = double __attribute__((vector_size(64)));

template <class Lanes>
inline __attribute__((always_inline)) Lanes read(const double* from) {
  Lanes lanes;
  __builtin_memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

template <class Lanes>
inline __attribute__((always_inline)) void write(const Lanes& lanes, double* to) {
  __builtin_memcpy(to, &lanes, sizeof(lanes));
}

// Row i of the product: a sum for each column of the blocks, then those of the first two and the third.
#if defined(__AVX512F__)
// Eight of a block's nine numbers at once for each vector, and its third column for both.
inline __attribute__((always_inline)) Eight row_of_product(const BlockRows& A, int i, const double* from) {
  const __m512i of_one = _mm512_set_epi64(2, 2, 1, 1, 1, 0, 0, 0), of_other = _mm512_set_epi64(6, 6, 5, 5, 5, 4, 4, 4);
  Eight one = {}, other = {}, third = {};
  for (int k = A.begin[i]; k < A.begin[i + 1]; ++k) {
    const double* block = A.values + 9L * k;
    const Eight x = read<Eight>(from + long{kPairStride} * A.column[k]);
    const Eight most = read<Eight>(block);
    one += most * Eight(_mm512_permutexvar_pd(of_one, x));
    other += most * Eight(_mm512_permutexvar_pd(of_other, x));
    third += Eight(_mm512_broadcast_f64x4(_mm256_loadu_pd(block + 6))) *
             __builtin_shufflevector(x, x, 2, 2, 2, 2, 6, 6, 6, 6);
  }
  const Eight first = __builtin_shufflevector(one, other, 0, 1, 2, 2, 8, 9, 10, 10);
  const Eight second = __builtin_shufflevector(one, other, 3, 4, 5, 5, 11, 12, 13, 13);
  return (first + second) + third;
}
#else
inline __attribute__((always_inline)) Eight row_of_product(const BlockRows& A, int i, const double* from) {
  Four one[3] = {}, other[3] = {};
  for (int k = A.begin[i]; k < A.begin[i + 1]; ++k) {
    const double* x = from + long{kPairStride} * A.column[k];
    for (int c = 0; c < 3; ++c) {
      const Four column = read<Four>(A.values + 9L * k + 3 * c);
      one[c] += column * x[c];
      other[c] += column * x[4 + c];
    }
  }
  return __builtin_shufflevector((one[0] + one[1]) + one[2], (other[0] + other[1]) + other[2], 0, 1, 2, 3, 4, 5, 6, 7);
}
#endif

inline __attribute__((always_inline)) double sum(const Eight& x) {
  return ((x[0] + x[1]) + x[2]) + ((x[4] + x[5]) + x[6]);
}

PairProducts multiply(const BlockRows& A, int first, int end, const double* from, double* to) {
  Eight wAw = {}, ww = {};
  for (int i = first; i < end; ++i) {
    const Eight row = __builtin_shufflevector(row_of_product(A, i, from), Eight{}, 0, 1, 2, 8, 4, 5, 6, 8);
    const Eight w = read<Eight>(from + long{kPairStride} * i);
    wAw += w * row;
    ww += w * w;
    write(row, to + long{kPairStride} * i);
  }
  return {sum(wAw), sum(ww)};
}

void recur(int first, int end, const LanczosTerms& terms, const double* z, const double* w, double* last) {
  for (long i = long{kPairStride} * first; i < long{kPairStride} * end; i += kPairStride)
    write(terms.scale * read<Eight>(z + i) - terms.along * read<Eight>(w + i) - terms.back * read<Eight>(last + i),
          last + i);
}

void keep(int first, int end, const double* pair, double* to) {
  const auto put = [](double one, double other, double* at) {
#if defined(__x86_64__)
    _mm_stream_pd(at, _mm_set_pd(other, one));
#else
    at[0] = one;
    at[1] = other;
#endif
  };
  for (int i = first; i < end; ++i) {
    const double* of = pair + long{kPairStride} * i;
    double* at = to + 6L * i;
    put(of[0], of[1], at);
    put(of[2], of[4], at + 2);
    put(of[5], of[6], at + 4);
  }
}

template <class Lanes>
inline __attribute__((always_inline)) void add_columns_at(const ColumnSums& sums, long i) {
  Lanes w[ColumnSums::kColumns];
  for (int k = 0; k < ColumnSums::kColumns; ++k) w[k] = read<Lanes>(sums.w[k] + i);
  for (int f = 0; f < ColumnSums::kSums; ++f) {
    Lanes y = read<Lanes>(sums.y[f] + i);
    for (int k = 0; k < ColumnSums::kColumns; ++k) y += sums.g[f][k] * w[k];
    write(y, sums.y[f] + i);
  }
}

void add_columns(const ColumnSums& sums, long first, long end) {
  for (; first + 8 <= end; first += 8) add_columns_at<Eight>(sums, first);
  for (; first < end; ++first) add_columns_at<double>(sums, first);
}

void chebyshev(const ChebyshevStep& step, int first, int end) {
  for (int i = (first + 7) / 8 * 8; i < end; i += 8) {
    const Eight now = read<Eight>(step.now + i);
    for (int k = 0; k < ChebyshevStep::kSums; ++k)
      write(read<Eight>(step.sums[k] + i) + step.c[k] * now, step.sums[k] + i);
    const Eight product = read<Eight>(step.diagonal + i) * now +
                          read<Eight>(step.beside + i) * read<Eight>(step.now + i - 1) +
                          read<Eight>(step.beside + i + 1) * read<Eight>(step.now + i + 1);
    write(2 * product - read<Eight>(step.before + i), step.before + i);
  }
}

}  // namespace

const LanczosKernel REBOUND_LANCZOS_KERNEL = {REBOUND_LANCZOS_KERNEL_NAME, multiply, recur, keep,
                                              add_columns, chebyshev};

}  // namespace rebound::sim
