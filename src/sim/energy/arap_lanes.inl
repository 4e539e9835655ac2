// One register of doubles and what the ARAP kernel does with it, for the instruction set that the including file is
// compiled for. A group of kLanes tetrahedra stands in kRegisters of them. Included by arap_kernel.inl alone.

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace rebound::sim {
namespace {

#define REBOUND_INLINE inline __attribute__((always_inline))
#define REBOUND_LAMBDA __attribute__((always_inline))

#if defined(__AVX512F__)
constexpr int kWidth = 8;
#elif defined(__AVX2__)
constexpr int kWidth = 4;
#else
constexpr int kWidth = 2;
#endif
constexpr int kRegisters = kLanes / kWidth;

using Lanes = double __attribute__((vector_size(kWidth * sizeof(double)), may_alias));
using Mask = long __attribute__((vector_size(kWidth * sizeof(long))));
using Pair = double __attribute__((vector_size(2 * sizeof(double)), may_alias, aligned(8)));

// Each set has:
//   square_root(a)
//   all(mask)
//   gather(x, v, to)           components x, y, z of vertices v[0] ... v[kWidth - 1], 3 doubles a vertex
//   store_by_lane(f, to)       twelve numbers a lane, lane after lane
#if defined(__AVX2__)

// Rows p0 ... p3 of x, y, z -> x, y, z of four. No row is read beyond its end.
REBOUND_INLINE void gather_four(const double* x, const int* v, __m256d* to) {
  const auto row = [&](int i) REBOUND_LAMBDA { return x + 3 * static_cast<long>(v[i]); };
  const auto two = [&](int i, int j) REBOUND_LAMBDA {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(row(i))), _mm_loadu_pd(row(j)), 1);
  };
  const auto last = [&](int i) REBOUND_LAMBDA { return _mm_loadh_pd(_mm_load_sd(row(i) + 2), row(i + 1) + 2); };
  const __m256d even = two(0, 2), odd = two(1, 3);
  to[0] = _mm256_unpacklo_pd(even, odd);
  to[1] = _mm256_unpackhi_pd(even, odd);
  to[2] = _mm256_insertf128_pd(_mm256_castpd128_pd256(last(0)), last(2), 1);
}

// Four numbers of four lanes, to rows that lie twelve apart.
REBOUND_INLINE void store_four(__m256d a, __m256d b, __m256d c, __m256d d, double* to) {
  const __m256d ab_even = _mm256_unpacklo_pd(a, b), ab_odd = _mm256_unpackhi_pd(a, b);
  const __m256d cd_even = _mm256_unpacklo_pd(c, d), cd_odd = _mm256_unpackhi_pd(c, d);
  _mm256_storeu_pd(to, _mm256_permute2f128_pd(ab_even, cd_even, 0x20));
  _mm256_storeu_pd(to + 12, _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20));
  _mm256_storeu_pd(to + 24, _mm256_permute2f128_pd(ab_even, cd_even, 0x31));
  _mm256_storeu_pd(to + 36, _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31));
}

#endif

#if defined(__AVX512F__)

REBOUND_INLINE Lanes square_root(Lanes a) { return _mm512_sqrt_pd(a); }
REBOUND_INLINE bool all(Mask a) { return _mm512_movepi64_mask(reinterpret_cast<__m512i>(a)) == 0xff; }
REBOUND_INLINE void gather(const double* x, const int* v, Lanes* to) {
  __m256d low[3], high[3];
  gather_four(x, v, low);
  gather_four(x, v + 4, high);
  for (int c = 0; c < 3; ++c) to[c] = _mm512_insertf64x4(_mm512_castpd256_pd512(low[c]), high[c], 1);
}
REBOUND_INLINE void store_by_lane(const Lanes* f, double* to) {
  for (int i = 0; i < 12; i += 4) {
    const auto half = [&]<int k>(const Lanes& a) REBOUND_LAMBDA { return _mm512_extractf64x4_pd(a, k); };
    store_four(half.template operator()<0>(f[i]), half.template operator()<0>(f[i + 1]),
               half.template operator()<0>(f[i + 2]), half.template operator()<0>(f[i + 3]), to + i);
    store_four(half.template operator()<1>(f[i]), half.template operator()<1>(f[i + 1]),
               half.template operator()<1>(f[i + 2]), half.template operator()<1>(f[i + 3]), to + 48 + i);
  }
}

#elif defined(__AVX2__)

REBOUND_INLINE Lanes square_root(Lanes a) { return _mm256_sqrt_pd(a); }
REBOUND_INLINE bool all(Mask a) { return _mm256_movemask_pd(reinterpret_cast<__m256d>(a)) == 0xf; }
REBOUND_INLINE void gather(const double* x, const int* v, Lanes* to) {
  __m256d rows[3];
  gather_four(x, v, rows);
  for (int c = 0; c < 3; ++c) to[c] = rows[c];
}
REBOUND_INLINE void store_by_lane(const Lanes* f, double* to) {
  for (int i = 0; i < 12; i += 4) store_four(f[i], f[i + 1], f[i + 2], f[i + 3], to + i);
}

#else

REBOUND_INLINE Lanes square_root(Lanes a) { return Lanes{__builtin_sqrt(a[0]), __builtin_sqrt(a[1])}; }
REBOUND_INLINE bool all(Mask a) { return (a[0] & a[1]) != 0; }
REBOUND_INLINE void gather(const double* x, const int* v, Lanes* to) {
  const double *p = x + 3 * static_cast<long>(v[0]), *q = x + 3 * static_cast<long>(v[1]);
  for (int c = 0; c < 3; ++c) to[c] = Lanes{p[c], q[c]};
}
REBOUND_INLINE void store_by_lane(const Lanes* f, double* to) {
  for (int lane = 0; lane < kWidth; ++lane)
    for (int i = 0; i < 12; i += 2) *reinterpret_cast<Pair*>(to + 12 * lane + i) = Pair{f[i][lane], f[i + 1][lane]};
}

#endif

REBOUND_INLINE Lanes splat(double a) { return a - Lanes{}; }
REBOUND_INLINE Lanes load(const double* row) { return *reinterpret_cast<const Lanes*>(row); }
REBOUND_INLINE Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }
REBOUND_INLINE Lanes magnitude(Lanes a) { return a < 0.0 ? -a : a; }
REBOUND_INLINE bool any_above(Lanes a, Lanes b) { return !all(~(a > b)); }

/// Of all eight lanes, by halves: the same sum for every width.
REBOUND_INLINE double sum(const Lanes* a) {
  const auto lane = [&](int i) REBOUND_LAMBDA { return a[i / kWidth][i % kWidth]; };
  return ((lane(0) + lane(1)) + (lane(2) + lane(3))) + ((lane(4) + lane(5)) + (lane(6) + lane(7)));
}

}  // namespace
}  // namespace rebound::sim
