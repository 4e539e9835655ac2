// The factor of a step's Hessian with which the next step may begin. In flight, and wherever masses outweigh how
// stiffness changes, Newton's directions by it are about as good as by a new one, at a fifth of the work.
//
// It is of steps in which elements, handles and hands act alone, so that it can be made again from a place: a motion
// that is gone back to goes on as it did, to the last bit.
#pragma once

#include <memory>

#include "sim/step/objective.hpp"

namespace rebound::sim {

/// What was factored.
struct FactoredHessian {
  Points at;           ///< n x 3, m: where E was evaluated
  double coefficient;  ///< c gamma^2 h^2 of the scheme, s^2
  bool single;         ///< in single precision
};

/// What a solver remembers of it from step to step. It belongs to the motion, and is put back with it.
struct CarriedFactor {
  std::shared_ptr<const FactoredHessian> factored = nullptr;  ///< null: the next step makes its own
  int pause = 0;  ///< how many solves leave it alone after it was of no use, each time about twice as many
  int wait = 0;   ///< of these, those still to come
};

/// Do elements, handles and hands act alone at x: no contact does?
bool elements_act_alone(const Model& model, const Points& x);

}  // namespace rebound::sim
