// Implicit midpoint, its velocities then corrected towards the energy that should be there.
//
// Source: [Su13], as tried in [Dinev18 Sec. 5, Fig. 5]. Positions stay as they are; internal impulses
// along the elastic forces put the missing energy into the velocities, or take what is too much:
//   v' = v + s M^-1 f(x),   f = -dE_elastic(x),   s: E(x) + K(v') = H_total, the root nearest 0
// Such impulses keep linear and angular momentum, and can take no more than (v.f)^2 / (2 |f|^2_{M^-1}) joules.
// Potential energy that the step has put in by mistake is beyond their reach, piles up in the deformation, and in the
// end the simulation explodes; later than plain midpoint.
//
// We differ: the paper finds the error of each spring and sends an impulse along each; this is one s for the world,
// which works for any elastic energy.
#pragma once

#include "sim/integrate/integrator.hpp"

namespace rebound::sim {

class EnergyBudget final : public Integrator {
 public:
  StepReport step(const StepInput& input, State& next) override;
  const Scheme* scheme(const History&) const override { return &kImplicitMidpoint; }

 private:
  StepBuffers buffers_;
  Points dE_;
};

/// v -= s M^-1 dE with the s nearest 0 that makes K(v) = `budget` joules, or as near as that gets. dE: n x 3, N; rows
/// of fixed vertices are left out.
void correct_velocities(const Model& model, double budget, const Points& dE, Points& v);

}  // namespace rebound::sim
