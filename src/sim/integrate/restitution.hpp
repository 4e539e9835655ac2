// Energy that a contact has taken goes back while it throws bodies off.
//
// An impact that is shorter than a step, or a few steps long, takes energy that no swing of a body has: the step does
// not resolve it. After Poisson's hypothesis what is left of an impact goes along the impulse that has been, by a share
// of it:
//   k: the rigid motion of the impulse and its moment that contacts gave a body in the step
//      v_cm,n+1 - v_cm,n - h g,   I^-1 (L_n+1 - L_n)
//   v += beta k,   K(v + beta k) - K(v) = beta A + beta^2 B,   A = sum M v_cm . k + L . omega_k,   B = K(k)
//   beta = what brings back the energy, at most 1: an impact gives no more than as much again
// What obstacles that move push is seen from where they are at rest: v_cm is relative to them, and what they do to it
// on their way by beta k is their work. Only where A > 0: while a body is still being stopped there is nothing to be
// had. Momenta of bodies that nothing else touches stay, as their impulses have the sum 0; angular ones but for how far
// the bodies go in the step. What stands has the impulse of its weight, and is left alone.
//
// An affine body is stopped at once by what does not give way. Where a step ends in the midst of that, it has only
// slowed the body down, A < 0. So the rest of the stop is done first:
//   v += beta_s k,   beta_s = -A / (2 B),   which takes A^2 / (4 B);   the impulse is (1 + beta_s) k
// k is then only what goes along the barrier's forces at the step's end: friction does not turn round with them.
#pragma once

#include <span>

#include "sim/base/workers.hpp"
#include "sim/integrate/touching_groups.hpp"
#include "sim/model/state.hpp"

namespace rebound::sim {

/// Throws bodies off at the end of a step of h seconds from `now`, with at most so many joules. False if there is none
/// to throw. dE: n x 3, N, the barrier's gradient at next.x.
bool throw_off(const Model& model, double h, std::span<const TouchingBodies> groups, const Points& dE, const State& now,
               double most, State& next, Workers& workers);

}  // namespace rebound::sim
