// The line between what two methods have reached in a step, and the place on it that has the tracked energy.
//
// Source: [Dinev18] Sec. 4.1.
//   e(x, v) = E(x) + K(v) - H_total                                                              (Eq. 20)
//   x = (1 - alpha) x_a + alpha x_b,  v = (1 - alpha) v_a + alpha v_b                            (Eq. 21, 22)
//   alpha: e(alpha) = 0, found to within epsilon of the energy                                   (Eq. 23, 24)
#pragma once

#include "sim/contact/force_in_step.hpp"
#include "sim/integrate/integrator.hpp"
#include "sim/integrate/root.hpp"

namespace rebound::sim {

/// The root is found more closely than the tolerance asks, so that errors just inside it do not add up on one side.
inline constexpr double kRootTolerance = 0.1;

/// Does anything move that may do work by the step's own terms?
bool has_movers(const Model& model);
/// What moving things do by the step's own terms where they are at x, J.
double work_of_movers(const Model& model, const Points& x);
/// What StepInput::push does to the bodies on their way to x, J.
double work_of_push(const StepInput& input, const Points& x);
/// That, and what moving obstacles do to them, J: the target rises by it during the step.
double outside_work(const StepInput& input, const Points& x, const StepForces& forces, const WorkOfMovers& known = {});

/// What one of the blended methods has reached.
struct End {
  const State& state;
  const FrictionWork& friction;
  StepForces forces;
  WorkOfMovers movers = {};
};

/// e along the line from one end to another, where e at its beginning is known. The ends must outlive it.
class Blend {
 public:
  Blend(const StepInput& input, const End& from, double e_from, const End& to);

  /// Where e has another sign than at `from`: there, if that is before `to`. As precise as what solves begin with.
  double e_to() const { return end_.f; }
  StepForces forces(double alpha) const;
  FrictionWork friction(double alpha) const;
  /// That of the ends, blended as they are: no method has applied the forces at the state between.
  WorkOfMovers movers(double alpha) const;

  struct Balance {
    double alpha = -1;
    EnergyByKind E;  ///< J, in double precision
  };
  /// e must have opposite signs at the two ends. Writes the state where e = 0 and returns its weight of `to`, and E.
  /// Where states between are not admitted, the way ends a little before them; if e has its sign there still, that is
  /// the state: behind lie only those whose energy is in elements that are all but flat.
  Balance balance(State& next) const;

 private:
  double kinetic(double alpha) const;
  double target(double alpha) const;
  bool is_across() const;
  std::pair<double, double> admitted(Points& way) const;
  /// next := the state at alpha.
  void put(double alpha, State& next) const;

  const StepInput& input_;
  const End from_, to_;
  double e_from_;
  RootNode end_;                        ///< of the part of the line that is searched
  std::array<double, 2> outside_work_;  ///< J
  std::array<double, 3> K_;
};

}  // namespace rebound::sim
