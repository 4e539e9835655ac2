#include "sim/step/rest_objective.hpp"

namespace rebound::sim {

double RestObjective::gradient(const Points& x, Points& out) const {
  const double E = model_.gradient(x, out, work_);
  out *= kTime * kTime;
  return E;
}

void RestObjective::hessian(const Points& x, Curvature curvature, HessianBlocks& H) const {
  H.set_zero();
  model_.add_hessian(x, curvature, H, work_);
  H.scale_and_add(kTime * kTime, model_.M, model_.fixed, work_.workers);
}

void RestObjective::contact_heights(const Points& x, std::vector<double>& heights) const {
  heights.clear();
  for (const Contact& contact : model_.contacts.items) heights.push_back(contact.height(x));
}

}  // namespace rebound::sim
