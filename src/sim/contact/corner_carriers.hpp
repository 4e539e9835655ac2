// From derivatives by the corners of a pair of features to those by the vertices that carry these corners.
#pragma once

#include "sim/collide/feature_distance.hpp"
#include "sim/energy/attachments.hpp"

namespace rebound::sim {

/// What carries each corner; null where none does.
using Carriers = std::array<const BodyPoint*, 4>;

/// gradient (n x 3) += what a term has by its corners.
void add_by_vertices(const Carriers& carriers, const Vector12& by_corners, Points& gradient);
/// The same of second derivatives; the places must be in H's pattern.
void add_by_vertices(const Carriers& carriers, const Matrix12& by_corners, HessianBlocks& H);
/// Appends the pairs (i > j) of vertices that such a term links.
void add_links(const Carriers& carriers, std::vector<std::pair<int, int>>& links);

}  // namespace rebound::sim
