// Solvers that keep one matrix, M + c gamma^2 h^2 L, factored ahead: local/global and quasi-Newton. Factors, grabs,
// pins and contacts are theirs in common; what they do with the matrix is their own.
//
// Small bodies are solved in double precision throughout; large ones in single (float_step.hpp) unless their matrix
// asks for more.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "sim/contact/crowded_system.hpp"
#include "sim/step/float_step.hpp"
#include "sim/step/minimizer.hpp"
#include "sim/step/system_cache.hpp"

namespace rebound::sim {

enum class Precision { automatic, double_only };

/// d := A^-1 d for d = dg. from: x, which d leads away from, so that springs of contacts only push; null: they pull as
/// well, and d is linear in dg.
using GlobalStep = std::function<void(Points& d, const Points* from)>;

class FrozenHessian : public Minimizer, public Factors {
 public:
  SolveReport minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) override;
  void grabs_changed(Workers& workers) override;
  void pins_changed(Workers& workers) override;
  void gravity_changed() override;
  std::unique_ptr<Factoring> missing(const Model& next, std::span<const double> coefficients) const override;
  void adopt(Factoring& made, Workers& workers) override;
  void let_go() override;
  Analysis analysis() const override { return known_; }
  RoundingState rounding_state() const override;
  void restore_rounding(const RoundingState& rounding_state, Workers& workers) override;
  ContactResponse* contact_response(double coefficient, Workers& workers) override;
  ContactKnowledge contact_knowledge() const override;
  void recall(const ContactKnowledge& knowledge) override;
  void gradient(const Points& x, Points& gradient, Workspace& work) override;
  EnergyLine& line() override;
  Factors& factors() override { return *this; }
  const Factors& factors() const override { return *this; }
  double nonzeros() const override;
  /// How many factors are kept for crowds of contacts.
  std::size_t crowded_systems() const { return crowded_.size(); }
  /// Is single precision what it begins with?
  bool single_precision() const { return single_ != nullptr; }

 protected:
  using MakeSingle = std::unique_ptr<FloatStep> (*)(const Model&, const Analysis& known);
  /// The model must outlive this. make_single: the solver in single precision; worthwhile: the vertices from which that
  /// is worth its two conversions a solve.
  FrozenHessian(const Model& model, Precision precision, Analysis known, MakeSingle make_single, int worthwhile);

  /// The solver in double precision.
  virtual SolveReport iterate(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x,
                              const GlobalStep& solve) = 0;

  const Model& model_;

 private:
  class Missing;
  void use_double();
  /// Is it what solves of the present model's steps are done in?
  bool in_single() const { return single_ && !model_.contacts.crowded(); }
  /// Of contacts; none where x is null.
  std::span<const double> heights(const Objective& g, const Points* x);
  /// Where contacts crowd; null if it cannot be factored.
  const CrowdedSystem* crowded_system(double coefficient, Workers& workers);
  SolveReport minimize_crowded(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x);
  SolveReport minimize_in_double(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x);

  Analysis known_;
  MakeSingle make_single_;
  std::unique_ptr<FloatStep> single_;               ///< one of these two
  std::optional<SystemCache<SystemMatrix>> twice_;  ///< else
  std::map<double, CrowdedSystem> crowded_;         ///< by coefficient, while contacts crowd
  std::vector<double> heights_;                     ///< of contacts, m
  ExactLine exact_line_;
};

}  // namespace rebound::sim
