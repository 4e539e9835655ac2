// A body has two forms: elements of its own, and, where its material moves it as a whole, the four vertices of an
// affine body. A running world goes from one to the other as its material changes.
#pragma once

#include "scene/build.hpp"

namespace rebound::scene {

/// Has the body another form than its material in the description asks for?
bool is_of_other_form(const Description& description, std::size_t body, const BodyGeometry& geometry);

/// The form that its material asks for, of the same surface. Soon made if it becomes affine, or was not before; else
/// its mesh is made anew. Throws InputError if it cannot be: where the surface encloses nothing, or numbers that the
/// scene speaks of would mean other vertices; Cancelled.
std::shared_ptr<const BodyGeometry> other_form(const Description& description, std::size_t body,
                                               const std::shared_ptr<const BodyGeometry>& geometry,
                                               const mesh::Progress& progress = {});

/// A body in one of its forms, moving.
struct MovingBody {
  const BodyGeometry& geometry;
  sim::Vector M;     ///< kg a vertex
  sim::Points x, v;  ///< m, m/s
};

/// Puts `to`, whose masses are given, where `from` is: undeformed, turned as that is on the whole, with its centre of
/// mass, and with its linear and angular momentum as a rigid motion.
void carry_over(const MovingBody& from, MovingBody& to);

}  // namespace rebound::scene
