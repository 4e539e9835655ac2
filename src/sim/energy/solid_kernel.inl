// Included once by each of solid_kernel_{baseline,avx2,avx512}.cpp. As in arap_kernel.inl, no library header is
// included.
//
// With F = sum_k x_k b_k^T, the force of corner k is V P b_k, and the block of corners j and k is
// V sum_cd b_jc b_kd dP_c/dF_d. For W = mu/2 (|F|^2 - 3) + w(J), P = mu F + w' cof(F), it is
//     V (mu (b_j . b_k) 1 + w'' c_j c_k^T - w' [F (b_j x b_k)]_x),   c_k = cof(F) b_k
// since d2J/dx_j dx_k is the cross product with F (b_j x b_k). For StVK, with f_k = F b_k and S = 2 mu G + lambda tr(G):
//     V ((b_j . S b_k) 1 + mu (f_k f_j^T + (b_j . b_k) F F^T) + lambda f_j f_k^T)

#include "sim/energy/solid_kernel.hpp"

namespace rebound::sim {
namespace {

#if defined(__AVX512F__)
constexpr int kWidth = 8;
#elif defined(__AVX2__)
constexpr int kWidth = 4;
#else
constexpr int kWidth = 2;
#endif
using Lanes = double __attribute__((vector_size(kWidth * sizeof(double)), may_alias));

inline __attribute__((always_inline)) Lanes load(const double* row) { return *reinterpret_cast<const Lanes*>(row); }

inline __attribute__((always_inline)) void store(double* row, Lanes a) { *reinterpret_cast<Lanes*>(row) = a; }

struct Vector3 {
  Lanes x, y, z;
};

inline __attribute__((always_inline)) Lanes dot(const Vector3& a, const Vector3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline __attribute__((always_inline)) Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// A b, A row-major.
inline __attribute__((always_inline)) Vector3 times(const Lanes* A, const Vector3& b) {
  return {A[0] * b.x + A[1] * b.y + A[2] * b.z, A[3] * b.x + A[4] * b.y + A[5] * b.z,
          A[6] * b.x + A[7] * b.y + A[8] * b.z};
}

struct Tets {
  Lanes F[9], mu, lambda;
  Vector3 b[4];
};

inline __attribute__((always_inline)) Tets read(const SolidInput& of, int lane) {
  Tets tets;
  for (int i = 0; i < 9; ++i) tets.F[i] = load(of.F[i] + lane);
  tets.mu = load(of.mu + lane);
  tets.lambda = load(of.lambda + lane);
  for (int k = 1; k < 4; ++k)
    tets.b[k] = {load(of.inverse_rest[3 * k - 3] + lane), load(of.inverse_rest[3 * k - 2] + lane),
                 load(of.inverse_rest[3 * k - 1] + lane)};
  const auto& b = tets.b;
  tets.b[0] = {-(b[1].x + b[2].x + b[3].x), -(b[1].y + b[2].y + b[3].y), -(b[1].z + b[2].z + b[3].z)};
  return tets;
}

/// Block `number`, column-major, of the lanes that count.
inline __attribute__((always_inline)) void write(const Lanes* block, int number, int lane, int count, double* blocks,
                                                 int stride) {
  for (int l = 0; l < kWidth && lane + l < count; ++l) {
    double* to = blocks + static_cast<long>(lane + l) * stride + 9 * number;
    for (int i = 0; i < 9; ++i) to[i] = block[i][l];
  }
}

inline __attribute__((always_inline)) void cofactors(const Lanes* F, Lanes* cof) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = 3 * ((i + 1) % 3), i2 = 3 * ((i + 2) % 3), j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      cof[3 * i + j] = F[i1 + j1] * F[i2 + j2] - F[i1 + j2] * F[i2 + j1];
    }
}

void deform(SolidInput& of) {
  for (int lane = 0; lane < kSolidLanes; lane += kWidth) {
    Lanes F[9], cof[9];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        F[3 * i + j] = load(of.F[3 * i] + lane) * load(of.inverse_rest[j] + lane) +
                       load(of.F[3 * i + 1] + lane) * load(of.inverse_rest[3 + j] + lane) +
                       load(of.F[3 * i + 2] + lane) * load(of.inverse_rest[6 + j] + lane);
    cofactors(F, cof);
    store(of.J + lane, F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2]);
    for (int i = 0; i < 9; ++i) store(of.F[i] + lane, F[i]);
  }
}

void determinant(const SolidInput& of_F, const SolidInput& of_dF, double (*powers)[kSolidLanes]) {
  for (int lane = 0; lane < kSolidLanes; lane += kWidth) {
    Lanes F[9], dF[9], cof[9], of_d[9], linear = {}, square = {};
    for (int i = 0; i < 9; ++i) {
      F[i] = load(of_F.F[i] + lane);
      dF[i] = load(of_dF.F[i] + lane);
    }
    cofactors(F, cof);
    cofactors(dF, of_d);
    for (int i = 0; i < 9; ++i) {
      linear += cof[i] * dF[i];
      square += of_d[i] * F[i];
    }
    store(powers[0] + lane, F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2]);
    store(powers[1] + lane, linear);
    store(powers[2] + lane, square);
    store(powers[3] + lane, dF[0] * of_d[0] + dF[1] * of_d[1] + dF[2] * of_d[2]);
  }
}

/// Of V P, row-major.
inline __attribute__((always_inline)) void write_forces(const Lanes* P, const Tets& tets, int lane, int count,
                                                        double* forces) {
  Vector3 corner[4];
  for (int k = 1; k < 4; ++k) corner[k] = times(P, tets.b[k]);
  corner[0] = {-(corner[1].x + corner[2].x + corner[3].x), -(corner[1].y + corner[2].y + corner[3].y),
               -(corner[1].z + corner[2].z + corner[3].z)};
  for (int l = 0; l < kWidth && lane + l < count; ++l) {
    double* to = forces + 12L * (lane + l);
    for (int k = 0; k < 4; ++k, to += 3) {
      to[0] = corner[k].x[l];
      to[1] = corner[k].y[l];
      to[2] = corner[k].z[l];
    }
  }
}

inline __attribute__((always_inline)) void write_energies(Lanes energy, int lane, int count, double* energies) {
  for (int l = 0; l < kWidth && lane + l < count; ++l) energies[lane + l] = energy[l];
}

/// Of W = mu/2 (|F|^2 - 3) + w(J): level(J, tets, lane) = V w, slope = V w'.
template <class Level, class Slope>
inline __attribute__((always_inline)) void rubber_gradient(const SolidInput& of, int count, double* energies,
                                                           double* forces, const Level& level, const Slope& slope) {
  for (int lane = 0; lane < kSolidLanes && lane < count; lane += kWidth) {
    const Tets tets = read(of, lane);
    const Lanes J = load(of.J + lane), w1 = slope(J, tets, lane);
    Lanes cof[9], P[9], squares = {};
    cofactors(tets.F, cof);
    for (int i = 0; i < 9; ++i) {
      squares += tets.F[i] * tets.F[i];
      P[i] = tets.mu * tets.F[i] + w1 * cof[i];
    }
    write_energies(0.5 * tets.mu * (squares - 3.0) + level(J, tets, lane), lane, count, energies);
    write_forces(P, tets, lane, count, forces);
  }
}

/// Of the same: slope(J, tets, lane) = V w', bend = V w''.
template <class Slope, class Bend>
inline __attribute__((always_inline)) void rubber_hessian(const SolidInput& of, int count, double* blocks, int stride,
                                                  const Slope& slope, const Bend& bend) {
  for (int lane = 0; lane < kSolidLanes && lane < count; lane += kWidth) {
    const Tets tets = read(of, lane);
    Lanes cof[9];
    cofactors(tets.F, cof);
    const Lanes J = load(of.J + lane);
    const Lanes w1 = slope(J, tets, lane), w2 = bend(J, tets, lane);
    Vector3 c[4];
    for (int k = 0; k < 4; ++k) c[k] = times(cof, tets.b[k]);
    for (int j = 0, number = 0; j < 4; ++j)
      for (int k = 0; k <= j; ++k, ++number) {
        const Lanes diagonal = tets.mu * dot(tets.b[j], tets.b[k]);
        const Vector3 q = times(tets.F, cross(tets.b[j], tets.b[k])), a = {w2 * c[j].x, w2 * c[j].y, w2 * c[j].z};
        const Lanes qx = w1 * q.x, qy = w1 * q.y, qz = w1 * q.z;
        const Lanes block[9] = {a.x * c[k].x + diagonal, a.y * c[k].x - qz,       a.z * c[k].x + qy,
                                a.x * c[k].y + qz,       a.y * c[k].y + diagonal, a.z * c[k].y - qx,
                                a.x * c[k].z - qy,       a.y * c[k].z + qx,       a.z * c[k].z + diagonal};
        write(block, number, lane, count, blocks, stride);
      }
  }
}

void stable_neo_hookean_gradient(const SolidInput& of, int count, double* energies, double* forces) {
  rubber_gradient(
      of, count, energies, forces,
      [](Lanes J, const Tets& t, int) __attribute__((always_inline)) {
        return (J - 1.0) * (0.5 * (t.lambda + t.mu) * (J - 1.0) - t.mu);
      },
      [](Lanes J, const Tets& t, int) __attribute__((always_inline)) { return (t.lambda + t.mu) * (J - 1.0) - t.mu; });
}

void stable_neo_hookean_hessian(const SolidInput& of, int count, double* blocks, int stride) {
  rubber_hessian(
      of, count, blocks, stride,
      [](Lanes J, const Tets& t, int) __attribute__((always_inline)) { return (t.lambda + t.mu) * (J - 1.0) - t.mu; },
      [](Lanes, const Tets& t, int) __attribute__((always_inline)) { return t.lambda + t.mu; });
}

void neo_hookean_gradient(const SolidInput& of, int count, double* energies, double* forces) {
  rubber_gradient(
      of, count, energies, forces,
      [&](Lanes, const Tets& t, int lane) __attribute__((always_inline)) {
        const Lanes log_J = load(of.log_J + lane);
        return log_J * (0.5 * t.lambda * log_J - t.mu);
      },
      [&](Lanes J, const Tets& t, int lane)
          __attribute__((always_inline)) { return (t.lambda * load(of.log_J + lane) - t.mu) / J; });
}

void neo_hookean_hessian(const SolidInput& of, int count, double* blocks, int stride) {
  rubber_hessian(
      of, count, blocks, stride,
      [&](Lanes J, const Tets& t, int lane)
          __attribute__((always_inline)) { return (t.lambda * load(of.log_J + lane) - t.mu) / J; },
      [&](Lanes J, const Tets& t, int lane)
          __attribute__((always_inline)) { return (t.lambda * (1.0 - load(of.log_J + lane)) + t.mu) / (J * J); });
}

void stvk_gradient(const SolidInput& of, int count, double* energies, double* forces) {
  for (int lane = 0; lane < kSolidLanes && lane < count; lane += kWidth) {
    const Tets tets = read(of, lane);
    const Lanes* F = tets.F;
    Lanes S[9], P[9], squares = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        S[3 * i + j] = 0.5 * (F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j] - (i == j ? 1.0 : 0.0));
    for (int i = 0; i < 9; ++i) squares += S[i] * S[i];
    const Lanes trace = S[0] + S[4] + S[8];
    write_energies(tets.mu * squares + 0.5 * tets.lambda * trace * trace, lane, count, energies);
    for (int i = 0; i < 9; ++i) S[i] *= 2.0 * tets.mu;
    for (int i = 0; i < 9; i += 4) S[i] += tets.lambda * trace;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        P[3 * i + j] = F[3 * i] * S[j] + F[3 * i + 1] * S[3 + j] + F[3 * i + 2] * S[6 + j];
    write_forces(P, tets, lane, count, forces);
  }
}

void stvk_hessian(const SolidInput& of, int count, double* blocks, int stride) {
  for (int lane = 0; lane < kSolidLanes && lane < count; lane += kWidth) {
    const Tets tets = read(of, lane);
    const Lanes* F = tets.F;
    Lanes S[9], FFt[9], trace = Lanes{} - 1.5;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        S[3 * i + j] = tets.mu * (F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j]);
        FFt[3 * i + j] =
            tets.mu * (F[3 * i] * F[3 * j] + F[3 * i + 1] * F[3 * j + 1] + F[3 * i + 2] * F[3 * j + 2]);
      }
      trace += 0.5 * (F[i] * F[i] + F[3 + i] * F[3 + i] + F[6 + i] * F[6 + i]);
    }
    for (int i = 0; i < 9; i += 4) S[i] += tets.lambda * trace - tets.mu;
    Vector3 f[4];
    for (int k = 0; k < 4; ++k) f[k] = times(F, tets.b[k]);
    for (int j = 0, number = 0; j < 4; ++j)
      for (int k = 0; k <= j; ++k, ++number) {
        const Lanes diagonal = dot(tets.b[j], times(S, tets.b[k])), bb = dot(tets.b[j], tets.b[k]);
        const Vector3 a = {tets.mu * f[k].x, tets.mu * f[k].y, tets.mu * f[k].z},
                      c = {tets.lambda * f[j].x, tets.lambda * f[j].y, tets.lambda * f[j].z};
        const Lanes rows_a[3] = {a.x, a.y, a.z}, rows_c[3] = {c.x, c.y, c.z};
        const Lanes columns_a[3] = {f[j].x, f[j].y, f[j].z}, columns_c[3] = {f[k].x, f[k].y, f[k].z};
        Lanes block[9];
        for (int column = 0; column < 3; ++column)
          for (int row = 0; row < 3; ++row)
            block[3 * column + row] =
                rows_a[row] * columns_a[column] + rows_c[row] * columns_c[column] + bb * FFt[3 * row + column];
        for (int i = 0; i < 9; i += 4) block[i] += diagonal;
        write(block, number, lane, count, blocks, stride);
      }
  }
}

}  // namespace

extern const SolidKernel REBOUND_SOLID_KERNEL;
const SolidKernel REBOUND_SOLID_KERNEL = {REBOUND_SOLID_KERNEL_NAME,
                                               deform,
                                               determinant,
                                               {stvk_gradient, stvk_hessian},
                                               {neo_hookean_gradient, neo_hookean_hessian},
                                               {stable_neo_hookean_gradient, stable_neo_hookean_hessian}};

}  // namespace rebound::sim
