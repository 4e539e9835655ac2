#include "sim/contact/force_in_step.hpp"

#include <algorithm>

namespace rebound::sim {
namespace {

// A function of height over the places where the step has its forces, with the surface where it is then.
template <class Function>
double sum_over_places(const StepForces& forces, double at_n, double at_middle, double at_end, const Function& f) {
  double sum = (1 - forces.of_now - forces.of_middle) * f(at_n + forces.at * (at_end - at_n));
  if (forces.of_now != 0) sum += forces.of_now * f(at_n);
  if (forces.of_middle != 0) sum += forces.of_middle * f(at_middle);
  return sum;
}

}  // namespace

double force_in_step(const Contact& contact, const Points& x_n, const Points& x, const StepForces& forces) {
  const double at_middle = forces.middle != nullptr ? contact.height(*forces.middle, forces.middle_at) : 0;
  return sum_over_places(forces, contact.height(x_n, 0), at_middle, contact.height(x),
                         [&](double height) { return contact.force(height); });
}

double surface_work(const Contact& contact, const Points& x_n, const Points& x, const StepForces& forces) {
  const double way = contact.moved.dot(contact.n);
  return way == 0 ? 0 : force_in_step(contact, x_n, x, forces) * way;
}

SurfaceWork::SurfaceWork(const Contacts& contacts, const Points& x_n, const StepForces& middle, const Points& from,
                         const Points& to) {
  for (const Contact& c : contacts.items)
    if (const double way = c.moved.dot(c.n); way != 0) {
      const double at_middle = middle.middle != nullptr ? c.height(*middle.middle, middle.middle_at) : 0;
      terms_.push_back({c.stiffness, way, c.height(x_n, 0), at_middle, c.height(from), c.height(to)});
    }
}

double SurfaceWork::value(double alpha, const StepForces& forces) const {
  double total = 0;
  for (const Term& t : terms_) {
    const double pressed = sum_over_places(forces, t.at_n, t.at_middle, t.at_from + alpha * (t.at_to - t.at_from),
                                           [](double height) { return std::max(0.0, -height); });
    total += t.stiffness * pressed * t.way;
  }
  return total;
}

}  // namespace rebound::sim
