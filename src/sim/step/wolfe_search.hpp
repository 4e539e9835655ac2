// How far to go along a line: to where the strong Wolfe conditions hold [Nocedal06 Alg. 3.5, 3.6].
//
//   phi(alpha) <= phi(0) + c1 alpha phi'(0),    |phi'(alpha)| <= c2 |phi'(0)|,    c1 = 1e-4, c2 = 0.9.
//
// 1 is tried first, so that a Newton step that is good costs one look; where phi still falls there as steeply as at 0,
// the search goes on beyond.
#pragma once

#include <algorithm>
#include <cmath>

namespace rebound::sim {

/// What there is to see at one point of the line.
struct LinePoint {
  double alpha = 0;
  double value = 0;          ///< phi(alpha), which may be infinite
  double slope = 0;          ///< phi'(alpha)
  bool falls_enough = true;  ///< the first condition, as far as it can be told
  /// The step is so short that phi(alpha) and phi(0) differ by rounding alone: falls_enough is told by the gradient,
  /// and is all that is asked for.
  bool flat = false;
};

class WolfeSearch {
 public:
  static constexpr double kSufficientDecrease = 1e-4, kCurvature = 0.9;

  /// start: alpha = 0, its slope negative. most: alpha may not exceed it; least: a smaller difference of two alphas is
  /// none. look(alpha) is called last with the alpha that is returned; alpha 0 if nothing falls.
  template <class Look>
  static LinePoint find(const LinePoint& start, double least, double most, const Look& look) {
    LinePoint before = start;
    double alpha = std::min(1.0, most);
    if (!(alpha > least)) return start;
    for (int trial = 0; trial < kMostGrowths; ++trial) {
      const LinePoint here = look(alpha);
      if (!falls(here) || (trial > 0 && !here.flat && here.value >= before.value))
        return zoom(start, before, here, least, look);
      if (is_level(start, here) || alpha >= most) return here;
      if (here.slope >= 0) return zoom(start, here, before, least, look);
      before = here;
      alpha = std::min(most, kGrowth * alpha);
    }
    return look(before.alpha);
  }

 private:
  static constexpr double kGrowth = 4, kLeastShare = 0.1;
  static constexpr int kMostGrowths = 30, kMostTrials = 80, kMostCubics = 10;

  static bool falls(const LinePoint& p) { return p.falls_enough && (p.flat || std::isfinite(p.value)); }
  static bool is_level(const LinePoint& start, const LinePoint& p) {
    return p.flat || std::abs(p.slope) <= kCurvature * std::abs(start.slope);
  }

  // low falls enough and is the lowest so far, and phi falls from there towards high.
  template <class Look>
  static LinePoint zoom(const LinePoint& start, LinePoint low, LinePoint high, double least, const Look& look) {
    for (int trial = 0; trial < kMostTrials && std::abs(high.alpha - low.alpha) > least; ++trial) {
      const double share = trial < kMostCubics ? share_of_cubic(low, high) : 0.5;
      const LinePoint here = look(low.alpha + share * (high.alpha - low.alpha));
      if (!falls(here) || (!here.flat && here.value >= low.value)) {
        high = here;
        continue;
      }
      if (is_level(start, here)) return here;
      if (here.slope * (high.alpha - low.alpha) >= 0) high = low;
      low = here;
    }
    return low.alpha > 0 ? look(low.alpha) : start;
  }

  // Where from low to high the cubic through both has its minimum [Nocedal06 Eq. 3.59], not too near to either; the
  // middle where it has none.
  static double share_of_cubic(const LinePoint& low, const LinePoint& high) {
    const double width = high.alpha - low.alpha;
    const double d1 = low.slope + high.slope - 3 * (high.value - low.value) / width;
    const double d2 = std::copysign(std::sqrt(d1 * d1 - low.slope * high.slope), width);
    const double share = 1 - (high.slope + d2 - d1) / (high.slope - low.slope + 2 * d2);
    return std::isfinite(share) ? std::clamp(share, kLeastShare, 1 - kLeastShare) : 0.5;
  }
};

}  // namespace rebound::sim
