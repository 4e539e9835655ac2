// Included once by each of lanczos_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_LANCZOS_KERNEL and its name defined.
// Of libraries it includes nothing: an inline function compiled here for a wide instruction set could otherwise be the
// copy that the linker keeps for the whole program.

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

inline __attribute__((always_inline)) void write(const Eight& lanes, double* to) {
  __builtin_memcpy(to, &lanes, sizeof(lanes));
}

// Both vectors of a vertex, and the share that one column of a block has in their products.
#if defined(__AVX512F__)
struct PairSum {
  Eight sum;

  template <int c>
  inline __attribute__((always_inline)) void add(Four column, const double* x) {
    const Eight of = read<Eight>(x);
    sum += __builtin_shufflevector(column, column, 0, 1, 2, 3, 0, 1, 2, 3) *
           __builtin_shufflevector(of, of, c, c, c, c, 4 + c, 4 + c, 4 + c, 4 + c);
  }
};
#else
struct PairSum {
  Four sum[2];

  template <int c>
  inline __attribute__((always_inline)) void add(Four column, const double* x) {
    sum[0] += column * x[c];
    sum[1] += column * x[4 + c];
  }
};
#endif

// A sum for each column of the blocks: three that do not wait for each other.
void multiply(const BlockRows& A, int first, int end, const double* from, double* to) {
  for (int i = first; i < end; ++i) {
    PairSum a = {}, b = {}, c = {};
    for (int k = A.begin[i]; k < A.begin[i + 1]; ++k) {
      const double* x = from + long{kPairStride} * A.column[k];
      Four column[3];
      for (int of = 0; of < 3; ++of) column[of] = read<Four>(A.values + 9L * k + 3 * of);
      a.add<0>(column[0], x);
      b.add<1>(column[1], x);
      c.add<2>(column[2], x);
    }
    double sums[3][kPairStride];
    __builtin_memcpy(sums[0], &a.sum, sizeof(sums[0]));
    __builtin_memcpy(sums[1], &b.sum, sizeof(sums[0]));
    __builtin_memcpy(sums[2], &c.sum, sizeof(sums[0]));
    double* product = to + long{kPairStride} * i;
    for (int lane = 0; lane < kPairStride; ++lane)
      product[lane] = lane % 4 == 3 ? 0 : (sums[0][lane] + sums[1][lane]) + sums[2][lane];
  }
}

inline __attribute__((always_inline)) double sum(const Eight& x) {
  return ((x[0] + x[1]) + x[2]) + ((x[4] + x[5]) + x[6]);
}

double subtract_last(int first, int end, double scale, double back, const double* before, const double* w, double* z) {
  Eight dot = {};
  for (long i = long{kPairStride} * first; i < long{kPairStride} * end; i += kPairStride) {
    const Eight next = scale * read<Eight>(z + i) - back * read<Eight>(before + i);
    dot += read<Eight>(w + i) * next;
    write(next, z + i);
  }
  return sum(dot);
}

double subtract_own(int first, int end, double along, const double* w, const double* z, double* next) {
  Eight squares = {};
  for (long i = long{kPairStride} * first; i < long{kPairStride} * end; i += kPairStride) {
    const Eight at = read<Eight>(z + i) - along * read<Eight>(w + i);
    squares += at * at;
    write(at, next + i);
  }
  return sum(squares);
}

// Four numbers at a time, of which the next vertex writes over the last; but what comes after the last is not ours.
void part(int first, int end, const double* pair, double* one, double* other) {
  for (int i = first; i < end; ++i) {
    const double* of = pair + long{kPairStride} * i;
    const Four a = read<Four>(of), b = read<Four>(of + 4);
    if (i + 1 < end) {
      __builtin_memcpy(one + 3L * i, &a, 32);
      __builtin_memcpy(other + 3L * i, &b, 32);
    } else {
      __builtin_memcpy(one + 3L * i, &a, 24);
      __builtin_memcpy(other + 3L * i, &b, 24);
    }
  }
}

void chebyshev(const ChebyshevStep& step, int first, int end) {
  for (int i = (first + 7) / 8 * 8; i < end; i += 8) {
    const Eight now = read<Eight>(step.now + i);
    for (int k = 0; k < ChebyshevStep::kSums; ++k) write(read<Eight>(step.sums[k] + i) + step.c[k] * now, step.sums[k] + i);
    const Eight product = read<Eight>(step.diagonal + i) * now + read<Eight>(step.beside + i) * read<Eight>(step.now + i - 1) +
                          read<Eight>(step.beside + i + 1) * read<Eight>(step.now + i + 1);
    write(2 * product - read<Eight>(step.before + i), step.before + i);
  }
}

}  // namespace

const LanczosKernel REBOUND_LANCZOS_KERNEL = {REBOUND_LANCZOS_KERNEL_NAME, multiply, subtract_last, subtract_own, part,
                                              chebyshev};

}  // namespace rebound::sim
