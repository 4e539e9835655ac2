// Included once by each of solid_hessian_kernel_{baseline,avx2,avx512}.cpp. As in arap_kernel.inl, no library header is
// included.
//
// With F = sum_k x_k b_k^T, the block of corners j and k is V sum_cd b_jc b_kd dP_c/dF_d. For W = mu/2 |F|^2 + w(J):
//     V (mu (b_j . b_k) 1 + w'' c_j c_k^T - w' [F (b_j x b_k)]_x),   c_k = cof(F) b_k
// since d2J/dx_j dx_k is the cross product with F (b_j x b_k). For StVK, with f_k = F b_k and S = 2 mu G + lambda tr(G):
//     V ((b_j . S b_k) 1 + mu (f_k f_j^T + (b_j . b_k) F F^T) + lambda f_j f_k^T)

#include "sim/energy/solid_hessian_kernel.hpp"

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

inline __attribute__((always_inline)) Tets read(const SolidHessianInput& of, int lane) {
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

/// Of W = mu/2 |F|^2 + w(J): slope(J, tets, lane) = V w', bend = V w''.
template <class Slope, class Bend>
inline __attribute__((always_inline)) void rubber(const SolidHessianInput& of, int count, double* blocks, int stride,
                                                  const Slope& slope, const Bend& bend) {
  for (int lane = 0; lane < kHessianLanes && lane < count; lane += kWidth) {
    const Tets tets = read(of, lane);
    Lanes cof[9];
    cofactors(tets.F, cof);
    const Lanes J = tets.F[0] * cof[0] + tets.F[1] * cof[1] + tets.F[2] * cof[2];
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

void stable_neo_hookean(const SolidHessianInput& of, int count, double* blocks, int stride) {
  rubber(
      of, count, blocks, stride,
      [](Lanes J, const Tets& t, int) __attribute__((always_inline)) { return (t.lambda + t.mu) * (J - 1.0) - t.mu; },
      [](Lanes, const Tets& t, int) __attribute__((always_inline)) { return t.lambda + t.mu; });
}

void neo_hookean(const SolidHessianInput& of, int count, double* blocks, int stride) {
  rubber(
      of, count, blocks, stride,
      [&](Lanes J, const Tets& t, int lane)
          __attribute__((always_inline)) { return (t.lambda * load(of.log_J + lane) - t.mu) / J; },
      [&](Lanes J, const Tets& t, int lane)
          __attribute__((always_inline)) { return (t.lambda * (1.0 - load(of.log_J + lane)) + t.mu) / (J * J); });
}

void stvk(const SolidHessianInput& of, int count, double* blocks, int stride) {
  for (int lane = 0; lane < kHessianLanes && lane < count; lane += kWidth) {
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

extern const SolidHessianKernel REBOUND_SOLID_HESSIAN_KERNEL;
const SolidHessianKernel REBOUND_SOLID_HESSIAN_KERNEL = {REBOUND_SOLID_HESSIAN_KERNEL_NAME, stvk, neo_hookean,
                                                         stable_neo_hookean};

}  // namespace rebound::sim
