// A-1 and A-search: positions by backward Euler, velocities between backward and forward Euler's.
//
// Source: [You26] Sec. 4 and Algorithm 1.
//   x_{n+1} = x_n + h w,  w = v_n - h M^-1 dE(x_{n+1})                                           (Eq. 9, 10)
//   dv      = h M^-1 (dE(x_{n+1}) - dE(x_n))
//   v_{n+1} = w + alpha dv                                                                        (Eq. 13)
//   alpha = 1, linearly symplectic and stable at any h^2 k/m.
//   A-search: alpha in [alpha_min, alpha_max], so that H is the target:                           (Eq. 15, 16)
//     |dv|_M^2/2 alpha^2 + <w, dv>_M alpha + K(w) + E(x_{n+1}) - H_total = 0, the root nearer 1
// Its variants [You26 5.6] are AlphaSettings. On SDIRK2 instead of backward Euler [You26 4.1], x is SDIRK2's, w its
// velocity, and w + dv that of its adjoint, which is one more solve.
//
// The forces are true gradients, never what a solve has left over: v's part of them is explicit, and only a converged x
// keeps that bounded. So the solves go on until they have converged, and say so where they are cut.
//
// We differ:
// - dv has the other sign, so that both velocities are on the line w + alpha dv in the order of alpha.
// - Friction is our step of friction, after the solve and before the correction; damping comes after both. What they
//   take is known exactly, where the paper estimates 2 P_n, and is taken from the target of the same step.
// - The target is the ledger's, whatever it was asked to be.
#pragma once

#include "sim/integrate/two_stage.hpp"

namespace rebound::sim {

class Decoupled final : public Integrator {
 public:
  /// search: A-search; otherwise A-1.
  explicit Decoupled(bool search) : search_(search) {}
  StepReport step(const StepInput& input, State& next) override;
  const Scheme* scheme(const History&) const override;

 private:
  StepReport solve(const StepInput& input, State& next);
  StepReport solve_adjoint(const StepInput& input, StepReport report);
  double choose_alpha(const StepInput& input, double a, double b, double c, StepReport& report) const;

  const bool search_;
  bool on_sdirk2_ = false;  ///< the last step
  StepBuffers buffers_;
  LastingForces forces_;
  TwoStage sdirk2_{kSdirk2};
  State adjoint_;
  Points dE_now_, dE_next_, dv_;
};

/// alpha of a alpha^2 + b alpha + c = 0 within [min, max], a >= 0: the root nearer 1, of two as near the larger;
/// without one, where the energy is nearest to the target; 1 where alpha changes nothing.
double search_alpha(double a, double b, double c, double min, double max);

}  // namespace rebound::sim
