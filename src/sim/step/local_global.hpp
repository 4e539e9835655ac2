// Local/global as Newton's method with a frozen Hessian: x <- x - (M + c gamma^2 h^2 L)^-1 dg(x). The gradient does
// the local step (each element's projection), the solve is the global step; on springs and ARAP this is exactly
// [Dinev18 Eq. 28 and Eq. 30], and gravity, attachments and contacts need no right-hand side of their own.
//
// Small bodies are solved in double precision throughout; large ones in single (float_local_global.hpp) unless their
// matrix asks for more.
#pragma once

#include <optional>

#include "sim/contact/crowded_system.hpp"
#include "sim/step/float_local_global.hpp"
#include "sim/step/minimizer.hpp"
#include "sim/step/system_cache.hpp"

namespace rebound::sim {

enum class Precision { automatic, double_only };

class LocalGlobal final : public Minimizer, public Factors {
 public:
  /// The model must outlive this.
  explicit LocalGlobal(const Model& model, Precision precision = Precision::automatic, Analysis known = {});

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
  EnergyLine& line() override;
  Factors& factors() override { return *this; }
  const Factors& factors() const override { return *this; }
  double nonzeros() const override;
  /// How many factors are kept for crowds of contacts.
  std::size_t crowded_systems() const { return crowded_.size(); }
  /// Is single precision what it begins with?
  bool single_precision() const { return single_ != nullptr; }

 private:
  class Missing;
  void use_double();
  /// Where contacts crowd; null if it cannot be factored.
  const CrowdedSystem* crowded_system(double coefficient);
  SolveReport minimize_crowded(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x);
  SolveReport minimize_in_double(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x);
  /// solve(d): d := A^-1 d.
  template <class Solve>
  SolveReport iterate(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x, const Solve& solve);

  const Model& model_;
  Analysis known_;
  std::unique_ptr<FloatLocalGlobal> single_;        ///< one of these two
  std::optional<SystemCache<SystemMatrix>> twice_;  ///< else
  std::map<double, CrowdedSystem> crowded_;         ///< by coefficient, while contacts crowd
  ExactLine exact_line_;
  Points d_;
  Anderson anderson_;
  std::array<Points, Anderson::kKept> residuals_, steps_;  ///< d and x - beta d of the last iterates
  bool accelerates_ = false;
};

}  // namespace rebound::sim
