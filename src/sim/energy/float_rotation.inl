// The rotation nearest to F, by the closed form that arap_kernel.inl derives. In floats it loses digits as
//     e = 1e-7 s1^3 / ((s1 + s2) (s2 + s3) (s3 + s1)),
// which is large only where the two smallest singular values all but cancel. An unconverged t and a rounded one alike
// show as |R^T R - 1|, since they leave R = U diag(r) V^T: that is measured, and where it is too large R is found anew
// in double precision. One Newton-Schulz step squares away what is below. Included by float_kernel.inl alone.

namespace rebound::sim {
namespace {

// Moderate strain needs 1 to 4 steps; near a double root each halves the distance, near a triple root it leaves 2/3.
constexpr int kNewtonSteps = 20;
// Relative. The last step was this large, the next would be about its square; and the polishing step mends that.
constexpr float kNewtonTolerance = 1e-4f;
constexpr float kOrthogonalityLimit = 3e-4f;
// Of (s1 + s2) (s2 + s3) (s3 + s1) over t I1. Below it R is noise, which may happen to be orthogonal.
constexpr float kGapLimit = 3e-5f;

/// The largest root t. Newton's method stops where the slope, twice the gap, is rounding: a step along it could leap to
/// another root.
inline __attribute__((always_inline)) Lanes trace_of_symmetric_factor(Lanes I1, Lanes J, Lanes I2, Lanes& gap_limit) {
  Lanes t = square_root(multiply_add(splat(2), square_root(3.0f * I2), I1));
  gap_limit = kGapLimit * t * I1;
  const Lanes J2 = 2.0f * J, least_slope = 2.0f * gap_limit;
  for (int k = 0; k < kNewtonSteps; ++k) {
    const Lanes u = multiply_add(t, t, -I1);
    // A quarter of the quartic and of its slope.
    const Lanes value = multiply_add(0.25f * u, u, -multiply_add(J2, t, I2));
    const Lanes slope = multiply_add(t, u, -J2);
    const Lanes step = slope > least_slope ? value * quick_reciprocal(slope) : splat(0);
    t -= step;
    if (all_at_most(step * step, (kNewtonTolerance * kNewtonTolerance) * t * t)) break;
  }
  return t;
}

__attribute__((noinline)) void replace_bad(const Lanes* F, Lanes* R, Lanes error) {
  float f[9 * kWidth], r[9 * kWidth];
  int lanes[kWidth], count = 0;
  for (int lane = 0; lane < kWidth; ++lane) {
    if (error[lane] <= kOrthogonalityLimit * kOrthogonalityLimit) continue;  // a NaN is bad
    for (int i = 0; i < 9; ++i) f[9 * count + i] = F[i][lane];
    lanes[count++] = lane;
  }
  rotations_in_double(f, count, r);
  for (int j = 0; j < count; ++j)
    for (int i = 0; i < 9; ++i) R[i][lanes[j]] = r[9 * j + i];
}

inline __attribute__((always_inline)) void polish_or_replace(const Lanes* F, Lanes* R, Lanes gap, Lanes gap_limit) {
  const Lanes minus_one = splat(-1);
  const Lanes g00 = multiply_add(R[0], R[0], multiply_add(R[3], R[3], multiply_add(R[6], R[6], minus_one)));
  const Lanes g11 = multiply_add(R[1], R[1], multiply_add(R[4], R[4], multiply_add(R[7], R[7], minus_one)));
  const Lanes g22 = multiply_add(R[2], R[2], multiply_add(R[5], R[5], multiply_add(R[8], R[8], minus_one)));
  const Lanes g01 = dot(R[0], R[3], R[6], R[1], R[4], R[7]);
  const Lanes g02 = dot(R[0], R[3], R[6], R[2], R[5], R[8]);
  const Lanes g12 = dot(R[1], R[4], R[7], R[2], R[5], R[8]);
  const Lanes square = dot(g00, g11, g22, g00, g11, g22) + dot(g01, g02, g12, g01, g02, g12);
  const Lanes error = gap > gap_limit ? square : splat(1);
  const Lanes half = splat(-0.5f);
  for (int r = 0; r < 9; r += 3) {
    const Lanes x = R[r], y = R[r + 1], z = R[r + 2];
    R[r] = multiply_add(half, dot(x, y, z, g00, g01, g02), x);
    R[r + 1] = multiply_add(half, dot(x, y, z, g01, g11, g12), y);
    R[r + 2] = multiply_add(half, dot(x, y, z, g02, g12, g22), z);
  }
  if (!all_at_most(error, splat(kOrthogonalityLimit * kOrthogonalityLimit))) [[unlikely]]
    replace_bad(F, R, error);
}

/// R of F, both row-major, one matrix a lane.
inline __attribute__((always_inline)) void fit_rotation(const Lanes* F, Lanes* R) {
  const Lanes cof[9] = {
      difference(F[4], F[8], F[5], F[7]), difference(F[5], F[6], F[3], F[8]), difference(F[3], F[7], F[4], F[6]),
      difference(F[2], F[7], F[1], F[8]), difference(F[0], F[8], F[2], F[6]), difference(F[1], F[6], F[0], F[7]),
      difference(F[1], F[5], F[2], F[4]), difference(F[2], F[3], F[0], F[5]), difference(F[0], F[4], F[1], F[3])};
  // C = F^T F; F F^T F = F C.
  const Lanes c00 = dot(F[0], F[3], F[6], F[0], F[3], F[6]), c01 = dot(F[0], F[3], F[6], F[1], F[4], F[7]),
              c02 = dot(F[0], F[3], F[6], F[2], F[5], F[8]), c11 = dot(F[1], F[4], F[7], F[1], F[4], F[7]),
              c12 = dot(F[1], F[4], F[7], F[2], F[5], F[8]), c22 = dot(F[2], F[5], F[8], F[2], F[5], F[8]);
  const Lanes I1 = c00 + c11 + c22;
  const Lanes J = dot(F[0], F[1], F[2], cof[0], cof[1], cof[2]);
  const Lanes I2 = dot(cof[0], cof[1], cof[2], cof[0], cof[1], cof[2]) +
                   dot(cof[3], cof[4], cof[5], cof[3], cof[4], cof[5]) +
                   dot(cof[6], cof[7], cof[8], cof[6], cof[7], cof[8]);
  Lanes gap_limit;
  const Lanes t = trace_of_symmetric_factor(I1, J, I2, gap_limit);
  const Lanes q = 0.5f * multiply_add(t, t, -I1);
  const Lanes gap = multiply_add(t, q, -J), denominator = 1.0f / gap;
  const Lanes a = (q + I1) * denominator, b = t * denominator;
  for (int r = 0; r < 9; r += 3) {
    const Lanes f0 = F[r] * denominator, f1 = F[r + 1] * denominator, f2 = F[r + 2] * denominator;
    R[r] = multiply_add(a, F[r], multiply_add(b, cof[r], -dot(f0, f1, f2, c00, c01, c02)));
    R[r + 1] = multiply_add(a, F[r + 1], multiply_add(b, cof[r + 1], -dot(f0, f1, f2, c01, c11, c12)));
    R[r + 2] = multiply_add(a, F[r + 2], multiply_add(b, cof[r + 2], -dot(f0, f1, f2, c02, c12, c22)));
  }
  polish_or_replace(F, R, gap, gap_limit);
}

}  // namespace
}  // namespace rebound::sim
