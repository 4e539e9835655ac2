// The trapezoid rule with the total energy as a constraint, held by a Lagrange multiplier.
//
// Source: [Hughes78], as shown in [Dinev18 Sec. 2, Fig. 1]. The energy is exact at any step size, and
// the motion is not: energy that the step would have misplaced is forced into whatever takes it, the elements begin to
// oscillate in place, and a swinging cloth gets stuck.
//
//   minimise  g(x) = 1/2 |x - y|_M^2 + h^2/4 E(x)        (the trapezoid rule, scheme.hpp)
//   subject to  C(x) = E(x) + K(v(x)) - H_total = 0,     v(x) = 2/h (x - x_n) - v_n
//
// With c = x_n + h/2 v_n, where v(c) = 0, h^2/4 C(x) = 1/2 |x - c|_M^2 + h^2/4 (E(x) - H_total): its elastic part is
// that of g. So dg + lambda dC = 0 is the trapezoid rule again, with y moved along a line:
//   M (x - y_s) + h^2/4 dE(x) = 0,   y_s = y + s (c - y),   s = mu / (1 + mu),   mu = 4 lambda / h^2
// and what remains is one equation in s, C(x(s)) = 0. At s = 1, x(s) minimises C: if any state that the rule can reach
// has the energy, there is a root below. The root next to 0, the plain trapezoid rule, is taken, if it can be reached
// from there. There always is another near x_n itself, where v = -v_n and C = 0: to fall back on it is to get stuck.
//
// We differ: the paper solves for x and lambda at once by Newton's method; this finds the same points with either
// solver.
#pragma once

#include "sim/integrate/integrator.hpp"

namespace rebound::sim {

class EnergyConstrained final : public Integrator {
 public:
  StepReport step(const StepInput& input, State& next) override;
  const Scheme* scheme(const History&) const override { return &kNewmark; }

 private:
  StepBuffers buffers_;
  Points y_, towards_;  ///< y, and c - y
  Points x_;            ///< where the solves begin
};

}  // namespace rebound::sim
