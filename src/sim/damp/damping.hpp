// Damping acts on the velocities after the step, and returns what it took for the ledger [Dinev18 Sec. 4.3].
#pragma once

#include <optional>

#include "sim/model/model.hpp"
#include "sim/model/state.hpp"
#include "sim/step/linear_damping.hpp"

namespace rebound::sim {

/// How much it damps, as rates.
struct DampingCoefficients {
  // Most have one and nothing else.
  DampingCoefficients(double k_ = 0, double mass_ = 0) : k(k_), mass(mass_) {}  // NOLINT(google-explicit-constructor)

  double k;     ///< >= 0, in the unit of its kind
  double mass;  ///< >= 0, of those that are proportional to masses as well: a, 1/s
};

/// One way to take kinetic energy out of a state. It may keep what it has worked out about the model's pattern, so a
/// model with other elements needs another one.
class Damping {
 public:
  virtual ~Damping() = default;

  /// Damps state.v for a stretch of time, which counts in the unit that the coefficients are rates of: seconds, or
  /// frames. Returns the kinetic energy taken, J, >= 0; infinite if it could not be worked out.
  virtual double damp(const Model& model, DampingCoefficients of, double time, State& state) = 0;

  /// The share of its kinetic energy that a motion loses which is too fast for a step of this time.
  virtual double share_of_unresolved(const Model& model, DampingCoefficients of, double time) const = 0;

  /// Its force is -D v over a step of h seconds, if it is a force. Integrators that can have it inside of their step
  /// do; there K is the Hessian of all energies.
  virtual std::optional<LinearDamping> force(DampingCoefficients, double /*time*/, double /*h*/) const { return {}; }
};

/// Rigid-motion-preserving damping [Dinev18 Eq. 32-36, Mueller07]: k in [0, 1] is the share that is taken in
/// one unit of time.
class RigidPreservingDamping final : public Damping {
 public:
  double damp(const Model& model, DampingCoefficients of, double time, State& state) override;
  double share_of_unresolved(const Model& model, DampingCoefficients of, double time) const override;
};

/// Of each body's free vertices, takes the share k in [0, 1] of what differs from their best-fitting rigid motion.
/// Returns the kinetic energy taken, J, >= 0.
///
/// We differ: Eq. 32 as printed adds omega x r and would damp rotation; it must subtract it. The inertia gets a
/// pseudo-inverse, so that points on one line work.
double damp_preserving_rigid_motion(const Model& model, double k, State& state);

/// v_i -= k h / m_i v_i [Dinev18 Eq. 31], k in kg/s: the drag of an ether, which slows all motion, falling included.
///
/// We differ: where k h / m_i is above 1 the vertex stops; Eq. 31 would throw it back.
class DragDamping final : public Damping {
 public:
  double damp(const Model& model, DampingCoefficients of, double time, State& state) override;
  double share_of_unresolved(const Model& model, DampingCoefficients of, double time) const override;
  std::optional<LinearDamping> force(DampingCoefficients of, double time, double h) const override {
    return LinearDamping{0, 0, of.k * time / h};
  }
};

}  // namespace rebound::sim
