// Where the straight way of a point goes into a solid.
//
// Both ends of a way may lie outside a thing that is thinner than the way is long: whoever looks at the ends alone
// sees nothing there. Convex shapes are approached from plane to plane, each touching the shape where it is nearest to
// the point so far: Newton's method on a convex function, which never goes past its root. A torus is a polynomial of
// the fourth degree along the way; a surface of triangles is asked where it is crossed.
#pragma once

#include <optional>

#include "sim/collide/shape.hpp"

namespace rebound::sim {

/// How a point that comes from outside goes into a solid.
struct Entry {
  Nearest at;                     ///< of the surface, where the distance is 0; the normal is against the way
  std::optional<Nearest> leaves;  ///< the same where it goes out again before it ends
};

/// The first entry on the way from `from` to `to` (m, finite). None where the way begins inside, passes by, or no more
/// than scratches the surface.
std::optional<Entry> first_entry(const Shape& shape, const Vec3& from, const Vec3& to);

}  // namespace rebound::sim
