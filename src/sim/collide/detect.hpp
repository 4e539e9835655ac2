// Which points of the bodies meet an obstacle in a step.
//
// [Dinev18 Sec. 4.3] inserts a spring for each vertex that is inside at the beginning of a frame. We differ: a spring is
// inserted as well for a point that would be inside at the end of the step if nothing held it. On a flat obstacle the
// contact energy is then the same function of x in every step, none of it appears from nowhere, and a fast point
// does not sink in by a step's way before anything pushes back. It is done for every step, so substeps find more.
#pragma once

#include "sim/model.hpp"
#include "sim/state.hpp"

namespace rebound::sim {

/// The contacts of a step of h seconds from `now`, in the order of bodies, their points, and obstacles.
std::vector<Contact> find_contacts(const Model& model, const State& now, double h, Workers& workers);

}  // namespace rebound::sim
