// Hinges, k (angle - rest_angle)^2 (hinges.hpp). Included by float_kernel.inl alone.

namespace rebound::sim {
namespace {

constexpr float kQuarterTurn = 1.57079632679f, kHalfTurn = 3.14159265359f;

/// atan2(y, x) to some 1e-7; 0 where both are.
inline __attribute__((always_inline)) Lanes direction_angle(Lanes y, Lanes x) {
  const Lanes zero = splat(0), ax = larger(x, -x), ay = larger(y, -y);
  const auto steep = ay > ax;
  const Lanes small = steep ? ax : ay, large = larger(steep ? ay : ax, splat(1e-37f));
  // The angle of the slope t is that of (t - 1) / (t + 1) and an eighth of a turn more.
  const auto beyond = small > 0.41421356f * large;
  const Lanes t = (beyond ? small - large : small) / (beyond ? small + large : large), t2 = t * t;
  Lanes series = splat(-1.0f / 15);
  for (int k = 13; k > 0; k -= 2) series = multiply_add(series, t2, splat((k % 4 == 1 ? 1.0f : -1.0f) / static_cast<float>(k)));
  Lanes angle = t * series + (beyond ? splat(0.5f * kQuarterTurn) : zero);
  angle = steep ? kQuarterTurn - angle : angle;
  angle = x < zero ? kHalfTurn - angle : angle;
  return y < zero ? -angle : angle;
}

inline __attribute__((always_inline)) Vector3 cross(const Vector3& a, const Vector3& b) {
  return {difference(a.y, b.z, a.z, b.y), difference(a.z, b.x, a.x, b.z), difference(a.x, b.y, a.y, b.x)};
}

/// What the energy and its slope need.
struct HingeLanes {
  Vector3 N1, N2;        ///< normals, twice the areas long
  Lanes length, off;     ///< of the edge; angle - rest_angle, 0 where a triangle has no area
  Lanes inverse1, inverse2;  ///< 1 / |N|^2, 0 likewise
};

inline __attribute__((always_inline)) HingeLanes hinge_at(const FloatHingeGroup& group, int lane, const Edges& e) {
  constexpr float kNoArea = 1e-12f;  // the sine of a corner, squared: below it a normal is rounding
  const auto& [along, u, v] = e.edge;
  HingeLanes h;
  h.N1 = cross(along, u);
  h.N2 = cross(v, along);
  const Lanes zero = splat(0), squared = product(along, along), q1 = product(h.N1, h.N1), q2 = product(h.N2, h.N2);
  const auto has_areas = (q1 > kNoArea * squared * product(u, u)) & (q2 > kNoArea * squared * product(v, v));
  h.length = square_root(squared);
  h.inverse1 = has_areas ? 1.0f / q1 : zero;
  h.inverse2 = has_areas ? 1.0f / q2 : zero;
  Lanes off = direction_angle(-h.length * product(h.N1, v), product(h.N1, h.N2)) - load(group.rest_angle + lane);
  off = off > kHalfTurn + zero ? off - 2.0f * kHalfTurn : off;
  off = off < zero - kHalfTurn ? off + 2.0f * kHalfTurn : off;
  h.off = has_areas ? off : zero;
  return h;
}

inline __attribute__((always_inline)) Lanes hinge_energy(const FloatHingeGroup& group, int lane, const HingeLanes& h) {
  return 2.0f * load(group.stiffness + lane) * h.off * h.off;
}

double hinges_value(const FloatHingeGroup* groups, int count, const float* x4) {
  return half_sum(
      count, [&](int g, int lane) __attribute__((always_inline)) {
        return hinge_energy(groups[g], lane, hinge_at(groups[g], lane, edges(groups[g], lane, x4)));
      });
}

double add_hinges_gradient(const FloatHingeGroup* groups, int count, const float* x4, float scale,
                           float* gradient4) {
  return half_sum(
      count, [&](int g, int lane) __attribute__((always_inline)) {
        const FloatHingeGroup& group = groups[g];
        const Edges e = edges(group, lane, x4);
        const HingeLanes h = hinge_at(group, lane, e);
        const Lanes pull = (-2.0f * scale) * load(group.stiffness + lane) * h.off * h.length;
        const Lanes p1 = pull * h.inverse1, p2 = pull * h.inverse2;
        const Vector3 third = {p1 * h.N1.x, p1 * h.N1.y, p1 * h.N1.z}, fourth = {p2 * h.N2.x, p2 * h.N2.y, p2 * h.N2.z};
        const Lanes squared = h.length * h.length, tiny = splat(1e-37f), over = 1.0f / larger(squared, tiny);
        const Lanes a = product(e.edge[0], e.edge[1]) * over, b = product(e.edge[0], e.edge[2]) * over;
        const Vector3 second = weighted_sum(-a, third, -b, fourth);
        const Vector3 first = weighted_sum(a - 1.0f, third, b - 1.0f, fourth);
        scatter(first, group.vertex[0] + lane, gradient4);
        scatter(second, group.vertex[1] + lane, gradient4);
        scatter(third, group.vertex[2] + lane, gradient4);
        scatter(fourth, group.vertex[3] + lane, gradient4);
        return hinge_energy(group, lane, h);
      });
}

}  // namespace
}  // namespace rebound::sim
