// The generalized-alpha method: one solve, second order, with a setting for how fast what is too fast is forgotten.
//
// Source: [Chung93]; the row and what its numbers mean stand in scheme.hpp. a_n is a part of the state: after anything
// that is not motion, and after other methods, it is what acts at x_n.
// We differ: the force is that at x_{n+1-alpha_f}, not the mean of two forces, so that a step is a minimum.
#pragma once

#include "sim/integrate/integrator.hpp"

namespace rebound::sim {

class GeneralizedAlpha final : public Integrator {
 public:
  StepReport step(const StepInput& input, State& next) override;
  const Scheme* scheme(const History&) const override { return &scheme_.row; }
  bool carries_acceleration() const override { return true; }

 private:
  const Points& acceleration(const StepInput& input);

  GeneralizedAlphaScheme scheme_ = generalized_alpha(kUsualRho);
  StepBuffers buffers_;
  Points acting_;
};

}  // namespace rebound::sim
