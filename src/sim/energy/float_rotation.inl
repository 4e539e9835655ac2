// The rotation nearest to F, by the closed form that arap_kernel.inl derives. In floats it loses digits as
//     1e-7 s1^3 / ((s1 + s2) (s2 + s3) (s3 + s1)),
// which is large only where the two smallest singular values all but cancel. An unconverged t and a rounded one alike
// show as |R^T R - 1|, since they leave R = U diag(r) V^T: that is measured. One Newton-Schulz step squares away what
// is small; where it is too large the lane goes another way.
//
// The other way: tr(R^T F) = q^T K q for the unit quaternion q of R [Horn87], so q is the eigenvector of the largest
// eigenvalue of the symmetric 4 x 4 matrix K. Where that is not unique any vector of its space will do, and repeated
// squaring leaves nothing but this space: there is no matrix on which it fails. Included by float_kernel.inl alone.

namespace rebound::sim {
namespace {

// Moderate strain needs 1 to 4 steps; near a double root each halves the distance, near a triple root it leaves 2/3.
constexpr int kNewtonSteps = 20;
// Relative. The last step was this large, the next would be about its square; and the polishing step mends that.
constexpr float kNewtonTolerance = 1e-4f;
constexpr float kOrthogonalityLimit = 3e-4f;
// Of (s1 + s2) (s2 + s3) (s3 + s1) over t I1. Below it R is noise, which may happen to be orthogonal.
constexpr float kGapLimit = 3e-5f;

/// What the largest root t depends on, and t itself.
struct TraceEquation {
  Lanes I1, J, I2;
  Lanes t, gap_limit;
};

/// Newton's method stops where the slope, twice the gap, is rounding: a step along it could leap to another root. Each
/// step waits for the one before, so several registers go side by side.
template <int N>
inline __attribute__((always_inline)) void solve_for_traces(TraceEquation* of) {
  for (int n = 0; n < N; ++n) {
    TraceEquation& e = of[n];
    e.t = square_root(multiply_add(splat(2), square_root(3.0f * e.I2), e.I1));
    e.gap_limit = kGapLimit * e.t * e.I1;
  }
  for (int k = 0; k < kNewtonSteps; ++k) {
    bool small = true;
    for (int n = 0; n < N; ++n) {
      TraceEquation& e = of[n];
      const Lanes J2 = 2.0f * e.J, u = multiply_add(e.t, e.t, -e.I1);
      // A quarter of the quartic and of its slope.
      const Lanes value = multiply_add(0.25f * u, u, -multiply_add(J2, e.t, e.I2));
      const Lanes slope = multiply_add(e.t, u, -J2);
      const Lanes step = slope > 2.0f * e.gap_limit ? value * quick_reciprocal(slope) : splat(0);
      e.t -= step;
      small &= all_at_most(step * step, (kNewtonTolerance * kNewtonTolerance) * e.t * e.t);
    }
    if (small) break;
  }
}

// 2^24 times a gap between eigenvalues of 1e-6, the least that floats resolve, leaves e^-16 of the smaller one.
constexpr int kSquarings = 24;

/// A symmetric 4 x 4 matrix; the lower triangle mirrors the upper.
struct Symmetric4 {
  Lanes m[4][4];
};

/// K + 5.2 of F, for which no entry of F may be above 1: no eigenvalue is below 0.
inline __attribute__((always_inline)) Symmetric4 quaternion_form(const Lanes* F) {
  const Lanes shift = splat(5.2f), wx = F[7] - F[5], wy = F[2] - F[6], wz = F[3] - F[1], xy = F[1] + F[3],
              xz = F[2] + F[6], yz = F[5] + F[7];
  return {{{shift + F[0] + F[4] + F[8], wx, wy, wz},
           {wx, shift + F[0] - F[4] - F[8], xy, xz},
           {wy, xy, shift - F[0] + F[4] - F[8], yz},
           {wz, xz, yz, shift - F[0] - F[4] + F[8]}}};
}

inline __attribute__((always_inline)) Symmetric4 scaled_square(const Symmetric4& a) {
  const Lanes inverse_trace = quick_reciprocal(a.m[0][0] + a.m[1][1] + a.m[2][2] + a.m[3][3]);
  Symmetric4 s, square;
  for (int i = 0; i < 4; ++i)
    for (int j = i; j < 4; ++j) s.m[i][j] = s.m[j][i] = a.m[i][j] * inverse_trace;
  for (int i = 0; i < 4; ++i)
    for (int j = i; j < 4; ++j)
      square.m[i][j] = square.m[j][i] =
          multiply_add(s.m[i][0], s.m[j][0], dot(s.m[i][1], s.m[i][2], s.m[i][3], s.m[j][1], s.m[j][2], s.m[j][3]));
  return square;
}

/// R of F for any F; of one with infinite entries, no numbers.
__attribute__((noinline)) void fit_rotation_anyhow(const Lanes* F, Lanes* R) {
  Lanes largest = splat(1e-37f);
  for (int i = 0; i < 9; ++i) largest = larger(larger(F[i], -F[i]), largest);
  Lanes unit[9];
  for (int i = 0; i < 9; ++i) unit[i] = F[i] / largest;
  Symmetric4 k = quaternion_form(unit);
  for (int i = 0; i < kSquarings; ++i) k = scaled_square(k);

  // Every column lies in the space that was sought; the longest has the most digits.
  Lanes q[4] = {k.m[0][0], k.m[1][0], k.m[2][0], k.m[3][0]}, longest = k.m[0][0];
  for (int j = 1; j < 4; ++j) {
    const auto longer = k.m[j][j] > longest;
    for (int i = 0; i < 4; ++i) q[i] = longer ? k.m[i][j] : q[i];
    longest = longer ? k.m[j][j] : longest;
  }
  const Lanes scale = 1.0f / square_root(multiply_add(q[0], q[0], dot(q[1], q[2], q[3], q[1], q[2], q[3])));
  const Lanes w = q[0] * scale, x = q[1] * scale, y = q[2] * scale, z = q[3] * scale;
  R[0] = 1.0f - 2.0f * (y * y + z * z);
  R[1] = 2.0f * (x * y - w * z);
  R[2] = 2.0f * (x * z + w * y);
  R[3] = 2.0f * (x * y + w * z);
  R[4] = 1.0f - 2.0f * (x * x + z * z);
  R[5] = 2.0f * (y * z - w * x);
  R[6] = 2.0f * (x * z - w * y);
  R[7] = 2.0f * (y * z + w * x);
  R[8] = 1.0f - 2.0f * (x * x + y * y);
}

/// R^T R - 1: 00 11 22 01 02 12.
struct Defect {
  Lanes g[6];
};

inline __attribute__((always_inline)) Defect defect(const Lanes* R) {
  const Lanes minus_one = splat(-1);
  const auto square = [&](int c) __attribute__((always_inline)) {
    return multiply_add(R[c], R[c], multiply_add(R[3 + c], R[3 + c], multiply_add(R[6 + c], R[6 + c], minus_one)));
  };
  return {{square(0), square(1), square(2), dot(R[0], R[3], R[6], R[1], R[4], R[7]),
           dot(R[0], R[3], R[6], R[2], R[5], R[8]), dot(R[1], R[4], R[7], R[2], R[5], R[8])}};
}

/// R (3 - R^T R) / 2.
inline __attribute__((always_inline)) void polish(const Defect& d, Lanes* R) {
  const auto& [g00, g11, g22, g01, g02, g12] = d.g;
  const Lanes half = splat(-0.5f);
  for (int r = 0; r < 9; r += 3) {
    const Lanes x = R[r], y = R[r + 1], z = R[r + 2];
    R[r] = multiply_add(half, dot(x, y, z, g00, g01, g02), x);
    R[r + 1] = multiply_add(half, dot(x, y, z, g01, g11, g12), y);
    R[r + 2] = multiply_add(half, dot(x, y, z, g02, g12, g22), z);
  }
}

/// What R is made of, but for t. C = F^T F.
struct RotationTerms {
  Lanes cof[9], c00, c01, c02, c11, c12, c22;
};

inline __attribute__((always_inline)) RotationTerms rotation_terms(const Lanes* F) {
  return {{difference(F[4], F[8], F[5], F[7]), difference(F[5], F[6], F[3], F[8]), difference(F[3], F[7], F[4], F[6]),
           difference(F[2], F[7], F[1], F[8]), difference(F[0], F[8], F[2], F[6]), difference(F[1], F[6], F[0], F[7]),
           difference(F[1], F[5], F[2], F[4]), difference(F[2], F[3], F[0], F[5]), difference(F[0], F[4], F[1], F[3])},
          dot(F[0], F[3], F[6], F[0], F[3], F[6]),
          dot(F[0], F[3], F[6], F[1], F[4], F[7]),
          dot(F[0], F[3], F[6], F[2], F[5], F[8]),
          dot(F[1], F[4], F[7], F[1], F[4], F[7]),
          dot(F[1], F[4], F[7], F[2], F[5], F[8]),
          dot(F[2], F[5], F[8], F[2], F[5], F[8])};
}

inline __attribute__((always_inline)) TraceEquation trace_equation(const Lanes* F, const RotationTerms& of) {
  const Lanes* cof = of.cof;
  return {of.c00 + of.c11 + of.c22, dot(F[0], F[1], F[2], cof[0], cof[1], cof[2]),
          dot(cof[0], cof[1], cof[2], cof[0], cof[1], cof[2]) + dot(cof[3], cof[4], cof[5], cof[3], cof[4], cof[5]) +
              dot(cof[6], cof[7], cof[8], cof[6], cof[7], cof[8]),
          splat(0), splat(0)};
}

inline __attribute__((always_inline)) void finish_rotation(const Lanes* F, const RotationTerms& of,
                                                           const TraceEquation& e, Lanes* R) {
  const Lanes q = 0.5f * multiply_add(e.t, e.t, -e.I1);
  const Lanes gap = multiply_add(e.t, q, -e.J), inverse_gap = 1.0f / gap, a = q + e.I1;
  // F F^T F = F C, which needs no t: it is there when the division is done.
  for (int r = 0; r < 9; r += 3) {
    const Lanes f0 = F[r], f1 = F[r + 1], f2 = F[r + 2];
    const auto entry = [&](Lanes f, Lanes cof, Lanes c0, Lanes c1, Lanes c2) __attribute__((always_inline)) {
      return inverse_gap * multiply_add(a, f, multiply_add(e.t, cof, -dot(f0, f1, f2, c0, c1, c2)));
    };
    R[r] = entry(f0, of.cof[r], of.c00, of.c01, of.c02);
    R[r + 1] = entry(f1, of.cof[r + 1], of.c01, of.c11, of.c12);
    R[r + 2] = entry(f2, of.cof[r + 2], of.c02, of.c12, of.c22);
  }

  Defect d = defect(R);
  const Lanes square =
      dot(d.g[0], d.g[1], d.g[2], d.g[0], d.g[1], d.g[2]) + dot(d.g[3], d.g[4], d.g[5], d.g[3], d.g[4], d.g[5]);
  const Lanes error = gap > e.gap_limit ? square : splat(1);
  const Lanes limit = splat(kOrthogonalityLimit * kOrthogonalityLimit);
  if (!all_at_most(error, limit)) [[unlikely]] {
    Lanes other[9];
    fit_rotation_anyhow(F, other);
    for (int i = 0; i < 9; ++i) R[i] = error <= limit ? R[i] : other[i];  // a NaN is bad
    d = defect(R);
  }
  polish(d, R);
}

/// R of F, both row-major, one matrix a lane.
inline __attribute__((always_inline)) void fit_rotation(const Lanes* F, Lanes* R) {
  const RotationTerms terms = rotation_terms(F);
  TraceEquation equation = trace_equation(F, terms);
  solve_for_traces<1>(&equation);
  finish_rotation(F, terms, equation, R);
}

}  // namespace
}  // namespace rebound::sim
