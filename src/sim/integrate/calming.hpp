// Takes little energy out of what shakes, where backward Euler would be dear: its matrix, the contacts in that, and another
// friction step cost as much as the frame. This damps by the matrix that is there, one answer of the bodies:
//   v += alpha (A^-1 M - 1) (v - u),   A = M + c L, without contacts
// with u the rigid motion of each body, which loses nothing; x stays. The momenta of free bodies stay as well. What is
// stiffest in A is damped most, as by backward Euler.
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
