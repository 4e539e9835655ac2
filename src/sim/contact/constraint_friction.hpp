// Coulomb friction after the solve, of what pushes at the end of a step [Gast15 Sec. 5.1-5.3]. A point p of a body is
// pressed against an obstacle or a spot of a body, by a normal force that has given it the impulse f:
//
//   v    = sum w_i v_i, as seen from the obstacle      w: weights of the vertices in p, minus those in the spot
//   j    = -m Q v,   Q = I - n n^T,   1/m = sum w_i^2 / m_i
//   v_i := v_i + w_i / m_i min(mu |f| / |j|, 1) j
//
// Of one vertex at an obstacle that is v_t := max(1 - mu dv_n / |v_t|, 0) v_t, dv_n the velocity that the push has
// given. For backward Euler it is h f_n / m. Two bodies have opposite impulses, and K never grows.
//
// We differ from friction.hpp: positions stay, so nothing ever sticks: a body at rest on a slope creeps by h g
// sin(theta) a second, as in the paper; and each point is braked by itself, with no answer of the body within the
// step.
#pragma once

#include <span>
#include <vector>

#include "sim/contact/obstacle_constraints.hpp"
#include "sim/energy/body_row.hpp"

namespace rebound::sim {

/// What is pressed against an obstacle, or another spot of a body.
struct PressedRow {
  BodyRow row;      ///< w
  Vec3 n;           ///< unit
  double impulse;   ///< |f|, kg m/s
  double friction;  ///< mu
  Vec3 with_it;     ///< m/s, of the obstacle; of bodies 0
};

struct ConstraintFriction {
  double taken = 0;                ///< J, >= 0: the work of friction along the surfaces
  std::vector<double> by_surface;  ///< J, one per obstacle: what it does to bodies by moving, pushing and rubbing
};

/// Changes v, adds what that takes to `taken`, J, and returns friction's impulse on the point, kg m/s.
Vec3 rub(const Model& model, const PressedRow& pressed, Points& v, double& taken);

/// Changes v, which a step has reached together with x, where obstacles are constraints. velocity: r / (span h), 1/s,
/// what the scheme makes of a displacement; force: 1 / ((c gamma + k) (span h)^2), 1/s^2, what it makes a mean force
/// of; h: s, of the whole step.
ConstraintFriction rub(const Model& model, std::span<const HeldVertex> held, double velocity, double force, double h,
                       const Points& x, Points& v);

}  // namespace rebound::sim
