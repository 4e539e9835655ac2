#include "sim/contact/force_in_step.hpp"

namespace rebound::sim {

// With the surface where it is at each of them.
double force_in_step(const Contact& contact, const Points& x_n, const Points& x, const StepForces& forces) {
  const double at_n = contact.height(x_n, 0), at_end = contact.height(x);
  const auto& [coefficient, at, displacement, impulse, of_now, of_middle, middle, middle_at, of_pressed] = forces;
  if (of_pressed && at_n >= 0) return 0;
  double force = (1 - of_now - of_middle) * contact.force(at_n + at * (at_end - at_n));
  if (of_now != 0) force += of_now * contact.force(at_n);
  if (of_middle != 0) force += of_middle * contact.force(contact.height(*middle, middle_at));
  return force;
}

double surface_work(const Contact& contact, const Points& x_n, const Points& x, const StepForces& forces) {
  const double way = contact.moved.dot(contact.n);
  return way == 0 ? 0 : force_in_step(contact, x_n, x, forces) * way;
}

}  // namespace rebound::sim
