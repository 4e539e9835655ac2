// A mode that swings for h seconds: q'' + lambda q = 0, solved exactly, whatever the sign of lambda.
#pragma once

#include <cmath>

namespace rebound::sim {

/// The integrals of the mode's motion over a step, phi_1 of [Chen20 Eq. 10-12] times h. From velocity a and force b (a
/// unit of mass) it goes a s + b c, and its velocity changes by b s - lambda a c.
struct Swing {
  double s;  ///< s:   sin(w h) / w,           w^2 = lambda
  double c;  ///< s^2: (1 - cos(w h)) / w^2
};

// Three branches: cos, cosh, and the series where neither has digits left.
inline Swing swing(double lambda, double h) {
  const double z = lambda * h * h;
  if (std::abs(z) < 1e-8) return {h * (1 - z / 6), h * h * (0.5 - z / 24)};
  const double w = std::sqrt(std::abs(lambda));
  const double half = lambda > 0 ? std::sin(0.5 * w * h) : std::sinh(0.5 * w * h);
  return {(lambda > 0 ? std::sin(w * h) : std::sinh(w * h)) / w, 2 * half * half / (w * w)};
}

}  // namespace rebound::sim
