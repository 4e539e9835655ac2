// Newton's method on g(x), to convergence: the exact Hessian where it is positive definite, the elements' negative
// curvature left out where it is not (or as SolveEffort::projection says), and backtracking on g [Dinev18 Eq. 18, 19].
// It begins where first_guess.hpp says, and with the factor that an earlier step has left where that may do
// (carried_factor.hpp). A factor serves for more than one direction where that pays (factor_use.hpp).
#pragma once

#include <optional>

#include "sim/base/shared_pool.hpp"
#include "sim/step/active_components.hpp"
#include "sim/step/constrained_newton.hpp"
#include "sim/step/factor_use.hpp"
#include "sim/step/line_search.hpp"
#include "sim/step/system_cache.hpp"
#include "sim/step/tangent_matrix.hpp"

namespace rebound::sim {

class Newton : public Minimizer, public Factors {
 public:
  /// The model must outlive this. The pattern of the elements is analysed once, and that with contacts between elements
  /// as often as they link others.
  explicit Newton(const Model& model, Analysis known = {});

  SolveReport minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) override;
  void carry(const CarriedFactor& factor) override { carried_ = factor; }
  CarriedFactor carried() const override { return carried_; }
  void grabs_changed(Workers& workers) override;
  void pins_changed(Workers& workers) override { grabs_changed(workers); }
  void gravity_changed() override {}
  /// It factors in every iteration.
  std::unique_ptr<Factoring> missing(const Model&, std::span<const double>) const override { return nullptr; }
  void adopt(Factoring&, Workers&) override {}
  void let_go() override;
  Analysis analysis() const override;
  RoundingState rounding_state() const override;
  void restore_rounding(const RoundingState& state, Workers& workers) override;
  ContactResponse* contact_response(double coefficient, Workers& workers) override;
  ContactKnowledge contact_knowledge() const override;
  void recall(const ContactKnowledge& knowledge) override;
  void gradient(const Points& x, Points& gradient, Workspace& work) override { model_.gradient(x, gradient, work); }
  EnergyLine& line() override { return line_; }
  const Vector* constraint_forces() const override { return constrained_ ? &constrained_->forces() : nullptr; }
  double constraint_work() const override { return constrained_ ? constrained_->work() : 0; }
  Factors& factors() override { return *this; }
  const Factors& factors() const override { return *this; }
  double nonzeros() const override { return nonzeros_; }

 protected:
  /// d_ := a direction in which g falls, of gradient_ = dg(x). False if there is none.
  virtual bool find_direction(const Objective& g, const Points& x);
  /// Is it -H^-1 dg, but for rounding?
  virtual bool has_exact_directions() const { return true; }
  /// Products with the Hessian in the last solve.
  virtual int products() const { return 0; }

  const Model& model_;
  TangentMatrix hessian_;
  Points gradient_, d_;
  Projection projection_ = Projection::on_demand;  ///< of this solve

 private:
  /// What the factor is of that the elements' pattern has, where elements act alone.
  struct OwnFactor {
    std::shared_ptr<const FactoredHessian> of;
    std::int64_t number = 0;  ///< TangentMatrix::factor_of_elements()
  };
  SystemCache<SystemMatrix>& systems_for_friction();
  SolveReport solve_step(const Objective& g, const SolveEffort& effort, Points& x);
  SolveReport minimize_constrained(const Objective& g, const SolveEffort& effort, Points& x);
  bool factor_and_solve(const Objective& g, const Points& x, Curvature curvature);
  bool solve(Workers& workers);
  bool solve_in_single(Workers& workers);
  bool has_solved();
  void solve_by_factor(Workers& workers);
  bool may_carry(const Objective& g, const SolveEffort& effort, const Points& x);
  void begin_carried(const Objective& g, const SolveEffort& effort, const Points& x);
  bool find_by_factor(const Objective& g, const SolveEffort& effort, const Points& x);
  bool find_newest(const Objective& g, const Points& x);
  void remember_factor(const Points& x, bool converged);
  /// What is small beside tolerance and the distance to where an energy is infinite, m.
  double small_correction(const Points& x, double tolerance, double h) const;
  /// Bodies whose momentum is off by more than `small` times their mass, m, and not only because it comes slowly: one
  /// iteration before, the worst was off by `before`. Returns by how much it is now.
  double find_restless(double small, double before);
  static double look(const Objective& g, const Points& at, Points& gradient);
  bool backtrack(const Objective& g, Points& x, double& value);

  Analysis known_;
  ExactLine line_;
  std::optional<SystemCache<SystemMatrix>> systems_;  ///< of friction alone
  std::optional<ConstrainedNewton> constrained_;      ///< where there are hard constraints
  Points trial_, trial_gradient_, left_;
  bool whole_step_ = false;  ///< the last one was not cut
  double length_ = 0;        ///< of the last one, its largest coordinate, m
  ActiveComponents components_;
  std::vector<int> restless_;       ///< a vertex of each of those
  ComponentCholesky::Choice open_;  ///< those of the active ones that have no factor yet
  Vector column_;
  double nonzeros_ = 0;
  double alpha_ = 0;        ///< of the last step
  bool is_single_ = false;  ///< the last factor is in single precision
  CarriedFactor carried_;
  OwnFactor own_;
  SharedPool<FactoredHessian, 4> factored_;
  FactorUse use_;               ///< in this solve
  bool factors_serve_ = false;  ///< in this solve, for more than one direction each
};

}  // namespace rebound::sim
