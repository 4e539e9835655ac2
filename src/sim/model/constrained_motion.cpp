#include "sim/model/constrained_motion.hpp"

#include "sim/constraint/constraint_space.hpp"

namespace rebound::sim {

void make_tangential(const Model& model, const Points& x, Points& v) {
  if (model.constraints.empty()) return;
  ConstraintSpace space(model.constraints, model.M, model.fixed);
  if (!space.look(x)) space.make_tangential(v);
}

}  // namespace rebound::sim
