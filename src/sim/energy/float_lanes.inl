// One register of floats and what the kernels do with it, for the instruction set that the including file is compiled
// for. A group of kFloatLanes elements is worked through kWidth at a time. Included by float_kernel.inl alone.

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace rebound::sim {
namespace {

// Four floats, a vertex.
using Quad = float __attribute__((vector_size(16), may_alias));

// Each set has:
//   multiply_add(a, b, c)       a b + c
//   square_root(a)
//   quick_reciprocal(a)         1 / a to about 3 digits or better
//   all_at_most(a, b)           whether a <= b in every lane; a NaN is not
//   join(x4, v)                 element q of block b is vertex v[4 b + q], in four registers q
//   block(a, b)                 the four lanes 4 b ... 4 b + 3
//   low_pairs, high_pairs       in each block a0 b0 a1 b1, a2 b2 a3 b3
//   low_halves, high_halves     in each block a0 a1 b0 b1, a2 a3 b2 b3
#if defined(__AVX512F__)

constexpr int kWidth = 16;
using Lanes = __m512;
inline __attribute__((always_inline)) Lanes splat(float a) { return _mm512_set1_ps(a); }
inline __attribute__((always_inline)) Lanes multiply_add(Lanes a, Lanes b, Lanes c) { return _mm512_fmadd_ps(a, b, c); }
inline __attribute__((always_inline)) Lanes square_root(Lanes a) { return _mm512_sqrt_ps(a); }
inline __attribute__((always_inline)) Lanes quick_reciprocal(Lanes a) { return _mm512_rcp14_ps(a); }
inline __attribute__((always_inline)) bool all_at_most(Lanes a, Lanes b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ) == 0xffff;
}
inline __attribute__((always_inline)) Lanes join(const float* x4, const int* v) {
  const auto quad = [&](int i) { return _mm_load_ps(x4 + 4 * static_cast<long>(v[i])); };
  const __m256 low = _mm256_insertf128_ps(_mm256_castps128_ps256(quad(0)), quad(4), 1);
  const __m256 high = _mm256_insertf128_ps(_mm256_castps128_ps256(quad(8)), quad(12), 1);
  return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}
template <int b>
inline __attribute__((always_inline)) Quad block(Lanes a) {
  return _mm512_extractf32x4_ps(a, b);
}
inline __attribute__((always_inline)) Lanes low_pairs(Lanes a, Lanes b) { return _mm512_unpacklo_ps(a, b); }
inline __attribute__((always_inline)) Lanes high_pairs(Lanes a, Lanes b) { return _mm512_unpackhi_ps(a, b); }
inline __attribute__((always_inline)) Lanes low_halves(Lanes a, Lanes b) { return _mm512_shuffle_ps(a, b, 0x44); }
inline __attribute__((always_inline)) Lanes high_halves(Lanes a, Lanes b) { return _mm512_shuffle_ps(a, b, 0xee); }

#elif defined(__AVX2__)

constexpr int kWidth = 8;
using Lanes = __m256;
inline __attribute__((always_inline)) Lanes splat(float a) { return _mm256_set1_ps(a); }
inline __attribute__((always_inline)) Lanes multiply_add(Lanes a, Lanes b, Lanes c) { return _mm256_fmadd_ps(a, b, c); }
inline __attribute__((always_inline)) Lanes square_root(Lanes a) { return _mm256_sqrt_ps(a); }
inline __attribute__((always_inline)) Lanes quick_reciprocal(Lanes a) { return _mm256_rcp_ps(a); }
inline __attribute__((always_inline)) bool all_at_most(Lanes a, Lanes b) {
  return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ)) == 0xff;
}
inline __attribute__((always_inline)) Lanes join(const float* x4, const int* v) {
  const auto quad = [&](int i) { return _mm_load_ps(x4 + 4 * static_cast<long>(v[i])); };
  return _mm256_insertf128_ps(_mm256_castps128_ps256(quad(0)), quad(4), 1);
}
template <int b>
inline __attribute__((always_inline)) Quad block(Lanes a) {
  return _mm256_extractf128_ps(a, b);
}
inline __attribute__((always_inline)) Lanes low_pairs(Lanes a, Lanes b) { return _mm256_unpacklo_ps(a, b); }
inline __attribute__((always_inline)) Lanes high_pairs(Lanes a, Lanes b) { return _mm256_unpackhi_ps(a, b); }
inline __attribute__((always_inline)) Lanes low_halves(Lanes a, Lanes b) { return _mm256_shuffle_ps(a, b, 0x44); }
inline __attribute__((always_inline)) Lanes high_halves(Lanes a, Lanes b) { return _mm256_shuffle_ps(a, b, 0xee); }

#else

constexpr int kWidth = 4;
using Lanes = Quad;
inline __attribute__((always_inline)) Lanes splat(float a) { return Lanes{a, a, a, a}; }
inline __attribute__((always_inline)) Lanes multiply_add(Lanes a, Lanes b, Lanes c) { return a * b + c; }
inline __attribute__((always_inline)) Lanes square_root(Lanes a) {
  return Lanes{__builtin_sqrtf(a[0]), __builtin_sqrtf(a[1]), __builtin_sqrtf(a[2]), __builtin_sqrtf(a[3])};
}
inline __attribute__((always_inline)) Lanes quick_reciprocal(Lanes a) { return 1.0f / a; }
inline __attribute__((always_inline)) bool all_at_most(Lanes a, Lanes b) {
  const auto good = a <= b;
  return (good[0] & good[1] & good[2] & good[3]) != 0;
}
inline __attribute__((always_inline)) Lanes join(const float* x4, const int* v) {
  return *reinterpret_cast<const Quad*>(x4 + 4 * static_cast<long>(v[0]));
}
template <int>
inline __attribute__((always_inline)) Quad block(Lanes a) {
  return a;
}
inline __attribute__((always_inline)) Lanes low_pairs(Lanes a, Lanes b) {
  return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}
inline __attribute__((always_inline)) Lanes high_pairs(Lanes a, Lanes b) {
  return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}
inline __attribute__((always_inline)) Lanes low_halves(Lanes a, Lanes b) {
  return __builtin_shufflevector(a, b, 0, 1, 4, 5);
}
inline __attribute__((always_inline)) Lanes high_halves(Lanes a, Lanes b) {
  return __builtin_shufflevector(a, b, 2, 3, 6, 7);
}

#endif

constexpr int kBlocks = kWidth / 4;

inline __attribute__((always_inline)) Lanes load(const float* row) { return *reinterpret_cast<const Lanes*>(row); }
inline __attribute__((always_inline)) void store(float* row, Lanes a) { *reinterpret_cast<Lanes*>(row) = a; }
inline __attribute__((always_inline)) Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }

/// a b - c d.
inline __attribute__((always_inline)) Lanes difference(Lanes a, Lanes b, Lanes c, Lanes d) {
  return multiply_add(a, b, -(c * d));
}
inline __attribute__((always_inline)) Lanes dot(Lanes a0, Lanes a1, Lanes a2, Lanes b0, Lanes b1, Lanes b2) {
  return multiply_add(a0, b0, multiply_add(a1, b1, a2 * b2));
}

inline __attribute__((always_inline)) double sum(Lanes a) {
  double total = 0;
  for (int i = 0; i < kWidth; ++i) total += static_cast<double>(a[i]);
  return total;
}

struct Vector3 {
  Lanes x, y, z;
};

/// The positions of kWidth vertices.
inline __attribute__((always_inline)) Vector3 gather(const float* x4, const int* vertex) {
  const Lanes a = join(x4, vertex), b = join(x4, vertex + 1), c = join(x4, vertex + 2), d = join(x4, vertex + 3);
  const Lanes low = low_pairs(a, b), next = low_pairs(c, d);
  return {low_halves(low, next), high_halves(low, next), low_halves(high_pairs(a, b), high_pairs(c, d))};
}

template <int b>
inline __attribute__((always_inline)) void add_block(Lanes a, const int* vertex, float* gradient4) {
  *reinterpret_cast<Quad*>(gradient4 + 4 * static_cast<long>(vertex[4 * b])) += block<b>(a);
  if constexpr (b + 1 < kBlocks) add_block<b + 1>(a, vertex, gradient4);
}

/// Adds to kWidth vertices, one after the other: lanes may have a vertex in common.
inline __attribute__((always_inline)) void scatter(Vector3 a, const int* vertex, float* gradient4) {
  const Lanes zero = splat(0);
  const Lanes xy = low_pairs(a.x, a.y), xy_next = high_pairs(a.x, a.y);
  const Lanes z = low_pairs(a.z, zero), z_next = high_pairs(a.z, zero);
  add_block<0>(low_halves(xy, z), vertex, gradient4);
  add_block<0>(high_halves(xy, z), vertex + 1, gradient4);
  add_block<0>(low_halves(xy_next, z_next), vertex + 2, gradient4);
  add_block<0>(high_halves(xy_next, z_next), vertex + 3, gradient4);
}

// So many groups are added in floats, then taken into the sum in double.
constexpr int kGroupsASum = 8;

/// Half the sum of each(g, lane), the contribution of lanes lane ... lane + kWidth - 1 of group g.
template <class Each>
inline __attribute__((always_inline)) double half_sum(int count, const Each& each) {
  double total = 0;
  for (int first = 0; first < count; first += kGroupsASum) {
    const int end = first + kGroupsASum < count ? first + kGroupsASum : count;
    Lanes part = splat(0);
    for (int g = first; g < end; ++g)
      for (int lane = 0; lane < kFloatLanes; lane += kWidth) part += each(g, lane);
    total += sum(part);
  }
  return 0.5 * total;
}

// Half a register of floats, as doubles.
constexpr int kDoubles = kWidth / 2;
using Doubles = double __attribute__((vector_size(kDoubles * sizeof(double)), may_alias));
using HalfLanes = float __attribute__((vector_size(kDoubles * sizeof(float)), may_alias));

#if defined(__AVX512F__)
inline __attribute__((always_inline)) Doubles multiply_add(Doubles a, Doubles b, Doubles c) {
  return _mm512_fmadd_pd(a, b, c);
}
#elif defined(__AVX2__)
inline __attribute__((always_inline)) Doubles multiply_add(Doubles a, Doubles b, Doubles c) {
  return _mm256_fmadd_pd(a, b, c);
}
#else
inline __attribute__((always_inline)) Doubles multiply_add(Doubles a, Doubles b, Doubles c) { return a * b + c; }
#endif

inline __attribute__((always_inline)) Doubles widen(const float* row) {
  return __builtin_convertvector(*reinterpret_cast<const HalfLanes*>(row), Doubles);
}
inline __attribute__((always_inline)) void narrow(Doubles a, float* row) {
  *reinterpret_cast<HalfLanes*>(row) = __builtin_convertvector(a, HalfLanes);
}

}  // namespace
}  // namespace rebound::sim
