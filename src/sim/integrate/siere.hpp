// SIERE: exponential Rosenbrock-Euler for the s lowest modes, semi-implicit Euler for all else [Chen20].
//
//   u' = H(u) + G(u),   G = f, v seen by the modes U alone                              [Chen20 Eq. 3, 8]
//   u_+ = u + (1 - h J_H)^-1 (h H(u) + h phi_1(h J_G) G(u))                             [Chen20 Eq. 10]
//
// In coordinates scaled by the root of the masses, X = M^1/2 U, X^T X = 1, with S and K of linearized_system.hpp:
//   r1 = h (v - X X^T v) + X p,   r2 = h (f - X X^T f) + X q     p, q: the exact swing of each mode (swing.hpp)
//   b  = r2 - h K r1;   b -= X X^T b;   y = S^-1 b;   y -= X X^T y
//   c  = X^T r2;   c_i /= 1 + h (a + b lambda_i)                 damping D = a M + b K
//   dv = X c + y,   dx = r1 + h y
// s = 0 is semi-implicit Euler: one Newton step of backward Euler from x_n.
//
// We differ: the paper solves 2 s + 4 systems with an unsymmetric matrix, by Sherman, Morrison and Woodbury (Eq. 14). As
// X X^T commutes with K, one solve with the symmetric S gives the same to rounding. Modes whose frequencies are equal
// are taken together, so that s may grow. Where S is indefinite it is factored as L D L^T.
#pragma once

#include <memory>

#include "sim/integrate/integrator.hpp"
#include "sim/step/modes.hpp"

namespace rebound::sim {

/// One step's increments in scaled coordinates; v, f: M^1/2 v, M^-1/2 f, with the damping's force in f.
struct ScaledIncrement {
  Vector dx, dv;
  double kinetic_of_modes = 0;  ///< J, of v in the modes
};
ScaledIncrement siere_increment(LinearizedSystem& system, const Modes& modes, const Vector& v, const Vector& f, double h,
                                ProportionalDamping damping);

class Siere final : public Integrator {
 public:
  /// with_modes false: semi-implicit Euler.
  explicit Siere(bool with_modes) : with_modes_(with_modes) {}
  StepReport step(const StepInput& input, State& next) override;
  void model_changed() override { system_.reset(); }

 private:
  bool with_modes_;
  std::unique_ptr<LinearizedSystem> system_;
  Points gradient_;
};

}  // namespace rebound::sim
