// Implicit midpoint, blended with just enough backward or forward Euler to hold the tracked energy.
//
// Source: [Dinev18] Sec. 4.1 and Algorithm 1.
//   e(x, v) = E(x) + K(v) - H_total                                                              (Eq. 20)
//   x = (1 - alpha) x_IM + alpha x_BE,  v = (1 - alpha) v_IM + alpha v_BE                        (Eq. 21, 22)
//   alpha: e(alpha) = 0, found to within epsilon of the energy                                   (Eq. 23, 24)
// Glossary: IM implicit midpoint, BE backward Euler, FE forward Euler; H_total is the ledger's target.
//
// We differ:
// - The tolerance is tested on midpoint first; Algorithm 1 as printed would solve BE or FE in every frame.
// - Epsilon is a share of Ledger::scale(), which does not depend on where height zero is.
// - BE is iterated from x_IM until it is below the target (adaptive). The paper's single iteration is not always below
//   and then becomes a full BE step that overshoots; `stabilizer_iterations` = 1 selects it.
// - alpha comes from a bracketed secant; K is an exact quadratic in alpha, so a probe costs one evaluation of E along a
//   line, which the minimizer makes cheap.
// - Friction is not applied after the blend but to each of the states that are blended, with the matrix of its own
//   method, and e counts what it takes, which is at least the work of its impulses: so the blend mends what friction
//   gets wrong. What its pass has made is taken out of what shakes (calming.hpp) without waiting for the tolerance.
//   Where even full backward Euler is above the target, what friction has not taken is not booked, and of what makes
//   energy some is given up.
// - The blend reported is signed: alpha of BE, or minus the share of FE.
#pragma once

#include "sim/integrate/brake.hpp"
#include "sim/integrate/calming.hpp"

namespace rebound::sim {

class Stabilized final : public Integrator {
 public:
  StepReport step(const StepInput& input, State& next) override;
  const Scheme* scheme(const History&) const override { return &kImplicitMidpoint; }

 private:
  void look_at_start(const StepInput& input);
  /// gradient_ with surfaces where they begin.
  void find_forces_at_start(const StepInput& input);
  void take_midpoint(const StepInput& input, StepReport& report, State& next);
  /// What of a solve only takes energy acts on forward_.
  void rub_forward(const StepInput& input);
  void blend_with_forward_euler(const StepInput& input, double e_midpoint, StepReport& report, State& next);

  StepBuffers buffers_;
  State midpoint_, forward_;
  FrictionWork midpoint_friction_;
  Brake brake_;
  Calming calming_;
  Points gradient_;                        ///< dE(x_n)
  std::optional<double> work_from_start_;  ///< J, of movers by their forces at x_n; empty: nothing moves
};

}  // namespace rebound::sim
