// A mode that swings for h seconds: q'' + d q' + lambda q = b, solved exactly, whatever the sign of lambda and the size
// of d.
#pragma once

namespace rebound::sim {

/// Its answer to a push and to a force over a step: of phi_1 of [Chen20 Eq. 10-12] times h what is not known anyway.
/// From velocity a and force b (a unit of mass, without the damping's) it goes a s + b c, and its velocity changes by
/// b s - (lambda c + d s) a.
struct Swing {
  double s;  ///< s:   of q'(0) = 1, q where it ends; without damping sin(w h) / w,  w^2 = lambda
  double c;  ///< s^2: the integral of that over the step; (1 - cos(w h)) / w^2
};

/// lambda: 1/s^2. d: 1/s.
Swing swing(double lambda, double h, double d = 0);

}  // namespace rebound::sim
