// Takes little energy out of what shakes, where backward Euler would be dear: its matrix, the contacts in that, and
// another friction step cost as much as the frame. This damps by the matrix that is there, one answer of the bodies:
//   v += alpha (A^-1 M - 1) (v - u),   A = M + c L, without contacts
// for the bodies that touch; x stays. u is the rigid motion of those that touch no obstacle: it loses nothing, and
// bodies that only touch one another keep their momenta. What lies on an obstacle rocks on it as well, and there u = 0.
// What is stiffest in A is damped most, as by backward Euler.
#pragma once

#include "sim/integrate/integrator.hpp"

namespace rebound::sim {

class Calming {
 public:
  /// Changes state.v of a step whose matrix A has c = coefficient (s^2). Takes so much out of K, or what it can.
  /// Returns how much that is, J.
  double take_out(const StepInput& input, double coefficient, double energy, State& state);

 private:
  State shaking_;  ///< v - u
  State way_;      ///< the derivative of v by alpha
};

}  // namespace rebound::sim
