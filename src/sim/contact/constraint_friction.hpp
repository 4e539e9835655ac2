// Coulomb friction where obstacles are constraints, after the solve, vertex by vertex [Gast15 Sec. 5.1]:
//
//   v_t := max(1 - mu dv_n / |v_t|, 0) v_t,   dv_n = r/h (n . dg) / m the velocity that the obstacle has given
//
// v_t is the velocity along the surface, as seen from the obstacle. For backward Euler dv_n is h f_n / m.
//
// We differ from friction.hpp: positions stay, so nothing ever sticks: a body at rest on a slope creeps by h g
// sin(theta) a second, as in the paper; and each vertex is braked by itself, with no answer of the body within the
// step.
#pragma once

#include <span>
#include <vector>

#include "sim/contact/obstacle_constraints.hpp"

namespace rebound::sim {

struct ConstraintFriction {
  double taken = 0;                ///< J, >= 0: the work of friction along the surfaces
  std::vector<double> by_surface;  ///< J, one per obstacle: what it does to bodies by moving, pushing and rubbing
};

/// Changes v, which a step has reached together with x. velocity: r / (span h), 1/s, what the scheme makes of a
/// displacement; force: 1 / (c gamma (span h)^2), 1/s^2, what it makes a force of; h: s, of the whole step.
ConstraintFriction rub(const Model& model, std::span<const HeldVertex> held, double velocity, double force, double h,
                       const Points& x, Points& v);

}  // namespace rebound::sim
