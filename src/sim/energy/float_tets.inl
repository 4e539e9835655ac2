// ARAP tetrahedra. Included by float_kernel.inl alone.
//
// Along a line. With t = s1 + s2 + s3, |F - R|^2 = |F|^2 - 2 t + 3 needs no rotation, but at a strain of 1e-3 it is
// 1e-6, the difference of numbers near 6. So the quartic for t is rewritten around F = R. With F^T F = 1 + A, a = tr A,
// m the second invariant of A, J = 1 + j, t = 3 + tau and the shape term b = a - 2 j, it is
//     (6 tau + tau^2 - a)^2 + 12 tau^2 - 8 j tau - 4 m + 12 b - 32 e = 0,    e = a - 2 tau = |F - R|^2
// in which every term is as small as e: floats keep their 6 to 7 digits of e, however small the strain. Newton's method
// rises to the smallest root e. The coefficients of a, m and b are worked out in double precision, where F^T F - 1
// loses nothing that floats would show.

namespace rebound::sim {
namespace {

struct Edges {
  Vector3 edge[3];  ///< of corner k + 1, from corner 0
};

template <class Group>
inline __attribute__((always_inline)) Edges edges(const Group& group, int lane, const float* x4) {
  const Vector3 origin = gather(x4, group.vertex[0] + lane);
  Edges e;
  for (int k = 0; k < 3; ++k) {
    const Vector3 p = gather(x4, group.vertex[k + 1] + lane);
    e.edge[k] = {p.x - origin.x, p.y - origin.y, p.z - origin.z};
  }
  return e;
}

/// F = [x1-x0, x2-x0, x3-x0] D_m^-1; D is the latter.
inline __attribute__((always_inline)) void deformation_gradient(const Edges& e, const Lanes* D, Lanes* F) {
  const auto& [d0, d1, d2] = e.edge;
  for (int j = 0; j < 3; ++j) {
    F[j] = dot(d0.x, d1.x, d2.x, D[j], D[3 + j], D[6 + j]);
    F[3 + j] = dot(d0.y, d1.y, d2.y, D[j], D[3 + j], D[6 + j]);
    F[6 + j] = dot(d0.z, d1.z, d2.z, D[j], D[3 + j], D[6 + j]);
  }
}

/// Calls use(group, lane, F - R) for lanes lane ... lane + kWidth - 1 of so many groups, register by register.
template <int kGroups, class Use>
inline __attribute__((always_inline)) void fit_groups(const FloatTetGroup* groups, const float* x4, const Use& use) {
  constexpr int kEach = kFloatLanes / kWidth, kRegisters = kGroups * kEach;
  Lanes F[kRegisters][9];
  RotationTerms terms[kRegisters];
  TraceEquation equations[kRegisters];
  for (int n = 0; n < kRegisters; ++n) {
    const FloatTetGroup& group = groups[n / kEach];
    const int lane = n % kEach * kWidth;
    Lanes D[9];
    for (int i = 0; i < 9; ++i) D[i] = load(group.inverse_rest[i] + lane);
    deformation_gradient(edges(group, lane, x4), D, F[n]);
    terms[n] = rotation_terms(F[n]);
    equations[n] = trace_equation(F[n], terms[n]);
  }
  solve_for_traces<kRegisters>(equations);
  for (int n = 0; n < kRegisters; ++n) {
    Lanes R[9];
    finish_rotation(F[n], terms[n], equations[n], R);
    for (int i = 0; i < 9; ++i) F[n][i] -= R[i];
    use(groups[n / kEach], n % kEach * kWidth, F[n]);
  }
}

/// Half the sum of each(group, lane, F - R), two groups at a time: while one register of theirs waits for a division, the
/// others go on.
template <class Each>
inline __attribute__((always_inline)) double half_sum_of_fits(const FloatTetGroup* groups, int count, const float* x4,
                                                              const Each& each) {
  double total = 0;
  for (int first = 0; first < count; first += kGroupsASum) {
    const int end = first + kGroupsASum < count ? first + kGroupsASum : count;
    Lanes part = splat(0);
    const auto add = [&](const FloatTetGroup& group, int lane, Lanes* F)
                         __attribute__((always_inline)) { part += each(group, lane, F); };
    int g = first;
    for (; g + 1 < end; g += 2) fit_groups<2>(groups + g, x4, add);
    if (g < end) fit_groups<1>(groups + g, x4, add);
    total += sum(part);
  }
  return 0.5 * total;
}

inline __attribute__((always_inline)) Lanes squared(const Lanes* F) {
  return dot(F[0], F[1], F[2], F[0], F[1], F[2]) + dot(F[3], F[4], F[5], F[3], F[4], F[5]) +
         dot(F[6], F[7], F[8], F[6], F[7], F[8]);
}

double tets_value(const FloatTetGroup* groups, int count, const float* x4) {
  return half_sum_of_fits(
      groups, count, x4, [](const FloatTetGroup& group, int lane, const Lanes* F) __attribute__((always_inline)) {
        return load(group.weight + lane) * squared(F);
      });
}

// dE/dx_{k+1} = dE/dF D_m^-T, column k; corner 0 takes the opposite of the three.
template <class Group>
inline __attribute__((always_inline)) void scatter_stress(const Group& group, int lane, const Lanes* P,
                                                          float* gradient4) {
  Vector3 opposite = {splat(0), splat(0), splat(0)};
  for (int k = 0; k < 3; ++k) {
    const Lanes d0 = load(group.inverse_rest[3 * k] + lane), d1 = load(group.inverse_rest[3 * k + 1] + lane),
                d2 = load(group.inverse_rest[3 * k + 2] + lane);
    const Vector3 corner = {dot(P[0], P[1], P[2], d0, d1, d2), dot(P[3], P[4], P[5], d0, d1, d2),
                            dot(P[6], P[7], P[8], d0, d1, d2)};
    opposite = {opposite.x - corner.x, opposite.y - corner.y, opposite.z - corner.z};
    scatter(corner, group.vertex[k + 1] + lane, gradient4);
  }
  scatter(opposite, group.vertex[0] + lane, gradient4);
}

// dE/dF = w (F - R).
double add_tets_gradient(const FloatTetGroup* groups, int count, const float* x4, float scale,
                         float* gradient4) {
  return half_sum_of_fits(
      groups, count, x4, [&](const FloatTetGroup& group, int lane, Lanes* F) __attribute__((always_inline)) {
        const Lanes w = load(group.weight + lane), energy = w * squared(F);
        for (int i = 0; i < 9; ++i) F[i] *= scale * w;
        scatter_stress(group, lane, F, gradient4);
        return energy;
      });
}

void rotations(const float* F, int count, float* R) {
  for (int first = 0; first < count; first += kWidth) {
    Lanes f[9], r[9];
    for (int lane = 0; lane < kWidth; ++lane) {
      const int i = first + lane < count ? first + lane : count - 1;
      for (int k = 0; k < 9; ++k) f[k][lane] = F[9 * static_cast<long>(i) + k];
    }
    fit_rotation(f, r);
    for (int lane = 0; lane < kWidth && first + lane < count; ++lane)
      for (int k = 0; k < 9; ++k) R[9 * static_cast<long>(first + lane) + k] = r[k][lane];
  }
}

inline __attribute__((always_inline)) Doubles inner_product(const Doubles* a, const Doubles* b) {
  Doubles s = a[0] * b[0];
  for (int i = 1; i < 9; ++i) s = multiply_add(a[i], b[i], s);
  return s;
}

/// Edges in memory, for what reads them half a register at a time.
struct alignas(64) StoredEdges {
  explicit inline __attribute__((always_inline)) StoredEdges(const Edges& e) {
    for (int k = 0; k < 3; ++k) {
      store(of[3 * k], e.edge[k].x);
      store(of[3 * k + 1], e.edge[k].y);
      store(of[3 * k + 2], e.edge[k].z);
    }
  }
  float of[9][kWidth];  ///< component c of edge k: 3 k + c
};

/// F of kDoubles tetrahedra, the first being `half` lanes after `lane`.
template <class Group>
inline __attribute__((always_inline)) void deformation_gradient(const Group& group, int lane, const StoredEdges& e,
                                                                int half, Doubles* F) {
  for (int c = 0; c < 3; ++c)
    for (int j = 0; j < 3; ++j) {
      const auto D = [&](int k) __attribute__((always_inline)) {
        return widen(group.inverse_rest[3 * k + j] + lane + half);
      };
      F[3 * c + j] = multiply_add(widen(e.of[c] + half), D(0),
                                  multiply_add(widen(e.of[3 + c] + half), D(1), widen(e.of[6 + c] + half) * D(2)));
    }
}

inline __attribute__((always_inline)) void cofactor(const Doubles* a, Doubles* cof) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = 3 * ((i + 1) % 3), i2 = 3 * ((i + 2) % 3), j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      cof[3 * i + j] = multiply_add(a[i1 + j1], a[i2 + j2], -(a[i1 + j2] * a[i2 + j1]));
    }
}

/// A symmetric 3 x 3 matrix: 00 11 22 01 02 12.
struct Symmetric3 {
  Doubles m[6];

  inline __attribute__((always_inline)) Doubles trace() const { return m[0] + m[1] + m[2]; }
};

/// The symmetric part of F^T G - 1.
inline __attribute__((always_inline)) Symmetric3 strain(const Doubles* F, const Doubles* G) {
  const auto product = [&](int i, int j, Doubles start) __attribute__((always_inline)) {
    return multiply_add(F[i], G[j], multiply_add(F[3 + i], G[3 + j], multiply_add(F[6 + i], G[6 + j], start)));
  };
  const Doubles zero = {}, minus_one = zero - 1.0;
  const auto mixed = [&](int i, int j) __attribute__((always_inline)) {
    return 0.5 * product(i, j, product(j, i, zero));
  };
  return {{product(0, 0, minus_one), product(1, 1, minus_one), product(2, 2, minus_one), mixed(0, 1), mixed(0, 2),
           mixed(1, 2)}};
}

/// (tr A tr B - tr A B) / 2: of A and A its second invariant.
inline __attribute__((always_inline)) Doubles second_invariant(const Symmetric3& A, const Symmetric3& B) {
  const auto times = [&](int i) __attribute__((always_inline)) { return A.m[i] * B.m[i]; };
  const Doubles diagonal = multiply_add(A.m[0], B.m[1] + B.m[2],
                                        multiply_add(A.m[1], B.m[0] + B.m[2], A.m[2] * (B.m[0] + B.m[1])));
  return 0.5 * diagonal - (times(3) + times(4) + times(5));
}

/// The line of kDoubles tets whose deformation gradients go from F to G.
inline __attribute__((always_inline)) void line_coefficients(const Doubles* F, const Doubles* G, int lane,
                                                             FloatTetLine& line) {
  // F^T F - 1 along the line.
  const Symmetric3 A0 = strain(F, F), A1 = strain(F, G), A2 = strain(G, G);
  const Doubles a0 = A0.trace(), a1 = A1.trace(), a2 = A2.trace();
  narrow(a0, line.strain[0] + lane);
  narrow(a1, line.strain[1] + lane);
  narrow(a2, line.strain[2] + lane);

  // Three times det is F : cof F; tr A is raised to the degree of what it is added to.
  Doubles cof_F[9], cof_G[9];
  cofactor(F, cof_F);
  cofactor(G, cof_G);
  const auto determinant = [](const Doubles* m, const Doubles* cof) __attribute__((always_inline)) {
    return multiply_add(m[0], cof[0], multiply_add(m[1], cof[1], m[2] * cof[2]));
  };
  const Doubles third = 1.0 / 3.0 + Doubles{};
  narrow(a0 + 2.0 - 2.0 * determinant(F, cof_F), line.shape[0] + lane);
  narrow(third * (a0 + 2.0 * a1 - 2.0 * inner_product(G, cof_F)) + 2.0, line.shape[1] + lane);
  narrow(third * (2.0 * a1 + a2 - 2.0 * inner_product(F, cof_G)) + 2.0, line.shape[2] + lane);
  narrow(a2 + 2.0 - 2.0 * determinant(G, cof_G), line.shape[3] + lane);

  narrow(second_invariant(A0, A0), line.minors[0] + lane);
  narrow(second_invariant(A0, A1), line.minors[1] + lane);
  narrow(third * (second_invariant(A0, A2) + 2.0 * second_invariant(A1, A1)), line.minors[2] + lane);
  narrow(second_invariant(A1, A2), line.minors[3] + lane);
  narrow(second_invariant(A2, A2), line.minors[4] + lane);
}

void prepare_tet_lines(const FloatTetGroup* groups, int count, const float* from4, const float* to4,
                       FloatTetLine* lines) {
  for (int g = 0; g < count; ++g) {
    const FloatTetGroup& group = groups[g];
    for (int lane = 0; lane < kFloatLanes; lane += kWidth) {
      const StoredEdges from(edges(group, lane, from4)), to(edges(group, lane, to4));
      for (int half = 0; half < kWidth; half += kDoubles) {
        Doubles F[9], G[9];
        deformation_gradient(group, lane, from, half, F);
        deformation_gradient(group, lane, to, half, G);
        line_coefficients(F, G, lane + half, lines[g]);
      }
      store(lines[g].weight + lane, load(group.weight + lane));
    }
  }
}

// Newton's method here doubles the digits of e: the error left is about the square of the last step, over t.
constexpr float kLineTolerance = 1e-6f;
// Where the smallest roots meet, the slope is rounding: a step along it could lead anywhere. Of the slope, over I1 t.
constexpr float kSlopeFloor = 2e-5f;

/// e = |F - R|^2 of tr A = a, the shape term b and the second invariant m.
inline __attribute__((always_inline)) Lanes squared_distance(Lanes a, Lanes b, Lanes m) {
  const Lanes I1 = larger(a + 3.0f, splat(0)), I2 = larger(multiply_add(splat(2), a, m + 3.0f), splat(0));
  const Lanes j = 0.5f * (a - b), J2 = 2.0f * j + 2.0f;
  const Lanes constant = multiply_add(splat(12), b, -4.0f * m);
  Lanes e = multiply_add(splat(-2), square_root(multiply_add(splat(2), square_root(3.0f * I2), I1)), a + 6.0f);
  const Lanes least_slope = kSlopeFloor * (a + 6.0f) * (0.5f * (a - e) + 6.0f);
  for (int k = 0; k < kNewtonSteps; ++k) {
    const Lanes tau = 0.5f * (a - e), t = tau + 3.0f;
    const Lanes v = multiply_add(tau, tau + 6.0f, -a);
    const Lanes value = multiply_add(
        v, v, multiply_add(tau, multiply_add(splat(12), tau, -8.0f * j), multiply_add(splat(-32), e, constant)));
    const Lanes slope = multiply_add(t, v + 6.0f, -J2);
    const Lanes step = slope > least_slope ? 0.5f * value / slope : splat(0);
    e += step;
    if (all_at_most(step * step, t * multiply_add(splat(kLineTolerance), e, 1e-18f * t))) break;
  }
  return e;
}

double tet_lines_value(const FloatTetLine* lines, int count, double alpha) {
  const float p = static_cast<float>(1 - alpha), q = static_cast<float>(alpha);
  const float strain[3] = {p * p, 2 * p * q, q * q};
  const float shape[4] = {p * p * p, 3 * p * p * q, 3 * p * q * q, q * q * q};
  const float minors[5] = {p * p * p * p, 4 * p * p * p * q, 6 * p * p * q * q, 4 * p * q * q * q, q * q * q * q};
  return half_sum(
      count, [&](int g, int lane) __attribute__((always_inline)) {
        const FloatTetLine& line = lines[g];
        Lanes a = strain[0] * load(line.strain[0] + lane), b = shape[0] * load(line.shape[0] + lane),
              m = minors[0] * load(line.minors[0] + lane);
        for (int i = 1; i < 3; ++i) a = multiply_add(splat(strain[i]), load(line.strain[i] + lane), a);
        for (int i = 1; i < 4; ++i) b = multiply_add(splat(shape[i]), load(line.shape[i] + lane), b);
        for (int i = 1; i < 5; ++i) m = multiply_add(splat(minors[i]), load(line.minors[i] + lane), m);
        return load(line.weight + lane) * squared_distance(a, b, m);
      });
}

}  // namespace
}  // namespace rebound::sim
