// A root of a smooth function on [0, 1] whose ends have opposite signs: of the line through them, of the parabola with
// what is found there, then a secant that keeps its bracket and weakens an end that stays (Anderson and Bjoerck's rule),
// with a bisection whenever three steps have not halved the bracket.
#pragma once

#include <cmath>

namespace rebound::sim {

/// On [0, 1], of the parabola that is f0 at 0, f1 at 1, of opposite sign, and f at x; NaN if there is none.
inline double parabola_root(double f0, double f1, double x, double f) {
  const double bend = (f0 + x * (f1 - f0) - f) / (x * (1 - x)), slope = f1 - f0 - bend;
  const double root = std::sqrt(slope * slope - 4 * bend * f0);
  return -2 * f0 / (slope + (f1 > f0 ? root : -root));
}

/// f0 = f(0), f1 = f(1), of opposite sign or zero. Stops at |f| <= enough, after `most` evaluations, or when the
/// bracket is 1e-14 wide; returns the best point.
template <class Function>
double bracketed_root(const Function& f, double f0, double f1, double enough, int most) {
  double a = 0, b = 1, fa = f0, fb = f1;  // fa, fb: weakened values of the ends
  double best = std::abs(f0) < std::abs(f1) ? 0 : 1, f_best = std::abs(f0) < std::abs(f1) ? f0 : f1;
  double last = 0, f_last = f0, width_before = 1;
  int same_side = 0;  // > 0: the last point replaced a; < 0: b
  for (int i = 0; i < most && std::abs(f_best) > enough && b - a > 1e-14; ++i) {
    double x = a + (b - a) * (fa / (fa - fb));
    if (i == 1) x = parabola_root(f0, f1, last, f_last);
    if (i % 3 == 2) {
      if (b - a > 0.5 * width_before) x = 0.5 * (a + b);
      width_before = b - a;
    }
    if (!(x > a && x < b)) x = 0.5 * (a + b);
    const double fx = f(x);
    last = x;
    f_last = fx;
    if (std::abs(fx) < std::abs(f_best)) {
      best = x;
      f_best = fx;
    }
    const auto weaken = [fx](double end, double replaced) {
      const double factor = 1 - fx / replaced;
      return end * (factor > 0 ? factor : 0.5);
    };
    if ((fx > 0) == (f0 > 0)) {
      if (same_side > 0) fb = weaken(fb, fa);
      a = x;
      fa = fx;
      same_side = 1;
    } else {
      if (same_side < 0) fa = weaken(fa, fb);
      b = x;
      fb = fx;
      same_side = -1;
    }
  }
  return best;
}

}  // namespace rebound::sim
