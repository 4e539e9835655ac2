// Quasi-Newton in double precision: L-BFGS on a matrix that is factored ahead, with backtracking on g [Liu17 Sec. 4].
#pragma once

#include "sim/step/frozen_hessian.hpp"
#include "sim/step/lbfgs.hpp"

namespace rebound::sim {

class Descent {
 public:
  /// As Minimizer::minimize, with solve(d): d := H0 d. Goes on from `report`, whose iterations count.
  SolveReport run(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x,
                  const GlobalStep& solve, SolveReport report = {});

 private:
  SolveReport descend(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x,
                      const GlobalStep& solve, SolveReport report);
  void choose_direction();
  bool backtrack(const Objective& g, Points& x, double& value, double& E);

  Lbfgs lbfgs_;
  std::array<Points, Lbfgs::kPlaces> p_, directions_;  ///< H0 dg(x), and where it went from there
  Points g_;                                           ///< dg(x)
  Points d_;                                           ///< the correction
  Points trial_, g_trial_;
  double slope_ = 0, length_ = 0;  ///< of the correction; it over the direction
  bool stuck_ = false;             ///< the last solve ended where nothing fell
};

}  // namespace rebound::sim
