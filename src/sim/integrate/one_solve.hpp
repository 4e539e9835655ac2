// Integrators that are one row of the scheme table: backward Euler, BDF2, implicit midpoint, Newmark.
#pragma once

#include "sim/integrate/integrator.hpp"

namespace rebound::sim {

class OneSolve final : public Integrator {
 public:
  explicit OneSolve(const Scheme& scheme) : scheme_(scheme) {}
  StepReport step(const StepInput& input, State& next) override;
  const Scheme* scheme(const History& history) const override;

 private:
  const Scheme scheme_;
  StepBuffers buffers_;
};

/// Minimises the scheme's objective from y = the inertial guess. forces_at: the share of the step after which it has
/// the forces that it solves for; empty: where it evaluates E.
StepReport solve_step(const Scheme& scheme, const StepInput& input, StepBuffers& buffers, State& next,
                      std::optional<double> forces_at = {});

}  // namespace rebound::sim
