// What repulsion springs do in a step, as the step has its forces: their push, which bounds friction, and the work of
// surfaces that move.
#pragma once

#include <vector>

#include "sim/energy/contacts.hpp"
#include "sim/model/step_forces.hpp"

namespace rebound::sim {

/// Along n in a step from x_n to x, N; h times that is the impulse of the spring.
double force_in_step(const Contact& contact, const Points& x_n, const Points& x, const StepForces& forces);

/// What a moving surface does to a body in a step, J: that force times its way.
double surface_work(const Contact& contact, const Points& x_n, const Points& x, const StepForces& forces);

/// The sum of it over all contacts. A stretch of states
/// x(alpha) = (1 - alpha) from + alpha to has it at little cost.
class SurfaceWork {
 public:
  /// middle: forces with the middle of those that will be asked for, if these have one.
  SurfaceWork(const Contacts& contacts, const Points& x_n, const StepForces& middle, const Points& from,
              const Points& to);
  double value(double alpha, const StepForces& forces) const;

 private:
  struct Term {
    double stiffness, way;                   ///< N/m; m along n
    double at_n, at_middle, at_from, at_to;  ///< heights, m
  };
  std::vector<Term> terms_;
};

}  // namespace rebound::sim
