// Hookean springs, E = k/2 (|d| - l)^2 with d = x_a - x_b. Included by float_kernel.inl alone.

namespace rebound::sim {
namespace {

// Below this square (m^2) a spring has no direction of its own; the square of a shorter one would lose digits.
constexpr float kShortestSquared = 1e-30f;

struct Stretch {
  Vector3 direction;
  Lanes stretch;  ///< |d| - l
};

/// Where a spring is too short to have a direction it takes the rest direction.
__attribute__((noinline)) void replace_short(const FloatSpringGroup& group, int lane, Lanes squared, Stretch& s) {
  for (int i = 0; i < kWidth; ++i) {
    // Written so that a NaN stays one.
    if (!(squared[i] < kShortestSquared)) continue;
    s.direction.x[i] = group.rest_direction[0][lane + i];
    s.direction.y[i] = group.rest_direction[1][lane + i];
    s.direction.z[i] = group.rest_direction[2][lane + i];
    s.stretch[i] = -group.length[lane + i];
  }
}

inline __attribute__((always_inline)) Stretch stretch(const FloatSpringGroup& group, int lane, const float* x4) {
  const Vector3 a = gather(x4, group.vertex[0] + lane), b = gather(x4, group.vertex[1] + lane);
  const Vector3 d = {a.x - b.x, a.y - b.y, a.z - b.z};
  const Lanes squared = dot(d.x, d.y, d.z, d.x, d.y, d.z);
  const Lanes length = square_root(squared), inverse = 1.0f / length;
  Stretch s = {{d.x * inverse, d.y * inverse, d.z * inverse},
               (length - load(group.length + lane)) - load(group.length_remainder + lane)};
  if (!all_at_most(splat(kShortestSquared), squared)) [[unlikely]]
    replace_short(group, lane, squared, s);
  return s;
}

double springs_value(const FloatSpringGroup* groups, int count, const float* x4) {
  return half_sum(
      count, [&](int g, int lane) __attribute__((always_inline)) {
        const Stretch s = stretch(groups[g], lane, x4);
        return load(groups[g].stiffness + lane) * s.stretch * s.stretch;
      });
}

double add_springs_gradient(const FloatSpringGroup* groups, int count, const float* x4, float scale,
                            float* gradient4) {
  return half_sum(
      count, [&](int g, int lane) __attribute__((always_inline)) {
        const Stretch s = stretch(groups[g], lane, x4);
        const Lanes tension = load(groups[g].stiffness + lane) * s.stretch, f = scale * tension;
        const Vector3 force = {f * s.direction.x, f * s.direction.y, f * s.direction.z};
        scatter(force, groups[g].vertex[0] + lane, gradient4);
        scatter({-force.x, -force.y, -force.z}, groups[g].vertex[1] + lane, gradient4);
        return tension * s.stretch;
      });
}

}  // namespace
}  // namespace rebound::sim
