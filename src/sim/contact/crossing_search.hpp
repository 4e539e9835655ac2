// Whether surfaces are through one another: an edge of one that passes through a triangle, a point below a plane, or
// within the offset of another surface. The test stands on its own: it knows nothing of distances' derivatives, of
// lists kept from before, or of ways.
#pragma once

#include <utility>
#include <vector>

#include "sim/contact/contact_search.hpp"
#include "sim/contact/crossing.hpp"

namespace rebound::sim {

/// Keeps its memory from look to look.
class CrossingSearch {
 public:
  /// Both must outlive it.
  CrossingSearch(const ContactSurface& surface, const Model& model);

  /// All of them up to `most`, in the order of the surface; p: the surface's points.
  std::vector<Crossing> find(const Points& p, std::size_t most, Workers& workers);

 private:
  const ContactSurface& surface_;
  const Model& model_;
  ContactSearch search_;
  bool has_offsets_;
  std::vector<NearPair> near_;
  std::vector<std::pair<int, int>> edges_and_faces_;
};

}  // namespace rebound::sim
