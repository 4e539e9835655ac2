// A root of a smooth function on [0, 1] whose ends have opposite signs, by a secant that keeps the bracket (the
// Illinois rule: an end that stays twice counts half), with bisection where the secant hardly moves.
#pragma once

#include <cmath>

namespace rebound::sim {

/// f0 = f(0), f1 = f(1), of opposite sign or zero. Stops at |f| <= enough, after `most` evaluations, or when the
/// bracket is 1e-14 wide; returns the best point.
template <class Function>
double bracketed_root(const Function& f, double f0, double f1, double enough, int most) {
  double a = 0, b = 1, fa = f0, fb = f1;
  double best = std::abs(f0) < std::abs(f1) ? 0 : 1, f_best = std::abs(f0) < std::abs(f1) ? f0 : f1;
  double width = 1;
  for (int i = 0; i < most && std::abs(f_best) > enough && b - a > 1e-14; ++i) {
    double x = a + (b - a) * (fa / (fa - fb));
    // Every third step the bracket must have halved; a secant against a huge end can creep.
    if (i % 3 == 2) {
      if (b - a > 0.5 * width) x = 0.5 * (a + b);
      width = b - a;
    }
    if (!(x > a && x < b)) x = 0.5 * (a + b);
    const double fx = f(x);
    if (std::abs(fx) < std::abs(f_best)) {
      best = x;
      f_best = fx;
    }
    if ((fx > 0) == (f0 > 0)) {
      a = x;
      fa = fx;
      if (i > 0) fb *= 0.5;
    } else {
      b = x;
      fb = fx;
      if (i > 0) fa *= 0.5;
    }
  }
  return best;
}

}  // namespace rebound::sim
