// The vectors of block_inverse_kernel.inl, for the instruction set that the including file is compiled for. A vector
// of kLaneCount floats is made of quarters, four floats each; "quad" is such a quarter, or a slot x, y, z, unused.

#include <cstdint>

#if defined(__x86_64__) && defined(__AVX2__)
#include <immintrin.h>
#endif

namespace rebound::sim {
namespace {

#define REBOUND_INLINE inline __attribute__((always_inline))

using Quad = float __attribute__((vector_size(16), may_alias));

REBOUND_INLINE Quad load_quad(const float* p) { return *reinterpret_cast<const Quad*>(p); }
REBOUND_INLINE void store_quad(float* p, Quad a) { *reinterpret_cast<Quad*>(p) = a; }
REBOUND_INLINE Quad splat_quad(float a) { return Quad{a, a, a, a}; }

#if defined(__x86_64__) && defined(__AVX512F__)

#define REBOUND_LANES_READ_HALF
constexpr int kLaneCount = 16;
using Lanes = __m512;

REBOUND_INLINE Lanes zero() { return _mm512_setzero_ps(); }
REBOUND_INLINE Lanes splat(float a) { return _mm512_set1_ps(a); }
REBOUND_INLINE Lanes load(const float* p) { return _mm512_loadu_ps(p); }
REBOUND_INLINE Lanes load(const std::uint16_t* p) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
REBOUND_INLINE std::uint16_t to_half(float a) {
  return static_cast<std::uint16_t>(_mm_cvtsi128_si32(_mm_cvtps_ph(_mm_set_ss(a), _MM_FROUND_TO_NEAREST_INT)));
}
REBOUND_INLINE float to_float(std::uint16_t a) { return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(a))); }
REBOUND_INLINE void store(float* p, Lanes a) { _mm512_storeu_ps(p, a); }
REBOUND_INLINE Lanes multiply_add(Lanes a, Lanes b, Lanes c) { return _mm512_fmadd_ps(a, b, c); }

template <int Quarter>
REBOUND_INLINE Quad quarter(Lanes a) {
  return _mm512_extractf32x4_ps(a, Quarter);
}
REBOUND_INLINE Lanes first_quarter(const float* p) { return _mm512_zextps128_ps512(_mm_load_ps(p)); }
template <int Quarter>
REBOUND_INLINE Lanes with_quarter(Lanes a, const float* p) {
  return _mm512_insertf32x4(a, _mm_load_ps(p), Quarter);
}

// Within each quarter: a0 b0 a1 b1, a2 b2 a3 b3; a01 b01, a23 b23.
REBOUND_INLINE Lanes zip_low(Lanes a, Lanes b) { return _mm512_unpacklo_ps(a, b); }
REBOUND_INLINE Lanes zip_high(Lanes a, Lanes b) { return _mm512_unpackhi_ps(a, b); }
REBOUND_INLINE Lanes low_halves(Lanes a, Lanes b) { return _mm512_shuffle_ps(a, b, 0x44); }
REBOUND_INLINE Lanes high_halves(Lanes a, Lanes b) { return _mm512_shuffle_ps(a, b, 0xee); }

REBOUND_INLINE Quad add_quarters(const Lanes* a) {
  const __m256 high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(a[0]), 1));
  const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(a[0]), high);
  return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}
// Four at once, the same sums.
REBOUND_INLINE void add_quarters_to_four(const Lanes* a, float* to) {
  const Lanes ab = _mm512_add_ps(_mm512_shuffle_f32x4(a[0], a[1], 0x44), _mm512_shuffle_f32x4(a[0], a[1], 0xee));
  const Lanes cd = _mm512_add_ps(_mm512_shuffle_f32x4(a[2], a[3], 0x44), _mm512_shuffle_f32x4(a[2], a[3], 0xee));
  const Lanes sum = _mm512_add_ps(_mm512_shuffle_f32x4(ab, cd, 0x88), _mm512_shuffle_f32x4(ab, cd, 0xdd));
  store(to, _mm512_add_ps(load(to), sum));
}

#elif defined(__x86_64__) && defined(__AVX2__)

#define REBOUND_LANES_READ_HALF
constexpr int kLaneCount = 8;
using Lanes = __m256;

REBOUND_INLINE Lanes zero() { return _mm256_setzero_ps(); }
REBOUND_INLINE Lanes splat(float a) { return _mm256_set1_ps(a); }
REBOUND_INLINE Lanes load(const float* p) { return _mm256_loadu_ps(p); }
REBOUND_INLINE Lanes load(const std::uint16_t* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
REBOUND_INLINE std::uint16_t to_half(float a) {
  return static_cast<std::uint16_t>(_mm_cvtsi128_si32(_mm_cvtps_ph(_mm_set_ss(a), _MM_FROUND_TO_NEAREST_INT)));
}
REBOUND_INLINE float to_float(std::uint16_t a) { return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(a))); }
REBOUND_INLINE void store(float* p, Lanes a) { _mm256_storeu_ps(p, a); }
REBOUND_INLINE Lanes multiply_add(Lanes a, Lanes b, Lanes c) { return _mm256_fmadd_ps(a, b, c); }

template <int Quarter>
REBOUND_INLINE Quad quarter(Lanes a) {
  return _mm256_extractf128_ps(a, Quarter);
}
REBOUND_INLINE Lanes first_quarter(const float* p) { return _mm256_zextps128_ps256(_mm_load_ps(p)); }
template <int Quarter>
REBOUND_INLINE Lanes with_quarter(Lanes a, const float* p) {
  return _mm256_insertf128_ps(a, _mm_load_ps(p), Quarter);
}

REBOUND_INLINE Lanes zip_low(Lanes a, Lanes b) { return _mm256_unpacklo_ps(a, b); }
REBOUND_INLINE Lanes zip_high(Lanes a, Lanes b) { return _mm256_unpackhi_ps(a, b); }
REBOUND_INLINE Lanes low_halves(Lanes a, Lanes b) { return _mm256_shuffle_ps(a, b, 0x44); }
REBOUND_INLINE Lanes high_halves(Lanes a, Lanes b) { return _mm256_shuffle_ps(a, b, 0xee); }

REBOUND_INLINE Quad add_quarters(const Lanes* a) {
  const __m256 half = _mm256_add_ps(a[0], a[1]);
  return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}

#else

constexpr int kLaneCount = 4;
using Lanes = Quad;

REBOUND_INLINE Lanes zero() { return Lanes{0, 0, 0, 0}; }
REBOUND_INLINE Lanes splat(float a) { return splat_quad(a); }
REBOUND_INLINE Lanes load(const float* p) {
  Lanes a;
  __builtin_memcpy(&a, p, sizeof(a));
  return a;
}
REBOUND_INLINE void store(float* p, Lanes a) { __builtin_memcpy(p, &a, sizeof(a)); }
REBOUND_INLINE Lanes multiply_add(Lanes a, Lanes b, Lanes c) { return a * b + c; }

template <int Quarter>
REBOUND_INLINE Quad quarter(Lanes a) {
  return a;
}
REBOUND_INLINE Lanes first_quarter(const float* p) { return load_quad(p); }
template <int Quarter>
REBOUND_INLINE Lanes with_quarter(Lanes a, const float*) {
  return a;  // there is no other quarter
}

REBOUND_INLINE Lanes zip_low(Lanes a, Lanes b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
REBOUND_INLINE Lanes zip_high(Lanes a, Lanes b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
REBOUND_INLINE Lanes low_halves(Lanes a, Lanes b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5); }
REBOUND_INLINE Lanes high_halves(Lanes a, Lanes b) { return __builtin_shufflevector(a, b, 2, 3, 6, 7); }

REBOUND_INLINE Quad add_quarters(const Lanes* a) { return (a[0] + a[2]) + (a[1] + a[3]); }

#endif

REBOUND_INLINE Lanes add(Lanes a, Lanes b) { return a + b; }

// x, y, z of four rows a quarter -> row[k]: row k of each quarter as x, y, z, 0.
REBOUND_INLINE void transpose_out(const Lanes* xyz, Lanes* row) {
  const Lanes xy_low = zip_low(xyz[0], xyz[1]), xy_high = zip_high(xyz[0], xyz[1]);
  const Lanes z_low = zip_low(xyz[2], zero()), z_high = zip_high(xyz[2], zero());
  row[0] = low_halves(xy_low, z_low);
  row[1] = high_halves(xy_low, z_low);
  row[2] = low_halves(xy_high, z_high);
  row[3] = high_halves(xy_high, z_high);
}

// The way back; what is in the fourth place is dropped.
REBOUND_INLINE void transpose_in(const Lanes* row, Lanes* xyz) {
  const Lanes xy_01 = zip_low(row[0], row[1]), xy_23 = zip_low(row[2], row[3]);
  xyz[0] = low_halves(xy_01, xy_23);
  xyz[1] = high_halves(xy_01, xy_23);
  xyz[2] = low_halves(zip_high(row[0], row[1]), zip_high(row[2], row[3]));
}

// The sums over each quarter, as x, y, z, 0.
REBOUND_INLINE Lanes add_within_quarters(const Lanes* xyz) {
  const Lanes xz = add(zip_low(xyz[0], xyz[2]), zip_high(xyz[0], xyz[2]));
  const Lanes y = add(zip_low(xyz[1], zero()), zip_high(xyz[1], zero()));
  return add(zip_low(xz, y), zip_high(xz, y));
}

// to[c] += the sum of the quarters of `parts` vectors, for `columns` of them.
template <int Columns, int Parts>
REBOUND_INLINE void add_columns(const Lanes* sums, float* to) {
#if defined(__x86_64__) && defined(__AVX512F__)
  constexpr int kFours = Columns / 4 * 4;
  for (int c = 0; c < kFours; c += 4) add_quarters_to_four(sums + c, to + 4 * c);
#else
  constexpr int kFours = 0;
#endif
  for (int c = kFours; c < Columns; ++c) store_quad(to + 4 * c, load_quad(to + 4 * c) + add_quarters(sums + c * Parts));
}

// `bytes` from `p` on, `ahead` further along. Addresses beyond the array do no harm.
REBOUND_INLINE void prefetch(const void* p, long bytes, long ahead) {
  for (long line = 0; line < bytes; line += 64) __builtin_prefetch(static_cast<const char*>(p) + ahead + line);
}

#undef REBOUND_INLINE

}  // namespace
}  // namespace rebound::sim
