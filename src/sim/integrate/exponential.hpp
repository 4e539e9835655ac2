// Exponential Rosenbrock-Euler (ERE) [Chen20 Sec. 2, Chen18]: the motion linearised about the state, exactly.
//
//   u_+ = u + h phi_1(h J) F(u),   J = [0 1; -K 0] at x_n, in coordinates scaled by the root of the masses:
//   dx = s(K) v + c(K) f,   dv = s(K) f - (K c(K) + D s(K)) v      s, c: swing.hpp, of each eigenvalue of K
//
// with D = a + b K the damping, which takes what their energies lack: f^T dx - dx^T K dx / 2 - d(v^T v) / 2.
//
// By symmetric Lanczos, for v and f side by side. The products with K that they take grow as h times the highest
// frequency, so as the root of the stiffness: this is what SIERE spares. No step is cut into smaller ones; products are
// counted as the step's iterations.
//
// We differ: the paper takes a Krylov space of the unsymmetric 2n x 2n J, which is twice as long and loses symmetry.
#pragma once

#include <memory>

#include "sim/integrate/integrator.hpp"
#include "sim/integrate/swing.hpp"
#include "sim/linear/hessian_by_rows.hpp"
#include "sim/linear/lanczos.hpp"
#include "sim/step/linearized_system.hpp"

namespace rebound::sim {

class Exponential final : public Integrator {
 public:
  StepReport step(const StepInput& input, State& next) override;
  void model_changed() override { system_.reset(); }

 private:
  std::unique_ptr<LinearizedSystem> system_;
  Lanczos lanczos_;
  HessianByRows K_;
  LanczosResult result_;
  double h_ = 0;
  LinearDamping damping_;
  Points gradient_;
  Vector v_, f_, v_of_rows_, f_of_rows_, of_rows_, dx_, dv_, K_dx_;
};

}  // namespace rebound::sim
