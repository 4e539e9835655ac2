// Included once by each of arap_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_ARAP_KERNEL and its name defined.
// It includes no library header: an inline function compiled here for a wide instruction set could otherwise be the
// copy that the linker keeps for the whole program.
//
// F = U diag(s) V^T with s1 >= s2 >= |s3|, s3 signed. The trace of the symmetric factor, t = s1 + s2 + s3, is the
// largest root of
//     (t^2 - I1)^2 - 8 J t - 4 I2 = 0,    I1 = |F|^2, J = det F, I2 = |cof F|^2
// and Newton's method falls to it monotonically from sqrt(I1 + 2 sqrt(3 I2)). Then, with q = (t^2 - I1) / 2,
//     R = ((q + I1) F + t cof F - F F^T F) / (t q - J),
// whose denominator (s1+s2)(s2+s3)(s3+s1) vanishes only where the projection itself is not unique.

#include "sim/energy/arap_kernel.hpp"
#include "sim/energy/rotation_fit.hpp"

namespace rebound::sim {
namespace {

using Lanes = double __attribute__((vector_size(kLanes * sizeof(double)), may_alias));

inline __attribute__((always_inline)) Lanes splat(double a) { return Lanes{a, a, a, a, a, a, a, a}; }

inline __attribute__((always_inline)) Lanes square_root(Lanes a) {
  Lanes r;
  for (int i = 0; i < kLanes; ++i) r[i] = __builtin_sqrt(a[i]);
  return r;
}

inline __attribute__((always_inline)) double sum(Lanes a) {
  return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

inline __attribute__((always_inline)) Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }
inline __attribute__((always_inline)) Lanes magnitude(Lanes a) { return a < 0.0 ? -a : a; }

inline __attribute__((always_inline)) bool any_above(Lanes a, Lanes b) {
  const auto above = a > b;
  bool any = false;
  for (int i = 0; i < kLanes; ++i) any |= above[i] != 0;
  return any;
}

// Newton from above needs 2 to 4 steps for moderate strain; double roots converge linearly.
constexpr int kNewtonSteps = 24;
constexpr double kNewtonTolerance = 1e-16;
// Above this the closed form has lost so many digits that one polishing step would not bring them back.
constexpr double kOrthogonalityLimit = 1e-7;

struct Rotation {
  // R of F (both row-major, one matrix a lane).
  static inline __attribute__((always_inline)) void fit(const Lanes* F, Lanes* R) {
    Lanes cof[9] = {F[4] * F[8] - F[5] * F[7], F[5] * F[6] - F[3] * F[8], F[3] * F[7] - F[4] * F[6],
                    F[2] * F[7] - F[1] * F[8], F[0] * F[8] - F[2] * F[6], F[1] * F[6] - F[0] * F[7],
                    F[1] * F[5] - F[2] * F[4], F[2] * F[3] - F[0] * F[5], F[0] * F[4] - F[1] * F[3]};
    const Lanes J = F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2];
    Lanes I1 = F[0] * F[0], I2 = cof[0] * cof[0];
    for (int i = 1; i < 9; ++i) {
      I1 += F[i] * F[i];
      I2 += cof[i] * cof[i];
    }
    const Lanes t = trace_of_symmetric_factor(I1, J, I2);
    const Lanes q = 0.5 * (t * t - I1);
    const Lanes denominator = 1.0 / larger(t * q - J, splat(1e-200));

    // C = F^T F; F F^T F = F C.
    const Lanes c00 = F[0] * F[0] + F[3] * F[3] + F[6] * F[6], c01 = F[0] * F[1] + F[3] * F[4] + F[6] * F[7],
                c02 = F[0] * F[2] + F[3] * F[5] + F[6] * F[8], c11 = F[1] * F[1] + F[4] * F[4] + F[7] * F[7],
                c12 = F[1] * F[2] + F[4] * F[5] + F[7] * F[8], c22 = F[2] * F[2] + F[5] * F[5] + F[8] * F[8];
    const Lanes a = (q + I1) * denominator, b = t * denominator;
    for (int r = 0; r < 9; r += 3) {
      const Lanes f0 = F[r], f1 = F[r + 1], f2 = F[r + 2];
      R[r] = a * f0 + b * cof[r] - denominator * (f0 * c00 + f1 * c01 + f2 * c02);
      R[r + 1] = a * f1 + b * cof[r + 1] - denominator * (f0 * c01 + f1 * c11 + f2 * c12);
      R[r + 2] = a * f2 + b * cof[r + 2] - denominator * (f0 * c02 + f1 * c12 + f2 * c22);
    }
    polish_or_replace(F, R);
  }

  static inline __attribute__((always_inline)) Lanes trace_of_symmetric_factor(Lanes I1, Lanes J, Lanes I2) {
    Lanes t = square_root(I1 + 2.0 * square_root(3.0 * I2));
    for (int k = 0; k < kNewtonSteps; ++k) {
      const Lanes u = t * t - I1;
      const Lanes value = u * u - 8.0 * J * t - 4.0 * I2;
      const Lanes slope = larger(4.0 * (t * u - 2.0 * J), splat(1e-200));
      const Lanes step = value / slope;
      // What is left after this step: step^2 times half the second derivative over the slope.
      const Lanes curvature = 2.0 * (u + 2.0 * t * t);
      if (!any_above(step * step * curvature, kNewtonTolerance * t * slope)) {
        t -= step;
        break;
      }
      t -= step;
    }
    return t;
  }

  // One Newton-Schulz step, R (3 I - R^T R) / 2, squares a small orthogonality error away; a large one is redone.
  static inline __attribute__((always_inline)) void polish_or_replace(const Lanes* F, Lanes* R) {
    const Lanes g00 = R[0] * R[0] + R[3] * R[3] + R[6] * R[6] - 1.0, g11 = R[1] * R[1] + R[4] * R[4] + R[7] * R[7] - 1.0,
                g22 = R[2] * R[2] + R[5] * R[5] + R[8] * R[8] - 1.0, g01 = R[0] * R[1] + R[3] * R[4] + R[6] * R[7],
                g02 = R[0] * R[2] + R[3] * R[5] + R[6] * R[8], g12 = R[1] * R[2] + R[4] * R[5] + R[7] * R[8];
    const Lanes error = magnitude(g00) + magnitude(g11) + magnitude(g22) + magnitude(g01) + magnitude(g02) + magnitude(g12);
    for (int r = 0; r < 9; r += 3) {
      const Lanes x = R[r], y = R[r + 1], z = R[r + 2];
      R[r] = x - 0.5 * (x * g00 + y * g01 + z * g02);
      R[r + 1] = y - 0.5 * (x * g01 + y * g11 + z * g12);
      R[r + 2] = z - 0.5 * (x * g02 + y * g12 + z * g22);
    }
    // Written so that a NaN counts as bad.
    const auto good = error <= kOrthogonalityLimit;
    bool all_good = true;
    for (int i = 0; i < kLanes; ++i) all_good &= good[i] != 0;
    if (!all_good) replace_bad(F, R, good);
  }

  template <class Mask>
  static __attribute__((noinline)) void replace_bad(const Lanes* F, Lanes* R, const Mask& good) {
    for (int lane = 0; lane < kLanes; ++lane) {
      if (good[lane] != 0) continue;
      double f[9], r[9];
      for (int i = 0; i < 9; ++i) f[i] = F[i][lane];
      rotation_by_svd(f, r);
      for (int i = 0; i < 9; ++i) R[i][lane] = r[i];
    }
  }
};

// F = [x1-x0, x2-x0, x3-x0] D_m^-1.
inline __attribute__((always_inline)) void deformation_gradient(const TetGroup& group, const double* x, Lanes* F) {
  Lanes d[3][3];  // d[k][c]: component c of corner k + 1, from corner 0
  for (int lane = 0; lane < kLanes; ++lane) {
    const double* p0 = x + 3 * static_cast<long>(group.vertex[0][lane]);
    for (int k = 0; k < 3; ++k) {
      const double* p = x + 3 * static_cast<long>(group.vertex[k + 1][lane]);
      for (int c = 0; c < 3; ++c) d[k][c][lane] = p[c] - p0[c];
    }
  }
  const Lanes* D = reinterpret_cast<const Lanes*>(group.inverse_rest);
  for (int c = 0; c < 3; ++c)
    for (int j = 0; j < 3; ++j) F[3 * c + j] = d[0][c] * D[j] + d[1][c] * D[3 + j] + d[2][c] * D[6 + j];
}

double energy(const TetGroup* groups, int count, const double* x) {
  Lanes total = splat(0);
  for (int g = 0; g < count; ++g) {
    Lanes F[9], R[9];
    deformation_gradient(groups[g], x, F);
    Rotation::fit(F, R);
    Lanes squared = splat(0);
    for (int i = 0; i < 9; ++i) squared += (F[i] - R[i]) * (F[i] - R[i]);
    total += *reinterpret_cast<const Lanes*>(groups[g].weight) * squared;
  }
  return 0.5 * sum(total);
}

// dE/dF = w (F - R); dE/dx_{k+1} = dE/dF D_m^-T, column k; corner 0 takes the opposite of the three.
double forces(const TetGroup* groups, int count, const double* x, double* out) {
  Lanes total = splat(0);
  for (int g = 0; g < count; ++g) {
    Lanes F[9], R[9];
    deformation_gradient(groups[g], x, F);
    Rotation::fit(F, R);
    const Lanes w = *reinterpret_cast<const Lanes*>(groups[g].weight);
    Lanes squared = splat(0);
    for (int i = 0; i < 9; ++i) {
      F[i] -= R[i];
      squared += F[i] * F[i];
    }
    total += w * squared;
    const Lanes* D = reinterpret_cast<const Lanes*>(groups[g].inverse_rest);
    double* f = out + static_cast<long>(g) * kLanes * 12;
    for (int c = 0; c < 3; ++c) {
      Lanes opposite = splat(0);
      for (int k = 0; k < 3; ++k) {
        const Lanes corner = w * (F[3 * c] * D[3 * k] + F[3 * c + 1] * D[3 * k + 1] + F[3 * c + 2] * D[3 * k + 2]);
        opposite -= corner;
        for (int lane = 0; lane < kLanes; ++lane) f[12 * lane + 3 * (k + 1) + c] = corner[lane];
      }
      for (int lane = 0; lane < kLanes; ++lane) f[12 * lane + c] = opposite[lane];
    }
  }
  return 0.5 * sum(total);
}

void rotations(const double* F, int count, double* R) {
  for (int first = 0; first < count; first += kLanes) {
    Lanes f[9], r[9];
    for (int lane = 0; lane < kLanes; ++lane) {
      const int i = first + lane < count ? first + lane : count - 1;
      for (int k = 0; k < 9; ++k) f[k][lane] = F[9 * static_cast<long>(i) + k];
    }
    Rotation::fit(f, r);
    for (int lane = 0; lane < kLanes && first + lane < count; ++lane)
      for (int k = 0; k < 9; ++k) R[9 * static_cast<long>(first + lane) + k] = r[k][lane];
  }
}

}  // namespace

extern const ArapKernel REBOUND_ARAP_KERNEL;
const ArapKernel REBOUND_ARAP_KERNEL = {REBOUND_ARAP_KERNEL_NAME, energy, forces, rotations};

}  // namespace rebound::sim
