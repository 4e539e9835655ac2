// Lagged Rayleigh damping: the force -k D v, D the Hessian of the elastic energy at a state that is known.
//
// Source: [Gast15 Sec. 4.2]; D is made positive semi-definite element by element, so damping only takes.
//
// We differ: the paper adds k/(2h) |x - x_n|_D^2 to the objective of backward Euler. Here the same force acts after the
// step, implicitly, on the velocities alone:
//   ((1 + a h) M + k h D) v' = M v
// so any integrator can have it, and what it takes is known to the last joule: K(v) - K(v') >= 0. D is lagged by the
// same step: it is that of the positions at which the velocities are damped. The a M is Rayleigh's other half. Methods
// that are made of the linearised equations have a M + k K inside of their step, with K as it is (siere.hpp).
#pragma once

#include <memory>

#include "sim/damp/damping.hpp"
#include "sim/linear/cholesky.hpp"
#include "sim/linear/hessian.hpp"

namespace rebound::sim {

/// k in seconds: a vibration of angular frequency w loses about the share k w^2 of its velocity a second, so the
/// shrillest go first; a body that moves as a whole loses nothing. mass, a, in 1/s: all motion loses that share.
class RayleighDamping final : public Damping {
 public:
  double damp(const Model& model, DampingCoefficients of, double time, State& state) override;
  double share_of_unresolved(const Model& model, DampingCoefficients of, double time) const override;
  std::optional<LinearDamping> force(DampingCoefficients of, double time, double h) const override {
    return LinearDamping{of.mass * time / h, of.k * time / h, 0};
  }

 private:
  /// What the pattern of the model's elements fixes.
  struct System {
    explicit System(const Model& model);
    HessianBlocks D;
    CholeskyAnalysis analysis;
  };
  std::unique_ptr<System> system_;
};

}  // namespace rebound::sim
