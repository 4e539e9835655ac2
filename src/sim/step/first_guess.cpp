#include "sim/step/first_guess.hpp"

#include <cmath>

#include "sim/model/rigid_motion.hpp"

namespace rebound::sim {
namespace {

// x_n of the free vertices, moved for h by the rigid motion nearest to v_n.
void move_on(const Model& model, const BodyRange& body, const State& now, double h, Points& x) {
  const RigidMotion motion = fit_rigid_motion(model, body, now);
  if (motion.mass == 0) return;
  const Eigen::Matrix3d R = rotation(h * motion.omega);
  const Vec3 x_cm = motion.x_cm + h * motion.v_cm;
  for (int i = body.first; i < body.first + body.count; ++i)
    if (!model.fixed[static_cast<std::size_t>(i)]) x.row(i) = x_cm + R * (now.x.row(i).transpose() - motion.x_cm);
}

}  // namespace

void choose_guess(const StepObjective& g, Points& x, Points& rigid) {
  const Model& model = g.model();
  rigid = x;
  for (const BodyRange& body : model.bodies) move_on(model, body, g.now(), g.h(), rigid);
  const auto value = [&](const Points& at) {
    return g.value_from(at, model.lasting_energy(g.evaluation_point(at), g.work()));
  };
  const double of_x = value(x), of_rigid = value(rigid);
  if (of_rigid < of_x || (!std::isfinite(of_x) && std::isfinite(of_rigid))) x.swap(rigid);
}

}  // namespace rebound::sim
