// How the paths of traced vertices are drawn: the figure of a textbook, in the plane in which things move.
#pragma once

#include <optional>

#include "render/view.hpp"
#include "session/snapshot.hpp"

namespace rebound::film {

inline render::Vec3 to_render(const sim::Vec3& v) { return v.cast<float>(); }

/// Adds to `view`, in its theme's colours, a dot for each state of every path, joined by a line that fades, and the
/// circles.
void add_traces(const session::Snapshot& moment, render::View& view);

/// The part of space that a path is seen in: around its circles, with room to leave them. Empty without circles.
render::Box room_for_traces(const session::Snapshot& moment);

/// The plane of a figure, and from which side it is looked at.
struct FigurePlane {
  render::Vec3 normal;  ///< length 1, towards the eye
  float offset;         ///< m, along `normal`
};

/// Empty unless there are circles, and they and all bodies lie in one plane.
std::optional<FigurePlane> figure_plane(const session::Snapshot& moment);

}  // namespace rebound::film
