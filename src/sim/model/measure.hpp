// What is conserved, or should be: the energy by kind and the momenta.
#pragma once

#include "sim/model/model.hpp"
#include "sim/model/state.hpp"

namespace rebound::sim {

struct Measurement {
  double kinetic = 0, elastic = 0, gravity = 0, attachment = 0, contact = 0;  ///< J
  Vec3 p = Vec3::Zero();                                                      ///< linear momentum, kg m/s
  Vec3 l = Vec3::Zero();                                                      ///< about the origin, kg m^2/s

  /// H = K + E, J.
  double total() const { return kinetic + elastic + gravity + attachment + contact; }
};

Measurement measure(const Model& model, const State& state, Workspace& work);
/// The same where E(x) is known.
Measurement measure(const Model& model, const State& state, const EnergyByKind& E, Workspace& work);

}  // namespace rebound::sim
