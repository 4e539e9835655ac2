// Which points of the bodies meet an obstacle in a step.
//
// [Dinev18 Sec. 4.3] inserts a spring for each vertex that is inside at the beginning of a frame. We differ: a spring
// is inserted as well for a point that would be inside at the end of the step if nothing held it. On a flat obstacle
// the contact energy is then the same function of x in every step, none of it appears from nowhere, and a fast point
// does not sink in by a step's way before anything pushes back. It is done for every step, so substeps find more.
//
// Both ends of a point's way may lie outside a thing that is thinner than the way is long. So all of the way is looked
// at, as it is seen from the obstacle, which may move as well, and the point is kept on the side it comes from: at the
// spot where its way goes in, until barriers do better. A spring that gives way, or a body that throws a point about
// within the step, may bring one to the far side all the same; what has got there comes back the way it went.
//
// A point that has just been pushed out may come back soon, as those at the rim of a body at rest do in every other
// step: its spring stays until it is some way off. Unpressed it does nothing, and what is known about a set of contacts
// that stays the same need not be worked out again.
#pragma once

#include "sim/contact/last_contacts.hpp"
#include "sim/model/model.hpp"
#include "sim/model/state.hpp"

namespace rebound::sim {

/// The contacts of a step of h seconds from `now`, in the order of bodies, their points, and obstacles. last: those of
/// the step before, and `before` the state in which that began; null if there was none.
std::vector<Contact> find_contacts(const Model& model, const State& now, double h, const LastContacts& last,
                                   Workers& workers, const State* before = nullptr);

}  // namespace rebound::sim
