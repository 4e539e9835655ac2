// Where a polynomial that begins above zero first comes down to it.
#pragma once

namespace rebound::sim {

/// The smallest t > 0 with a + b t + c t^2 + d t^3 = 0, to the last digits but never above where the sign changes;
/// infinity if there is none. a > 0. A polynomial that touches zero and leaves may be taken for one that stays above.
double first_root(double a, double b, double c, double d);

}  // namespace rebound::sim
