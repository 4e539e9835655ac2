// Included once by each of arap_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_ARAP_KERNEL and its name defined.
// Of libraries it includes intrinsics alone: an inline function compiled here for a wide instruction set could otherwise
// be the copy that the linker keeps for the whole program.
//
// F = U diag(s) V^T with s1 >= s2 >= |s3|, s3 signed. The trace of the symmetric factor, t = s1 + s2 + s3, is the
// largest root of
//     (t^2 - I1)^2 - 8 J t - 4 I2 = 0,    I1 = |F|^2, J = det F, I2 = |cof F|^2
// and Newton's method falls to it monotonically from sqrt(I1 + 2 sqrt(3 I2)). Then, with q = (t^2 - I1) / 2,
//     R = ((q + I1) F + t cof F - F F^T F) / (t q - J),
// whose denominator (s1+s2)(s2+s3)(s3+s1) vanishes only where the projection itself is not unique.

#include "sim/energy/arap_kernel.hpp"
#include "sim/energy/arap_lanes.inl"
#include "sim/energy/rotation_fit.hpp"

namespace rebound::sim {
namespace {

// Newton from above needs 2 to 4 steps for moderate strain; double roots converge linearly.
constexpr int kNewtonSteps = 24;
constexpr double kNewtonTolerance = 1e-16;
// Above this the closed form has lost so many digits that one polishing step would not bring them back.
constexpr double kOrthogonalityLimit = 1e-7;

/// What the quartic depends on, and its root.
struct TraceEquation {
  Lanes I1, J, I2, t;
};

// All eight go on until the last of them is done, in however many registers they stand: so the bits are the same.
REBOUND_INLINE void solve_for_traces(TraceEquation* of) {
  for (int n = 0; n < kRegisters; ++n)
    of[n].t = square_root(of[n].I1 + 2.0 * square_root(3.0 * of[n].I2));
  for (int k = 0; k < kNewtonSteps; ++k) {
    bool small = true;
    for (int n = 0; n < kRegisters; ++n) {
      const auto& [I1, J, I2, t] = of[n];
      const Lanes u = t * t - I1;
      const Lanes value = u * u - 8.0 * J * t - 4.0 * I2;
      const Lanes slope = larger(4.0 * (t * u - 2.0 * J), splat(1e-200));
      const Lanes step = value / slope;
      // What is left after this step: step^2 times half the second derivative over the slope.
      const Lanes curvature = 2.0 * (u + 2.0 * t * t);
      small &= !any_above(step * step * curvature, kNewtonTolerance * t * slope);
      of[n].t = t - step;
    }
    if (small) break;
  }
}

/// Row-major, one matrix a lane.
REBOUND_INLINE void cofactors(const Lanes* F, Lanes* cof) {
  cof[0] = F[4] * F[8] - F[5] * F[7];
  cof[1] = F[5] * F[6] - F[3] * F[8];
  cof[2] = F[3] * F[7] - F[4] * F[6];
  cof[3] = F[2] * F[7] - F[1] * F[8];
  cof[4] = F[0] * F[8] - F[2] * F[6];
  cof[5] = F[1] * F[6] - F[0] * F[7];
  cof[6] = F[1] * F[5] - F[2] * F[4];
  cof[7] = F[2] * F[3] - F[0] * F[5];
  cof[8] = F[0] * F[4] - F[1] * F[3];
}

REBOUND_INLINE TraceEquation trace_equation(const Lanes* F, const Lanes* cof) {
  const Lanes J = F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2];
  Lanes I1 = F[0] * F[0], I2 = cof[0] * cof[0];
  for (int i = 1; i < 9; ++i) {
    I1 += F[i] * F[i];
    I2 += cof[i] * cof[i];
  }
  return {I1, J, I2, splat(0)};
}

template <class Mask>
__attribute__((noinline)) void replace_bad(const Lanes* F, Lanes* R, const Mask& good) {
  for (int lane = 0; lane < kWidth; ++lane) {
    if (good[lane] != 0) continue;
    double f[9], r[9];
    for (int i = 0; i < 9; ++i) f[i] = F[i][lane];
    rotation_by_svd(f, r);
    for (int i = 0; i < 9; ++i) R[i][lane] = r[i];
  }
}

// One Newton-Schulz step, R (3 I - R^T R) / 2, squares a small orthogonality error away; a large one is redone.
REBOUND_INLINE void polish_or_replace(const Lanes* F, Lanes* R) {
  const Lanes g00 = R[0] * R[0] + R[3] * R[3] + R[6] * R[6] - 1.0, g11 = R[1] * R[1] + R[4] * R[4] + R[7] * R[7] - 1.0,
              g22 = R[2] * R[2] + R[5] * R[5] + R[8] * R[8] - 1.0, g01 = R[0] * R[1] + R[3] * R[4] + R[6] * R[7],
              g02 = R[0] * R[2] + R[3] * R[5] + R[6] * R[8], g12 = R[1] * R[2] + R[4] * R[5] + R[7] * R[8];
  const Lanes error =
      magnitude(g00) + magnitude(g11) + magnitude(g22) + magnitude(g01) + magnitude(g02) + magnitude(g12);
  for (int r = 0; r < 9; r += 3) {
    const Lanes x = R[r], y = R[r + 1], z = R[r + 2];
    R[r] = x - 0.5 * (x * g00 + y * g01 + z * g02);
    R[r + 1] = y - 0.5 * (x * g01 + y * g11 + z * g12);
    R[r + 2] = z - 0.5 * (x * g02 + y * g12 + z * g22);
  }
  // Written so that a NaN counts as bad.
  const auto good = error <= kOrthogonalityLimit;
  if (!all(good)) [[unlikely]]
    replace_bad(F, R, good);
}

REBOUND_INLINE void finish_rotation(const Lanes* F, const Lanes* cof, const TraceEquation& e, Lanes* R) {
  const Lanes q = 0.5 * (e.t * e.t - e.I1);
  const Lanes denominator = 1.0 / larger(e.t * q - e.J, splat(1e-200));

  // C = F^T F; F F^T F = F C.
  const Lanes c00 = F[0] * F[0] + F[3] * F[3] + F[6] * F[6], c01 = F[0] * F[1] + F[3] * F[4] + F[6] * F[7],
              c02 = F[0] * F[2] + F[3] * F[5] + F[6] * F[8], c11 = F[1] * F[1] + F[4] * F[4] + F[7] * F[7],
              c12 = F[1] * F[2] + F[4] * F[5] + F[7] * F[8], c22 = F[2] * F[2] + F[5] * F[5] + F[8] * F[8];
  const Lanes a = (q + e.I1) * denominator, b = e.t * denominator;
  for (int r = 0; r < 9; r += 3) {
    const Lanes f0 = F[r], f1 = F[r + 1], f2 = F[r + 2];
    R[r] = a * f0 + b * cof[r] - denominator * (f0 * c00 + f1 * c01 + f2 * c02);
    R[r + 1] = a * f1 + b * cof[r + 1] - denominator * (f0 * c01 + f1 * c11 + f2 * c12);
    R[r + 2] = a * f2 + b * cof[r + 2] - denominator * (f0 * c02 + f1 * c12 + f2 * c22);
  }
  polish_or_replace(F, R);
}

/// Calls use(n, F, R) for each register n of a group; deformation(n, F) writes its F.
template <class Deformation, class Use>
REBOUND_INLINE void fit_group(const Deformation& deformation, const Use& use) {
  Lanes F[kRegisters][9], cof[kRegisters][9];
  TraceEquation equations[kRegisters];
  for (int n = 0; n < kRegisters; ++n) {
    deformation(n, F[n]);
    cofactors(F[n], cof[n]);
    equations[n] = trace_equation(F[n], cof[n]);
  }
  solve_for_traces(equations);
  for (int n = 0; n < kRegisters; ++n) {
    Lanes R[9];
    finish_rotation(F[n], cof[n], equations[n], R);
    use(n, F[n], R);
  }
}

// F = [x1-x0, x2-x0, x3-x0] D_m^-1.
REBOUND_INLINE void deformation_gradient(const TetGroup& group, int n, const double* x, Lanes* F) {
  Lanes origin[3], d[3][3];  // d[k][c]: component c of corner k + 1, from corner 0
  gather(x, group.vertex[0] + n * kWidth, origin);
  for (int k = 0; k < 3; ++k) {
    gather(x, group.vertex[k + 1] + n * kWidth, d[k]);
    for (int c = 0; c < 3; ++c) d[k][c] -= origin[c];
  }
  const auto D = [&](int i) { return load(group.inverse_rest[i] + n * kWidth); };
  for (int c = 0; c < 3; ++c)
    for (int j = 0; j < 3; ++j) F[3 * c + j] = d[0][c] * D(j) + d[1][c] * D(3 + j) + d[2][c] * D(6 + j);
}

double energy(const TetGroup* groups, int count, const double* x) {
  Lanes total[kRegisters];
  for (Lanes& part : total) part = splat(0);
  for (int g = 0; g < count; ++g)
    fit_group([&](int n, Lanes* F) REBOUND_LAMBDA { deformation_gradient(groups[g], n, x, F); },
              [&](int n, const Lanes* F, const Lanes* R) REBOUND_LAMBDA {
                Lanes squared = splat(0);
                for (int i = 0; i < 9; ++i) squared += (F[i] - R[i]) * (F[i] - R[i]);
                total[n] += load(groups[g].weight + n * kWidth) * squared;
              });
  return 0.5 * sum(total);
}

// dE/dF = w (F - R); dE/dx_{k+1} = dE/dF D_m^-T, column k; corner 0 takes the opposite of the three.
double forces(const TetGroup* groups, int count, const double* x, double* out) {
  Lanes total[kRegisters];
  for (Lanes& part : total) part = splat(0);
  for (int g = 0; g < count; ++g) {
    const TetGroup& group = groups[g];
    fit_group([&](int n, Lanes* F) REBOUND_LAMBDA { deformation_gradient(group, n, x, F); },
              [&](int n, Lanes* F, const Lanes* R) REBOUND_LAMBDA {
                const Lanes w = load(group.weight + n * kWidth);
                Lanes squared = splat(0);
                for (int i = 0; i < 9; ++i) {
                  F[i] -= R[i];
                  squared += F[i] * F[i];
                }
                total[n] += w * squared;
                const auto D = [&](int i) { return load(group.inverse_rest[i] + n * kWidth); };
                Lanes f[12];  // corner by corner
                for (int c = 0; c < 3; ++c) {
                  Lanes opposite = splat(0);
                  for (int k = 0; k < 3; ++k) {
                    const Lanes corner =
                        w * (F[3 * c] * D(3 * k) + F[3 * c + 1] * D(3 * k + 1) + F[3 * c + 2] * D(3 * k + 2));
                    opposite -= corner;
                    f[3 * (k + 1) + c] = corner;
                  }
                  f[c] = opposite;
                }
                store_by_lane(f, out + 12 * (static_cast<long>(g) * kLanes + n * kWidth));
              });
  }
  return 0.5 * sum(total);
}

void rotations(const double* matrices, int count, double* to) {
  for (int first = 0; first < count; first += kLanes) {
    const auto matrix = [&](int n, int lane) {
      const int i = first + n * kWidth + lane;
      return 9 * static_cast<long>(i < count ? i : count - 1);
    };
    fit_group(
        [&](int n, Lanes* F) {
          for (int lane = 0; lane < kWidth; ++lane)
            for (int k = 0; k < 9; ++k) F[k][lane] = matrices[matrix(n, lane) + k];
        },
        [&](int n, const Lanes*, const Lanes* R) {
          for (int lane = 0; lane < kWidth; ++lane)
            for (int k = 0; k < 9; ++k) to[matrix(n, lane) + k] = R[k][lane];
        });
  }
}

#undef REBOUND_LAMBDA
#undef REBOUND_INLINE

}  // namespace

extern const ArapKernel REBOUND_ARAP_KERNEL;
const ArapKernel REBOUND_ARAP_KERNEL = {REBOUND_ARAP_KERNEL_NAME, energy, forces, rotations};

}  // namespace rebound::sim
