// Quasi-Newton on the matrix of local/global [Liu17]: every material at the price of a few iterations more. L-BFGS
// learns from its last steps what the frozen M + c gamma^2 h^2 L does not know of the material.
#pragma once

#include "sim/step/descent.hpp"
#include "sim/step/frozen_hessian.hpp"

namespace rebound::sim {

class QuasiNewton final : public FrozenHessian {
 public:
  /// The model must outlive this.
  explicit QuasiNewton(const Model& model, Precision precision = Precision::automatic, Analysis known = {});

 private:
  SolveReport iterate(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x,
                      const GlobalStep& solve) override {
    return descent_.run(g, effort, stop, x, solve);
  }

  Descent descent_;
};

}  // namespace rebound::sim
