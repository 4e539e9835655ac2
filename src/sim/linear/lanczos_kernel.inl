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

// Keeps what was read in a register: the compiler would read it again for each use, and reads are what is short here.
inline __attribute__((always_inline)) void hold(Four& lanes) {
#if defined(__AVX__)
  asm("" : "+x"(lanes));
#else
  (void)lanes;
#endif
}

// A row's three numbers and a zero, from its three sums, which stand in the first three lanes of each.
inline __attribute__((always_inline)) Four across(const Four (&sums)[3]) {
  const Four even = __builtin_shufflevector(sums[0], sums[1], 0, 4, 2, 6);
  const Four odd = __builtin_shufflevector(sums[0], sums[1], 1, 5, 3, 7);
  const Four last_even = __builtin_shufflevector(sums[2], Four{}, 0, 4, 2, 6);
  const Four last_odd = __builtin_shufflevector(sums[2], Four{}, 1, 5, 3, 7);
  return (__builtin_shufflevector(even, last_even, 0, 1, 4, 5) + __builtin_shufflevector(odd, last_odd, 0, 1, 4, 5)) +
         __builtin_shufflevector(even, last_even, 2, 3, 6, 7);
}

// In registers of four on every processor: three rows for two vectors are six sums, as many as it takes until a sum is
// ready for its next number. Three sums of eight wait for each other.
PairProducts multiply(const BlockRows& A, int first, int end, const double* from, double* to) {
  Four wAw[2] = {}, ww[2] = {};
  const double* block = A.values + 9L * A.begin[first];
  long k = A.begin[first];
  for (int i = first; i < end; ++i) {
    Four sums[2][3] = {};
    for (const long last = A.begin[i + 1]; k < last; ++k, block += 9) {
      const double* x = from + A.meets[k];
      const Four one = read<Four>(x), other = read<Four>(x + kOtherOfPair);
      for (int r = 0; r < 3; ++r) {
        Four row = read<Four>(block + 3 * r);
        hold(row);
        sums[0][r] += row * one;
        sums[1][r] += row * other;
      }
    }
    for (int of = 0; of < 2; ++of) {
      const long at = long{kPairStride} * i + kOtherOfPair * of;
      const Four w = read<Four>(from + at), product = across(sums[of]);
      wAw[of] += w * product;
      ww[of] += w * w;
      write(product, to + at);
    }
  }
  const auto sum = [](const Four& x) { return (x[0] + x[1]) + x[2]; };
  return {sum(wAw[0]) + sum(wAw[1]), sum(ww[0]) + sum(ww[1])};
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

// What the rows before these have, and those behind.
inline __attribute__((always_inline)) Eight one_back(const Eight& last, const Eight& lanes) {
  return __builtin_shufflevector(last, lanes, 7, 8, 9, 10, 11, 12, 13, 14);
}
inline __attribute__((always_inline)) Eight one_on(const Eight& lanes, const Eight& next) {
  return __builtin_shufflevector(lanes, next, 1, 2, 3, 4, 5, 6, 7, 8);
}

// Eight rows of a tridiagonal matrix and of a vector, with those about them.
struct EightRows {
  Eight diagonal, beside, beside_next, x_last, x, x_next;
  inline __attribute__((always_inline)) Eight product() const {
    return diagonal * x + beside * one_back(x_last, x) + one_on(beside, beside_next) * one_on(x, x_next);
  }
};

// The second term follows the first one eight rows behind, on what is in registers: each number is read once for both.
void chebyshev(const ChebyshevPair& of, int first, int end) {
  const int rows = (of.rows + 7) / 8 * 8;
  const auto at = [rows](const double* from, int i) { return i >= -8 && i < rows ? read<Eight>(from + i) : Eight{}; };
  int i = first < 0 ? 0 : first;
  Eight next_last = at(of.before, i - 16), next = at(of.before, i - 8);
  Eight now_last = at(of.now, i - 8), now = at(of.now, i);
  Eight diagonal_last = at(of.diagonal, i - 8), beside_last = at(of.beside, i - 8), beside = at(of.beside, i);
  for (; i < end && i < rows + 8; i += 8) {
    const Eight now_on = at(of.now, i + 8), beside_on = at(of.beside, i + 8), diagonal = at(of.diagonal, i);
    Eight next_on = {};
    if (i < rows) {
      next_on = 2 * EightRows{diagonal, beside, beside_on, now_last, now, now_on}.product() - read<Eight>(of.before + i);
      write(next_on, of.before + i);
      for (int k = 0; k < ChebyshevPair::kSums; ++k)
        write(read<Eight>(of.sums[k] + i) + of.c[0][k] * now + of.c[1][k] * next_on, of.sums[k] + i);
    }
    if (i >= 8)
      write(2 * EightRows{diagonal_last, beside_last, beside, next_last, next, next_on}.product() - now_last,
            of.now + i - 8);
    next_last = next;
    next = next_on;
    now_last = now;
    now = now_on;
    diagonal_last = diagonal;
    beside_last = beside;
    beside = beside_on;
  }
}

}  // namespace

const LanczosKernel REBOUND_LANCZOS_KERNEL = {REBOUND_LANCZOS_KERNEL_NAME, multiply, recur, keep,
                                              add_columns, chebyshev};

}  // namespace rebound::sim
