// The edges of a surface with the triangles around each.
#pragma once

#include <span>
#include <vector>

#include "mesh/mesh.hpp"

namespace rebound::mesh {

/// One triangle's side: from low to high when rising, the other way otherwise.
struct HalfEdge {
  int low, high, triangle;
  bool rising;
};

/// All sides with two different ends, those of one edge next to each other.
std::vector<HalfEdge> half_edges_of(const Surface& surface);

/// Calls visit(span of half edges) once an edge.
template <typename Visit>
void for_each_edge(const std::vector<HalfEdge>& edges, Visit&& visit) {
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    while (end < edges.size() && edges[end].low == edges[begin].low && edges[end].high == edges[begin].high) ++end;
    visit(std::span<const HalfEdge>(edges).subspan(begin, end - begin));
  }
}

}  // namespace rebound::mesh
