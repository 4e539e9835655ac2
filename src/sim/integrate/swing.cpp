#include "sim/integrate/swing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rebound::sim {
namespace {

// Three branches: cos, cosh, and the series where neither has digits left.
Swing undamped(double lambda, double h) {
  const double z = lambda * h * h;
  if (std::abs(z) < 1e-8) return {h * (1 - z / 6), h * h * (0.5 - z / 24)};
  const double w = std::sqrt(std::abs(lambda));
  const double half = lambda > 0 ? std::sin(0.5 * w * h) : std::sinh(0.5 * w * h);
  return {(lambda > 0 ? std::sin(w * h) : std::sinh(w * h)) / w, 2 * half * half / (w * w)};
}

// phi_1(z) = (e^z - 1) / z.
double phi_1(double z) { return z == 0 ? 1 : std::expm1(z) / z; }

// s = h sum_k t_k / (k + 1)!, c = h^2 sum_k t_k / (k + 2)!, t_k the sum of all products of k of the two roots.
Swing by_series(double sum, double product, double h) {
  double before = 0, t = 1, factorial = 1, s = 0, c = 0;
  for (int k = 0; k < 60; ++k) {
    factorial *= k + 1;
    const double of_s = t / factorial;
    s += of_s;
    c += of_s / (k + 2);
    if (std::max(std::abs(t), std::abs(before)) / factorial < std::numeric_limits<double>::min()) break;
    const double next = sum * t - product * before;
    before = t;
    t = next;
  }
  return {h * s, h * h * c};
}

}  // namespace

// z_1, z_2, the roots of z^2 + d h z + lambda h^2: s is h times the divided difference of exp between them, c is h^2
// times that of phi_1.
Swing swing(double lambda, double h, double d) {
  if (d == 0) return undamped(lambda, h);
  constexpr double kSmall = 3;  // up to there the series loses no digits worth a word
  const double half = 0.5 * d * h, product = lambda * h * h, square = half * half - product;
  if (square < 0) {
    if (product < kSmall * kSmall) return by_series(-2 * half, product, h);
    const double w = std::sqrt(-square), decay = std::exp(-half), s = decay * std::sin(w) / w;
    return {h * s, h * h * (1 - decay * std::cos(w) - half * s) / product};
  }
  const double m = std::sqrt(square);
  if (half + m < kSmall && m - half < kSmall) return by_series(-2 * half, product, h);
  // The one of smaller size by their product.
  const double z_1 = half > 0 ? -product / (half + m) : m - half, z_2 = half > 0 ? -(half + m) : product / (m - half);
  if (m < 1) {
    const double decay = std::exp(-half), s = m == 0 ? decay : decay * std::sinh(m) / m;
    return {h * s, h * h * (1 - decay * std::cosh(m) - half * s) / product};
  }
  return {h * (std::exp(z_1) - std::exp(z_2)) / (2 * m), h * h * (phi_1(z_1) - phi_1(z_2)) / (2 * m)};
}

}  // namespace rebound::sim
