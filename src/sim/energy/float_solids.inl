// Tetrahedra of the materials that are no squared distance. Included by float_kernel.inl alone.
//
// P is worked out in floats. W of rubber is a small difference of large terms, so there F, |F|^2 - 3 and det F - 1 are in
// double precision: edges are exact differences of floats, and what the rest shape lost to rounding is only another rest
// shape.

namespace rebound::sim {
namespace {

inline __attribute__((always_inline)) void cofactors(const Lanes* F, Lanes* cof) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = 3 * ((i + 1) % 3), i2 = 3 * ((i + 2) % 3), j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      cof[3 * i + j] = difference(F[i1 + j1], F[i2 + j2], F[i1 + j2], F[i2 + j1]);
    }
}

inline __attribute__((always_inline)) Doubles determinant(const Doubles* F) {
  return F[0] * (F[4] * F[8] - F[5] * F[7]) + F[1] * (F[5] * F[6] - F[3] * F[8]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
}

/// ln x of positive normal numbers; of others, something.
inline __attribute__((always_inline)) Doubles logarithm(Doubles x) {
  using Longs = long __attribute__((vector_size(kDoubles * sizeof(long)), may_alias));
  constexpr long kMantissa = 0xfffffffffffff, kOneExponent = 0x3ff0000000000000;
  const Longs bits = reinterpret_cast<const Longs&>(x);
  Longs exponent = (bits >> 52) - 1023;
  Longs mantissa = (bits & kMantissa) | kOneExponent;
  Doubles m = reinterpret_cast<const Doubles&>(mantissa);
  const Longs high = m > 1.4142135623730951;  // -1 where true
  m = high ? 0.5 * m : m;
  exponent -= high;
  // ln m = 2 artanh((m - 1) / (m + 1)), of which the argument is at most 0.172.
  const Doubles s = (m - 1.0) / (m + 1.0), s2 = s * s;
  Doubles series = 1.0 / 19 + Doubles{};
  for (int k = 17; k > 0; k -= 2) series = series * s2 + 1.0 / k;
  return __builtin_convertvector(exponent, Doubles) * 0.6931471805599453 + 2.0 * s * series;
}

/// What W needs of F in double precision.
struct alignas(64) Stretches {
  float excess[kWidth];     ///< |F|^2 - 3 - 2 (J - 1): of second order in the strain
  float swelling[kWidth];   ///< J - 1
  float logarithm[kWidth];  ///< ln J; 0 where J <= 0
  float rounded[kWidth];    ///< |F|^2 - 3 - 2 ln J
  float J[kWidth];
};

template <bool logarithms>
inline __attribute__((always_inline)) void measure_stretches(const FloatSolidGroup& group, int lane, const Edges& e,
                                                             Stretches& to) {
  const StoredEdges stored(e);
  for (int half = 0; half < kWidth; half += kDoubles) {
    Doubles F[9];
    deformation_gradient(group, lane, stored, half, F);
    const Doubles a = inner_product(F, F) - 3.0, J = determinant(F);
    narrow(a - 2.0 * (J - 1.0), to.excess + half);
    narrow(J - 1.0, to.swelling + half);
    narrow(J, to.J + half);
    if constexpr (logarithms) {
      const Doubles log_J = J > 1e-30 ? logarithm(J) : Doubles{};
      narrow(log_J, to.logarithm + half);
      narrow(a - 2.0 * log_J, to.rounded + half);
    }
  }
}

/// What a law is given. mu and lambda are multiplied by the volume: J.
struct SolidLanes {
  const FloatSolidGroup& group;
  int lane;
  const Edges& edges;
  const Lanes* F;
  Lanes mu, lambda;
};

// Each law has at(of, P): twice its energy, and P = dE/dF unless it is null; and kBarrier.

struct CorotatedLaw {
  static constexpr bool kBarrier = false;
  static inline __attribute__((always_inline)) Lanes at(const SolidLanes& of, Lanes* P) {
    Lanes R[9], off[9];
    fit_rotation(of.F, R);
    for (int i = 0; i < 9; ++i) off[i] = of.F[i] - R[i];
    const Lanes squares = dot(off[0], off[1], off[2], off[0], off[1], off[2]) +
                          dot(off[3], off[4], off[5], off[3], off[4], off[5]) +
                          dot(off[6], off[7], off[8], off[6], off[7], off[8]);
    const Lanes stretch = dot(R[0], R[1], R[2], off[0], off[1], off[2]) +
                          dot(R[3], R[4], R[5], off[3], off[4], off[5]) +
                          dot(R[6], R[7], R[8], off[6], off[7], off[8]);  // tr(R^T F - 1)
    const Lanes pressure = of.lambda * stretch;
    if (P != nullptr)
      for (int i = 0; i < 9; ++i) P[i] = multiply_add(2.0f * of.mu, off[i], pressure * R[i]);
    return multiply_add(2.0f * of.mu, squares, pressure * stretch);
  }
};

struct FixedCorotatedLaw {
  static constexpr bool kBarrier = false;
  static inline __attribute__((always_inline)) Lanes at(const SolidLanes& of, Lanes* P) {
    Lanes R[9], cof[9];
    fit_rotation(of.F, R);
    for (int i = 0; i < 9; ++i) R[i] = of.F[i] - R[i];
    const Lanes squares = dot(R[0], R[1], R[2], R[0], R[1], R[2]) + dot(R[3], R[4], R[5], R[3], R[4], R[5]) +
                          dot(R[6], R[7], R[8], R[6], R[7], R[8]);
    Stretches stretches;
    measure_stretches<false>(of.group, of.lane, of.edges, stretches);
    const Lanes swelling = load(stretches.swelling), pressure = of.lambda * swelling;
    if (P != nullptr) {
      cofactors(of.F, cof);
      for (int i = 0; i < 9; ++i) P[i] = multiply_add(2.0f * of.mu, R[i], pressure * cof[i]);
    }
    return multiply_add(2.0f * of.mu, squares, pressure * swelling);
  }
};

// 2 G = F^T F - 1; S = 2 mu G + lambda tr(G).
struct StVKLaw {
  static constexpr bool kBarrier = false;
  static inline __attribute__((always_inline)) Lanes at(const SolidLanes& of, Lanes* P) {
    const Lanes* F = of.F;
    Lanes G[6];  // 00 11 22 01 02 12, twice Green's strain
    const auto column = [&](int i, int j) __attribute__((always_inline)) {
      return dot(F[i], F[3 + i], F[6 + i], F[j], F[3 + j], F[6 + j]);
    };
    for (int i = 0; i < 3; ++i) G[i] = column(i, i) - 1.0f;
    G[3] = column(0, 1);
    G[4] = column(0, 2);
    G[5] = column(1, 2);
    const Lanes trace = G[0] + G[1] + G[2];
    const Lanes squares = dot(G[0], G[1], G[2], G[0], G[1], G[2]) + 2.0f * dot(G[3], G[4], G[5], G[3], G[4], G[5]);
    if (P != nullptr) {
      const Lanes pressure = 0.5f * of.lambda * trace;
      const Lanes S00 = multiply_add(of.mu, G[0], pressure), S11 = multiply_add(of.mu, G[1], pressure),
                  S22 = multiply_add(of.mu, G[2], pressure), S01 = of.mu * G[3], S02 = of.mu * G[4],
                  S12 = of.mu * G[5];
      for (int r = 0; r < 9; r += 3) {
        P[r] = dot(F[r], F[r + 1], F[r + 2], S00, S01, S02);
        P[r + 1] = dot(F[r], F[r + 1], F[r + 2], S01, S11, S12);
        P[r + 2] = dot(F[r], F[r + 1], F[r + 2], S02, S12, S22);
      }
    }
    return multiply_add(0.5f * of.mu, squares, 0.25f * of.lambda * trace * trace);
  }
};

struct StableNeoHookeanLaw {
  static constexpr bool kBarrier = false;
  static inline __attribute__((always_inline)) Lanes at(const SolidLanes& of, Lanes* P) {
    Stretches stretches;
    measure_stretches<false>(of.group, of.lane, of.edges, stretches);
    const Lanes swelling = load(stretches.swelling), l = of.lambda + of.mu, pressure = l * swelling;
    if (P != nullptr) {
      Lanes cof[9];
      cofactors(of.F, cof);
      for (int i = 0; i < 9; ++i) P[i] = multiply_add(of.mu, of.F[i] - cof[i], pressure * cof[i]);
    }
    return multiply_add(of.mu, load(stretches.excess), pressure * swelling);
  }
};

// Where J <= 0 the energy is infinite and has no slope.
struct NeoHookeanLaw {
  static constexpr bool kBarrier = true;
  static inline __attribute__((always_inline)) Lanes at(const SolidLanes& of, Lanes* P) {
    Stretches stretches;
    measure_stretches<true>(of.group, of.lane, of.edges, stretches);
    const Lanes J = load(stretches.J), log_J = load(stretches.logarithm), zero = splat(0);
    const auto upright = J > zero;
    if (P != nullptr) {
      Lanes cof[9];
      cofactors(of.F, cof);
      const Lanes inverse = upright ? 1.0f / J : zero, pressure = of.lambda * log_J * inverse;
      for (int i = 0; i < 9; ++i) {
        const Lanes p = multiply_add(of.mu, of.F[i] - inverse * cof[i], pressure * cof[i]);
        P[i] = upright ? p : zero;
      }
    }
    const Lanes energy = multiply_add(of.mu, load(stretches.rounded), of.lambda * log_J * log_J);
    // A lane that is not used weighs nothing.
    return upright ? energy : (of.mu > zero ? splat(__builtin_inff()) : zero);
  }
};

template <class Law>
inline __attribute__((always_inline)) Lanes solid_at(const FloatSolidGroup& group, int lane, const Edges& e, Lanes* P) {
  Lanes D[9], F[9];
  for (int i = 0; i < 9; ++i) D[i] = load(group.inverse_rest[i] + lane);
  deformation_gradient(e, D, F);
  return Law::at({group, lane, e, F, load(group.mu + lane), load(group.lambda + lane)}, P);
}

template <class Law>
double solids_value(const FloatSolidGroup* groups, int count, const float* x4) {
  return half_sum(
      count, [&](int g, int lane) __attribute__((always_inline)) {
        return solid_at<Law>(groups[g], lane, edges(groups[g], lane, x4), nullptr);
      });
}

template <class Law>
double add_solids_gradient(const FloatSolidGroup* groups, int count, const float* x4, float scale,
                           float* gradient4) {
  return half_sum(
      count, [&](int g, int lane) __attribute__((always_inline)) {
        const FloatSolidGroup& group = groups[g];
        Lanes P[9];
        const Lanes energy = solid_at<Law>(group, lane, edges(group, lane, x4), P);
        for (Lanes& p : P) p *= scale;
        scatter_stress(group, lane, P, gradient4);
        return energy;
      });
}

/// F : cof G.
inline __attribute__((always_inline)) Doubles along_cofactor(const Doubles* F, const Doubles* G) {
  Doubles cof[9];
  cofactor(G, cof);
  return inner_product(F, cof);
}

// det(F + t dF) is a cubic in t. Most tetrahedra are so far from flat that its coefficients tell that a whole step is
// free; the roots of the others are sought one at a time.
double largest_solid_step(const FloatSolidGroup* groups, int count, const float* x4, const float* d4) {
  double first = __builtin_inf();
  for (int g = 0; g < count; ++g) {
    const FloatSolidGroup& group = groups[g];
    for (int lane = 0; lane < kFloatLanes; lane += kWidth) {
      const StoredEdges at(edges(group, lane, x4)), along(edges(group, lane, d4));
      for (int half = 0; half < kWidth; half += kDoubles) {
        Doubles F[9], dF[9];
        deformation_gradient(group, lane, at, half, F);
        deformation_gradient(group, lane, along, half, dF);
        const Doubles a = determinant(F), b = along_cofactor(dF, F), c = along_cofactor(F, dF), d = determinant(dF),
                      zero = {};
        const Doubles least = a + (b < zero ? b : zero) + (c < zero ? c : zero) + (d < zero ? d : zero);
        for (int i = 0; i < kDoubles; ++i) {
          if (least[i] > 0 || group.mu[lane + half + i] == 0) continue;
          const double root = a[i] > 0 ? first_root(a[i], b[i], c[i], d[i]) : 0.0;
          first = root < first ? root : first;
        }
      }
    }
  }
  return first;
}

template <class Law>
constexpr FloatElementKernel<FloatSolidGroup> kSolids = {solids_value<Law>, add_solids_gradient<Law>,
                                                        Law::kBarrier ? largest_solid_step : nullptr};

}  // namespace
}  // namespace rebound::sim
