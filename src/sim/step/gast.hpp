// The solver of the optimisation integrator: the step as a minimum, found from almost anywhere.
//
// Source: [Gast15 Sec. 3.1].
//
//   E(x) = g(x) / h^2                                     J
//   x_0 = x_n + h v_n, or x_n + h v_n + h^2 M^-1 f(x_n)    the lower E
//   H d = -dE  by conjugate gradients, to min(1/2, sqrt(max(|dE|, tau))) |dE|, or to the first negative curvature
//   d := -d, or -dE, if d . dE < -kappa |d| |dE| does not hold
//   d := l d / |d|, if |d| > l
//   x := x + alpha d, alpha by the strong Wolfe conditions, 1 first
//
//   kappa = 1e-2   how far downhill a direction has to point
//   l = 1e3        m, the longest step
//   tau            N, what |dE| need not fall below
//
// We differ: it ends, as the other solvers do, at a velocity (SolveEffort::tolerance), and tau is the force that stands
// for it, so that units and sizes do not matter for the end; they do for the equations' tolerance, as printed. The
// first guess is what the integrator begins with, which is x_n + h v_n of backward Euler; the second is x_n - M^-1
// dg(x_n), which is the printed one of backward Euler and the same for every other scheme. A solve that has ended above
// E(x_n) begins again from x_n: of backward Euler E(x_n) = K_n + Phi(x_n), so that Phi at the end is no more than all
// the energy that there was, whichever minimum is found. Where the two energies of a step differ by less than rounding,
// |dE| has to fall instead. It goes no further than Energy::largest_step. How obstacles that are constraints are kept,
// and what differs there: contact/obstacle_constraints.hpp.
#pragma once

#include "sim/contact/obstacle_constraints.hpp"
#include "sim/step/newton.hpp"
#include "sim/step/truncated_cg.hpp"
#include "sim/step/wolfe_search.hpp"

namespace rebound::sim {

class Gast : public Newton {
 public:
  static constexpr double kDownhill = 1e-2;
  static constexpr double kLongest = 1e3;

  explicit Gast(const Model& model, Analysis known = {});

  SolveReport minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) override;
  double nonzeros() const override { return 0; }
  std::span<const HeldVertex> held() const override { return constraints_.held(); }
  /// Products with the Hessian in the last solve.
  int products() const override { return products_; }

  /// The share of |dE| at which the equations are solved well enough; both in N.
  static double equations_tolerance(double gradient, double tau);
  /// Turns d, or takes the force -dE instead, if it does not point downhill far enough, and cuts it to kLongest.
  static void make_suitable(const Points& force, Points& d, Workers& workers);

 protected:
  bool find_direction(const Objective& g, const Points& x) override;

  ObstacleConstraints constraints_;
  Points reduced_;  ///< dg without what obstacles hold, kg m

 private:
  SolveReport descend(const Objective& g, const SolveEffort& effort, Points& x, double& value, SolveReport report);
  double choose_guess(const Objective& g, Points& x);
  bool stands_lower(const Objective& g, double& value);
  double projected_value(const Objective& g, Points& x);
  void look_at_obstacles(const Points& x);
  double search(const Objective& g, Points& x, double& value);

  TruncatedCg equations_;
  Points negative_, force_;  ///< -dg, -dE
  Points trial_, trial_gradient_, reduced_trial_, step_, way_;
  double tau_ = 0;
  int products_ = 0;
};

}  // namespace rebound::sim
