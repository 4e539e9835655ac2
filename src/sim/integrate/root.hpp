// A root of a smooth function whose values at the ends of an interval have opposite signs.
#pragma once

#include <array>
#include <cmath>
#include <limits>

namespace rebound::sim {

/// Between a and b, where fa = f(a) and fb = f(b) have opposite signs, or one is zero. By secants that keep their
/// bracket and weaken an end that stays (Anderson and Bjoerck's rule), with a bisection whenever three steps have not
/// halved the bracket. Stops at |f| <= enough, after `most` evaluations, or when the bracket is 1e-14 wide; returns
/// the best point.
template <class Function>
double secant_root(const Function& f, double a, double b, double fa, double fb, double enough, int most) {
  const bool rises = fb > fa;
  double best = std::abs(fa) < std::abs(fb) ? a : b, f_best = std::abs(fa) < std::abs(fb) ? fa : fb;
  double width_before = b - a;
  int same_side = 0;  // > 0: the last point replaced a; < 0: b
  for (int i = 0; i < most && std::abs(f_best) > enough && b - a > 1e-14; ++i) {
    // fa, fb: weakened values of the ends.
    double x = a + (b - a) * (fa / (fa - fb));
    if (i % 3 == 2) {
      if (b - a > 0.5 * width_before) x = 0.5 * (a + b);
      width_before = b - a;
    }
    if (!(x > a && x < b)) x = 0.5 * (a + b);
    const double fx = f(x);
    if (std::abs(fx) < std::abs(f_best)) {
      best = x;
      f_best = fx;
    }
    const auto weaken = [fx](double end, double replaced) {
      const double factor = 1 - fx / replaced;
      return end * (factor > 0 ? factor : 0.5);
    };
    if ((fx < 0) == rises) {
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

/// Where a function is known already, and the slope of what is dear of it; NaN: that is not known.
struct RootNode {
  double x = 0, f = 0;
  double slope = std::numeric_limits<double>::quiet_NaN();
};

/// As secant_root, for an f that is dear but for a part that is known: the rest is interpolated by the polynomial
/// through the ends, with b's slope, then also through its values where that led. known(x) is called often.
template <class Function, class Known>
double interpolated_root(const Function& f, const Known& known, const RootNode& at_a, const RootNode& at_b,
                         double enough, int most) {
  constexpr int kGuesses = 3;
  constexpr int kMostSecants = 60;  // of a polynomial
  std::array<double, 3 + kGuesses> node, divided;
  int nodes = 0;
  const auto add_node = [&](double x, double difference) {
    for (int i = 0; i < nodes; ++i) difference = (difference - divided[i]) / (x - node[i]);
    node[nodes] = x;
    divided[nodes++] = difference;
  };
  // Newton's form.
  const auto guess = [&](double x) {
    double sum = 0;
    for (int i = nodes - 1; i >= 0; --i) sum = divided[i] + (x - node[i]) * sum;
    return sum + known(x);
  };
  double a = at_a.x, b = at_b.x, fa = at_a.f, fb = at_b.f;
  add_node(a, fa - known(a));
  add_node(b, fb - known(b));
  if (std::isfinite(at_b.slope)) {
    node[nodes] = b;
    divided[nodes++] = (at_b.slope - divided[1]) / (b - a);
  }
  for (int i = 0; i < kGuesses; ++i) {
    const double x = secant_root(guess, a, b, fa, fb, 0.1 * enough, kMostSecants);
    if (!(x > a && x < b)) break;
    const double fx = f(x);
    if (std::abs(fx) <= enough || --most <= 0) return x;
    const bool replaces_a = (fx > 0) == (fa > 0);
    (replaces_a ? a : b) = x;
    (replaces_a ? fa : fb) = fx;
    add_node(x, fx - known(x));
  }
  return secant_root(f, a, b, fa, fb, enough, most);
}

}  // namespace rebound::sim
