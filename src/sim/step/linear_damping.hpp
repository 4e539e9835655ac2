// Damping that is a force, linear in the velocities.
#pragma once

namespace rebound::sim {

/// The force -D v, D = a M + b K + c 1: a in 1/s, b in s, c in kg/s, all >= 0.
struct LinearDamping {
  double a = 0, b = 0, c = 0;

  /// Does M^-1 D commute with M^-1 K? Then a mode is damped without the others.
  bool is_proportional() const { return c == 0; }
};

}  // namespace rebound::sim
