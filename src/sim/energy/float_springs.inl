// Hookean springs, E = k/2 (|d| - l)^2 with d = x_a - x_b. Included by float_kernel.inl alone.
//
// Along a line |d|^2 - l^2 is a quadratic, worked out in double precision, and |d| - l = (|d|^2 - l^2) / (|d| + l):
// that keeps the digits of a small stretch.

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

void prepare_spring_lines(const FloatSpringGroup* groups, int count, const float* from4, const float* to4,
                          FloatSpringLine* lines) {
  const float* ends[2] = {from4, to4};
  for (int g = 0; g < count; ++g) {
    const FloatSpringGroup& group = groups[g];
    for (int lane = 0; lane < kFloatLanes; lane += kWidth) {
      alignas(64) float d[2][3][kWidth];
      for (int end = 0; end < 2; ++end) {
        const Vector3 a = gather(ends[end], group.vertex[0] + lane), b = gather(ends[end], group.vertex[1] + lane);
        store(d[end][0], a.x - b.x);
        store(d[end][1], a.y - b.y);
        store(d[end][2], a.z - b.z);
      }
      const Lanes length = load(group.length + lane);
      store(lines[g].length + lane, length);
      store(lines[g].stiffness + lane, load(group.stiffness + lane));
      for (int half = 0; half < kWidth; half += kDoubles) {
        const Doubles l = widen(group.length + lane + half) + widen(group.length_remainder + lane + half);
        const auto product = [&](int i, int k) {
          Doubles p = -l * l;
          for (int c = 0; c < 3; ++c) p += widen(d[i][c] + half) * widen(d[k][c] + half);
          return p;
        };
        narrow(product(0, 0), lines[g].excess[0] + lane + half);
        narrow(product(0, 1), lines[g].excess[1] + lane + half);
        narrow(product(1, 1), lines[g].excess[2] + lane + half);
      }
    }
  }
}

double spring_lines_value(const FloatSpringLine* lines, int count, double alpha) {
  const float p = static_cast<float>(1 - alpha), q = static_cast<float>(alpha);
  const float weight[3] = {p * p, 2 * p * q, q * q};
  return half_sum(
      count, [&](int g, int lane) __attribute__((always_inline)) {
        const FloatSpringLine& line = lines[g];
        Lanes excess = weight[0] * load(line.excess[0] + lane);
        for (int i = 1; i < 3; ++i) excess = multiply_add(splat(weight[i]), load(line.excess[i] + lane), excess);
        const Lanes l = load(line.length + lane);
        const Lanes length = square_root(larger(multiply_add(l, l, excess), splat(0)));
        const Lanes s = excess / larger(length + l, splat(kShortestSquared));
        return load(line.stiffness + lane) * s * s;
      });
}

}  // namespace
}  // namespace rebound::sim
