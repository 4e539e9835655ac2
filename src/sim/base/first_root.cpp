#include "sim/base/first_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rebound::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMostBisections = 1200;  // some 60, unless t is very near 0

struct Cubic {
  double a, b, c, d;
  double operator()(double t) const { return a + t * (b + t * (c + t * d)); }
};

// p is above zero at `above` and not at `below`, and falls all the way between.
double bisected(const Cubic& p, double above, double below) {
  for (int i = 0; i < kMostBisections; ++i) {
    const double middle = above + 0.5 * (below - above);
    if (middle <= above || middle >= below) break;
    (p(middle) > 0 ? above : below) = middle;
  }
  return above;
}

// Does p fall in the end?
bool ends_below(const Cubic& p) {
  if (p.d != 0) return p.d < 0;
  return p.c != 0 ? p.c < 0 : p.b < 0;
}

}  // namespace

double first_root(double a, double b, double c, double d) {
  const Cubic p{a, b, c, d};
  // Where p turns: 3 d t^2 + 2 c t + b = 0.
  double turns[2] = {kInfinity, kInfinity};
  const double discriminant = c * c - 3 * d * b;
  if (discriminant >= 0) {
    const double q = -(c + std::copysign(std::sqrt(discriminant), c));
    turns[0] = q / (3 * d);
    turns[1] = b / q;
    for (double& t : turns)
      if (!(t > 0)) t = kInfinity;
    if (turns[1] < turns[0]) std::swap(turns[0], turns[1]);
  }
  double from = 0;
  for (const double turn : turns) {
    if (!std::isfinite(turn)) break;
    if (p(turn) <= 0) return bisected(p, from, turn);
    from = turn;
  }
  if (!ends_below(p)) return kInfinity;
  double to = std::max(1.0, 2 * from);
  while (p(to) > 0 && std::isfinite(to)) to *= 2;
  return std::isfinite(to) ? bisected(p, from, to) : kInfinity;
}

}  // namespace rebound::sim
