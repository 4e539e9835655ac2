#include "sim/measure.hpp"

#include <Eigen/Geometry>

namespace rebound::sim {

Measurement measure(const Model& model, const State& state, Workspace& work) {
  Measurement m;
  const auto E = model.energy_by_kind(state.x, work);
  m.kinetic = model.kinetic(state.v);
  m.elastic = E[static_cast<int>(EnergyKind::elastic)];
  m.gravity = E[static_cast<int>(EnergyKind::gravity)];
  m.attachment = E[static_cast<int>(EnergyKind::attachment)];
  m.contact = E[static_cast<int>(EnergyKind::contact)];
  for (int i = 0; i < model.vertices(); ++i) {
    if (model.fixed[i]) continue;
    const Vec3 momentum = model.M[i] * state.v.row(i).transpose();
    m.p += momentum;
    m.l += Vec3(state.x.row(i).transpose()).cross(momentum);
  }
  return m;
}

}  // namespace rebound::sim
