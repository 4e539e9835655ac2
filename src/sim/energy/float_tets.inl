// ARAP tetrahedra. Included by float_kernel.inl alone.

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

}  // namespace
}  // namespace rebound::sim
