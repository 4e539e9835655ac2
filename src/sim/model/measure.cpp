#include "sim/model/measure.hpp"

#include <Eigen/Geometry>

#include "sim/base/row_passes.hpp"

namespace rebound::sim {

Measurement measure(const Model& model, const State& state, Workspace& work) {
  return measure(model, state, model.energy_by_kind(state.x, work), work);
}

Measurement measure(const Model& model, const State& state, const EnergyByKind& E, Workspace& work) {
  Measurement m;
  m.elastic = E[static_cast<int>(EnergyKind::elastic)];
  m.gravity = E[static_cast<int>(EnergyKind::gravity)];
  m.attachment = E[static_cast<int>(EnergyKind::attachment)];
  m.contact = E[static_cast<int>(EnergyKind::contact)];
  const auto sums = sum_rows<7>(work.workers, state.v.rows(), [&](Eigen::Index first, Eigen::Index rows, auto& sum) {
    for (Eigen::Index i = first; i < first + rows; ++i) {
      if (model.fixed[i]) continue;
      const Vec3 v = state.v.row(i), p = model.M[i] * v, l = Vec3(state.x.row(i)).cross(p);
      sum[0] += p.dot(v);
      for (int c = 0; c < 3; ++c) {
        sum[1 + c] += p[c];
        sum[4 + c] += l[c];
      }
    }
  });
  m.kinetic = 0.5 * sums[0];
  m.p = {sums[1], sums[2], sums[3]};
  m.l = {sums[4], sums[5], sums[6]};
  return m;
}

}  // namespace rebound::sim
