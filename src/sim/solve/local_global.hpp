// Local/global as Newton's method with a frozen Hessian: x <- x - (M + c gamma^2 h^2 L)^-1 dg(x). The gradient does
// the local step (each element's projection), the solve is the global step; on springs and ARAP this is exactly
// [Dinev18 Eq. 28 and Eq. 30], and gravity, attachments and contacts need no right-hand side of their own.
//
// Small bodies are solved in double precision throughout; large ones in single (float_local_global.hpp) unless their
// matrix asks for more.
#pragma once

#include <optional>

#include "sim/solve/factors.hpp"
#include "sim/solve/float_local_global.hpp"
#include "sim/solve/minimizer.hpp"

namespace rebound::sim {

enum class Precision { automatic, double_only };

class LocalGlobal final : public Minimizer {
 public:
  /// The model must outlive this.
  explicit LocalGlobal(const Model& model, Precision precision = Precision::automatic);

  SolveReport minimize(const StepObjective& g, int iterations, const StopRule& stop, Points& x) override;
  void model_changed() override;
  void grabs_changed(Workers& workers) override;
  EnergyLine& line() override;
  double nonzeros() const override;
  /// Is single precision what it begins with?
  bool single_precision() const { return single_ != nullptr; }

 private:
  Factors& factors();
  SolveReport minimize_in_double(const StepObjective& g, int iterations, const StopRule& stop, Points& x);

  const Model& model_;
  std::unique_ptr<FloatLocalGlobal> single_;  ///< null: double precision
  std::optional<Factors> factors_;            ///< made when double precision is first needed
  ExactLine exact_line_;
  Points d_;
};

}  // namespace rebound::sim
