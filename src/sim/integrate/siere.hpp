// SIERE: exponential Rosenbrock-Euler for the s lowest modes, semi-implicit Euler for all else [Chen20].
//
//   u' = H(u) + G(u),   G = f, v seen by the modes U alone                              [Chen20 Eq. 3, 8]
//   u_+ = u + (1 - h J_H)^-1 (h H(u) + h phi_1(h J_G) G(u))                             [Chen20 Eq. 10]
//
// In coordinates scaled by the root of the masses, X = M^1/2 U, X^T X = 1, with S and K of linearized_system.hpp:
//   v_H = v - X X^T v,   f_H = f - X X^T f
//   p, q: how far each mode goes and what its velocity changes by, exactly (swing.hpp)
//   b  = h f_H - h D v_H - h K (h v_H + X p);   b -= X X^T b;   y = S^-1 b;   y -= X X^T y
//   dv = X q + y,   dx = X p + h (v_H + y)
// s = 0 is semi-implicit Euler: one Newton step of backward Euler from x_n.
//
// D = a M + b K damps a mode by d = a + b lambda. What it takes is the work of its force: of modes by the balance of
// their energies, of all else h (v_H + y)^T D (v_H + y), as backward Euler has it.
//
// We differ: the paper solves 2 s + 4 systems with an unsymmetric matrix, by Sherman, Morrison and Woodbury (Eq. 14).
// As X X^T commutes with K, one solve with the symmetric S gives the same to rounding. Modes whose frequencies are
// equal are taken together, so that s may grow. Where S is indefinite it is factored as L D L^T. Eq. 9 has no damping
// in J_G; with it there, a damped mode is exact too.
//
// With a drag c the modes are no eigenvectors of D~ = M^-1/2 D M^-1/2, and Woodbury's formula is wanted after all,
// though for s + 1 solves with S, not 2 s + 4. Each mode is damped by its own d = x^T D~ x in J_G; what D couples is in
// J_H:
//   b = h f_H - h (D~ v - X d X^T v) + X q - h^2 K v_H
//   dv = (S - X W X^T)^-1 b,   W = h d + h^2 lambda, diagonal
//   dx = X p + h (1 - X X^T) (v + dv)
#pragma once

#include <Eigen/LU>
#include <memory>

#include "sim/base/shared_pool.hpp"
#include "sim/integrate/integrator.hpp"
#include "sim/linear/tall_products.hpp"
#include "sim/step/modes.hpp"

namespace rebound::sim {

/// One step's increments in scaled coordinates. Keeps its memory.
class SiereIncrement {
 public:
  /// v, f: M^1/2 v, M^-1/2 f, without the damping's force. system: with the damping's drag, and factored.
  void find(LinearizedSystem& system, const Modes& modes, const Vector& v, const Vector& f, double h,
            LinearDamping damping);

  const Vector& dx() const { return dx_; }
  const Vector& dv() const { return dv_; }
  double kinetic_of_modes() const { return kinetic_of_modes_; }  ///< J, of v
  double damped() const { return damped_; }                      ///< J, what damping takes

 private:
  void swing_modes(const Modes& modes, double h);
  void solve_for_rest(LinearizedSystem& system, const Tall& X, double h, LinearDamping damping);
  void solve_for_rest_with_drag(LinearizedSystem& system, const Modes& modes, double h, LinearDamping damping);
  double damping_of_rest(LinearizedSystem& system, double h, LinearDamping damping);
  void take_out_modes(const Tall& X, Eigen::MatrixXd& columns, Eigen::MatrixXd& of_each, Workers& workers);

  Vector dx_, dv_;
  double kinetic_of_modes_ = 0, damped_ = 0;
  TransposedProducts products_;
  Eigen::MatrixXd rest_;              ///< v_H, f_H
  Eigen::MatrixXd of_modes_, swung_;  ///< -v_G, -f_G; p, q
  Eigen::MatrixXd Xp_, y_, y_of_modes_;
  Vector moved_, image_;
  Vector d_;  ///< by which each mode is damped, 1/s

  // With drag.
  Vector rate_;  ///< c / m of each coordinate, 1/s
  Eigen::MatrixXd dragged_, solved_, small_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

class Siere final : public Integrator {
 public:
  /// with_modes false: semi-implicit Euler.
  explicit Siere(bool with_modes) : with_modes_(with_modes) {}
  StepReport step(const StepInput& input, State& next) override;
  void model_changed() override { system_.reset(); }

 private:
  bool factor(const StepInput& input, LinearDamping damping, Modes& modes);

  bool with_modes_;
  std::unique_ptr<LinearizedSystem> system_;
  ModeSearch search_;
  SharedPool<Modes, 4> modes_;  ///< what steps report
  SiereIncrement increment_;
  Points gradient_;
  Vector v_, f_;
};

}  // namespace rebound::sim
