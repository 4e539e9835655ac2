// Triangles of sheets. Included by float_kernel.inl alone.
//
// As of rubber's tetrahedra, what neo-Hookean sheets need of F^T F is worked out in double precision: W is a small
// difference of large terms there.

namespace rebound::sim {
namespace {

/// Of corners 1 and 2, from corner 0.
struct PlaneEdges {
  Vector3 edge[2];
};

inline __attribute__((always_inline)) PlaneEdges plane_edges(const FloatTriangleGroup& group, int lane,
                                                             const float* x4) {
  const Vector3 origin = gather(x4, group.vertex[0] + lane);
  PlaneEdges e;
  for (int k = 0; k < 2; ++k) {
    const Vector3 p = gather(x4, group.vertex[k + 1] + lane);
    e.edge[k] = {p.x - origin.x, p.y - origin.y, p.z - origin.z};
  }
  return e;
}

inline __attribute__((always_inline)) Lanes product(const Vector3& a, const Vector3& b) {
  return dot(a.x, a.y, a.z, b.x, b.y, b.z);
}

inline __attribute__((always_inline)) Vector3 weighted_sum(Lanes a, const Vector3& u, Lanes b, const Vector3& v) {
  return {multiply_add(a, u.x, b * v.x), multiply_add(a, u.y, b * v.y), multiply_add(a, u.z, b * v.z)};
}

/// What a law is given. mu and lambda are multiplied by the volume: J.
struct SheetLanes {
  const FloatTriangleGroup& group;
  int lane;
  const PlaneEdges& edges;
  Vector3 F[2];  ///< columns
  Lanes mu, lambda;
};

/// S in P = F S: symmetric, 00 11 01.
struct SheetStress {
  Lanes s00, s11, s01;
};

// Each law has at(of, S): twice its energy, and S unless it is null; and kBarrier.

// 2 G = F^T F - 1; S = 2 mu G + lambda tr(G).
struct MembraneStVKLaw {
  static constexpr bool kBarrier = false;
  static inline __attribute__((always_inline)) Lanes at(const SheetLanes& of, SheetStress* S) {
    const Lanes G00 = product(of.F[0], of.F[0]) - 1.0f, G11 = product(of.F[1], of.F[1]) - 1.0f,
                G01 = product(of.F[0], of.F[1]), trace = G00 + G11;
    if (S != nullptr) {
      const Lanes pressure = 0.5f * of.lambda * trace;
      *S = {multiply_add(of.mu, G00, pressure), multiply_add(of.mu, G11, pressure), of.mu * G01};
    }
    const Lanes squares = dot(G00, G11, 2.0f * G01, G00, G11, G01);
    return multiply_add(0.5f * of.mu, squares, 0.25f * of.lambda * trace * trace);
  }
};

/// What neo-Hookean sheets need of C = F^T F in double precision.
struct alignas(64) SheetStretches {
  float G00[kWidth], G11[kWidth], G01[kWidth];  ///< C - 1
  float squared_area[kWidth];                   ///< det C
  float logarithm[kWidth];                      ///< ln j; 0 where there is no area
  float rounded[kWidth];                        ///< tr C - 2 - 2 ln j
};

inline __attribute__((always_inline)) void measure_sheet(const SheetLanes& of, SheetStretches& to) {
  alignas(64) float edges[6][kWidth];
  for (int k = 0; k < 2; ++k) {
    store(edges[3 * k], of.edges.edge[k].x);
    store(edges[3 * k + 1], of.edges.edge[k].y);
    store(edges[3 * k + 2], of.edges.edge[k].z);
  }
  for (int half = 0; half < kWidth; half += kDoubles) {
    const auto D = [&](int i) __attribute__((always_inline)) {
      return widen(of.group.inverse_rest[i] + of.lane + half);
    };
    Doubles f0[3], f1[3], C00 = {}, C11 = {}, C01 = {}, det = {};
    for (int c = 0; c < 3; ++c) {
      const Doubles e0 = widen(edges[c] + half), e1 = widen(edges[3 + c] + half);
      f0[c] = e0 * D(0) + e1 * D(2);
      f1[c] = e0 * D(1) + e1 * D(3);
      C00 += f0[c] * f0[c];
      C11 += f1[c] * f1[c];
      C01 += f0[c] * f1[c];
    }
    // As the square of the normal, which keeps its digits in a thin triangle.
    for (int c = 0; c < 3; ++c) {
      const int d = (c + 1) % 3, e = (c + 2) % 3;
      const Doubles N = f0[d] * f1[e] - f0[e] * f1[d];
      det += N * N;
    }
    const Doubles log_det = det > 1e-30 ? logarithm(det) : Doubles{};
    narrow(C00 - 1.0, to.G00 + half);
    narrow(C11 - 1.0, to.G11 + half);
    narrow(C01, to.G01 + half);
    narrow(det, to.squared_area + half);
    narrow(0.5 * log_det, to.logarithm + half);
    narrow(C00 + C11 - 2.0 - log_det, to.rounded + half);
  }
}

// S = (mu (C - 1) + lambda ln j) C^-1. Where there is no area the energy is infinite and has no slope.
struct MembraneNeoHookeanLaw {
  static constexpr bool kBarrier = true;
  static inline __attribute__((always_inline)) Lanes at(const SheetLanes& of, SheetStress* S) {
    SheetStretches stretches;
    measure_sheet(of, stretches);
    const Lanes det = load(stretches.squared_area), log_j = load(stretches.logarithm), zero = splat(0);
    const auto has_area = det > splat(1e-30f);
    if (S != nullptr) {
      const Lanes G00 = load(stretches.G00), G11 = load(stretches.G11), G01 = load(stretches.G01);
      const Lanes inverse = has_area ? 1.0f / det : zero, pressure = of.lambda * log_j;
      const Lanes A00 = multiply_add(of.mu, G00, pressure), A11 = multiply_add(of.mu, G11, pressure), A01 = of.mu * G01;
      const Lanes C00 = G00 + 1.0f, C11 = G11 + 1.0f;
      *S = {inverse * difference(C11, A00, G01, A01), inverse * difference(C00, A11, G01, A01),
            inverse * difference(C11, A01, G01, A11)};
    }
    const Lanes energy = multiply_add(of.mu, load(stretches.rounded), of.lambda * log_j * log_j);
    // A lane that is not used weighs nothing.
    return has_area ? energy : (of.mu > zero ? splat(__builtin_inff()) : zero);
  }
};

/// Twice the energy, and P, its columns, unless it is null.
template <class Law>
inline __attribute__((always_inline)) Lanes sheet_at(const FloatTriangleGroup& group, int lane, const PlaneEdges& e,
                                                     Vector3* P) {
  const auto D = [&](int i) __attribute__((always_inline)) { return load(group.inverse_rest[i] + lane); };
  const SheetLanes of = {group,
                         lane,
                         e,
                         {weighted_sum(D(0), e.edge[0], D(2), e.edge[1]), weighted_sum(D(1), e.edge[0], D(3), e.edge[1])},
                         load(group.mu + lane),
                         load(group.lambda + lane)};
  if (P == nullptr) return Law::at(of, nullptr);
  SheetStress S;
  const Lanes energy = Law::at(of, &S);
  P[0] = weighted_sum(S.s00, of.F[0], S.s01, of.F[1]);
  P[1] = weighted_sum(S.s01, of.F[0], S.s11, of.F[1]);
  return energy;
}

template <class Law>
double sheets_value(const FloatTriangleGroup* groups, int count, const float* x4) {
  return half_sum(
      count, [&](int g, int lane) __attribute__((always_inline)) {
        return sheet_at<Law>(groups[g], lane, plane_edges(groups[g], lane, x4), nullptr);
      });
}

// dE/dx_{k+1} = P D_m^-T, column k; corner 0 takes the opposite of the two.
template <class Law>
double add_sheets_gradient(const FloatTriangleGroup* groups, int count, const float* x4, float scale,
                           float* gradient4) {
  return half_sum(
      count, [&](int g, int lane) __attribute__((always_inline)) {
        const FloatTriangleGroup& group = groups[g];
        Vector3 P[2];
        const Lanes energy = sheet_at<Law>(group, lane, plane_edges(group, lane, x4), P);
        const auto corner = [&](int k) __attribute__((always_inline)) {
          return weighted_sum(scale * load(group.inverse_rest[2 * k] + lane), P[0],
                              scale * load(group.inverse_rest[2 * k + 1] + lane), P[1]);
        };
        const Vector3 first = corner(0), second = corner(1);
        scatter(first, group.vertex[1] + lane, gradient4);
        scatter(second, group.vertex[2] + lane, gradient4);
        scatter({-first.x - second.x, -first.y - second.y, -first.z - second.z}, group.vertex[0] + lane, gradient4);
        return energy;
      });
}

inline double cross_dot(const double* n, const double* a, const double* b) {
  return n[0] * (a[1] * b[2] - a[2] * b[1]) + n[1] * (a[2] * b[0] - a[0] * b[2]) + n[2] * (a[0] * b[1] - a[1] * b[0]);
}

// As Triangles::largest_step, one at a time: most lanes are done after three products.
double largest_sheet_step(const FloatTriangleGroup* groups, int count, const float* x4, const float* d4) {
  double first = __builtin_inf();
  for (int g = 0; g < count; ++g)
    for (int i = 0; i < kFloatLanes; ++i) {
      const FloatTriangleGroup& group = groups[g];
      if (group.mu[i] == 0) continue;
      double e[2][3], d[2][3];
      for (int k = 0; k < 2; ++k)
        for (int c = 0; c < 3; ++c) {
          const long to = 4 * static_cast<long>(group.vertex[k + 1][i]), from = 4 * static_cast<long>(group.vertex[0][i]);
          e[k][c] = static_cast<double>(x4[to + c] - x4[from + c]);
          d[k][c] = static_cast<double>(d4[to + c] - d4[from + c]);
        }
      const double n[3] = {e[0][1] * e[1][2] - e[0][2] * e[1][1], e[0][2] * e[1][0] - e[0][0] * e[1][2],
                           e[0][0] * e[1][1] - e[0][1] * e[1][0]};
      const double a = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
      if (!(a > 0)) return 0;
      const double b = cross_dot(n, e[0], d[1]) + cross_dot(n, d[0], e[1]), c = cross_dot(n, d[0], d[1]);
      if (a + (b < 0 ? b : 0) + (c < 0 ? c : 0) > 0) continue;
      const double root = first_root(a, b, c, 0);
      first = root < first ? root : first;
    }
  return first;
}

template <class Law>
constexpr FloatElementKernel<FloatTriangleGroup> kMembranes = {
    sheets_value<Law>, add_sheets_gradient<Law>, Law::kBarrier ? largest_sheet_step : nullptr};

}  // namespace
}  // namespace rebound::sim
