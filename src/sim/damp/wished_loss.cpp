#include "sim/damp/wished_loss.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/model/held.hpp"
#include "sim/model/rigid_motion.hpp"

namespace rebound::sim {

double lose_as_wished(const Model& model, double over, double fallen, State& state) {
  constexpr double kTimesAsFast = 4;
  std::vector<RigidMotion> kept;
  double K = 0;
  for (const BodyRange& body : model.bodies) {
    const RigidMotion u = is_held(model, body) ? RigidMotion{} : fit_rigid_motion(model, body, state);
    kept.push_back(u);
    for (int i = body.first; i < body.first + body.count; ++i)
      if (!model.fixed[static_cast<std::size_t>(i)])
        K += 0.5 * model.M[i] * (state.v.row(i).transpose() - u.at(state.x.row(i))).squaredNorm();
  }
  if (!(K > 0) || !(over > 0)) return 0;
  const double most = std::min(over, kTimesAsFast * fallen);
  const double share = std::min(0.5 * std::min(1.0, K / over), 1 - std::sqrt(std::max(0.0, 1 - most / K)));
  for (std::size_t b = 0; b < kept.size(); ++b) {
    const BodyRange& body = model.bodies[b];
    for (int i = body.first; i < body.first + body.count; ++i)
      if (!model.fixed[static_cast<std::size_t>(i)])
        state.v.row(i) -= share * (state.v.row(i) - kept[b].at(state.x.row(i)).transpose());
  }
  return (1 - (1 - share) * (1 - share)) * K;
}

}  // namespace rebound::sim
