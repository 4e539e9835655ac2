// The two explicit Euler methods: no solve, and no hope at h^2 k/m above 4. They are here to be seen failing.
//   forward Euler      x_{n+1} = x_n + h v_n,      v_{n+1} = v_n - h M^-1 dE(x_n)          [Dinev18 Eq. 1, 2]
//   symplectic Euler   v_{n+1} = v_n - h M^-1 dE(x_n),   x_{n+1} = x_n + h v_{n+1}
#pragma once

#include "sim/integrate/integrator.hpp"

namespace rebound::sim {

/// gradient: dE(x_n), zero at fixed vertices.
void forward_euler(const Model& model, const State& now, const Points& gradient, double h, Workers& workers,
                   State& next);

class ForwardEuler final : public Integrator {
 public:
  StepReport step(const StepInput& input, State& next) override;

 private:
  Points gradient_;
};

class SymplecticEuler final : public Integrator {
 public:
  StepReport step(const StepInput& input, State& next) override;

 private:
  Points gradient_;
};

}  // namespace rebound::sim
