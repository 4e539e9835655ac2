// Where a polynomial that begins above zero first comes down to it.
#pragma once

#include <algorithm>

namespace rebound::sim {

/// The smallest t > 0 with a + b t + c t^2 + d t^3 = 0, to the last digits but never above where the sign changes;
/// infinity if there is none. a > 0. A polynomial that touches zero and leaves may be taken for one that stays above.
double first_root(double a, double b, double c, double d);

/// Can a + b t + c t^2 + d t^3 come down to zero at all for 0 <= t <= end? A quick look: yes may be wrong, no is not.
inline bool may_have_root(double a, double b, double c, double d, double end) {
  return !(a + end * (std::min(b, 0.0) + end * (std::min(c, 0.0) + end * std::min(d, 0.0))) > 0);
}

/// Nobody steps farther than this many times along a direction: roots beyond are not sought.
inline constexpr double kFarthestStep = 16;

}  // namespace rebound::sim
