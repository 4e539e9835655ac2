// What parts of bodies are made of, to be seen: which points of a surface belong to which region, and regions that lie
// inside.
#pragma once

#include <memory>
#include <vector>

#include "sim/base/types.hpp"

namespace rebound::session {

class Session;

/// Of one body; all empty where it has no regions. Regions count from 1, in their order; 0 is the rest of it.
struct SeenRegions {
  /// The region that most of what surrounds a surface point is of, and the share of it that is.
  struct AtPoint {
    int region = 0;
    float share = 0;
  };
  std::vector<AtPoint> surface;   ///< one a surface point
  std::vector<int> tetrahedra;    ///< how many each region has, from that of 0
  std::vector<int> inner;         ///< tetrahedra of regions that come to no surface point; of many, some
  std::vector<int> inner_region;  ///< of which they are
};
using RegionsOfBodies = std::vector<SeenRegions>;

/// Null where no body has regions. They change by hand only.
std::shared_ptr<const RegionsOfBodies> regions_of(const Session& session);

/// The middle of a tetrahedron that lies inside, m.
struct InnerPlace {
  int body = 0, region = 0;
  sim::Vec3 at = sim::Vec3::Zero();
};
/// x: the vertices of the whole world, m.
void find_inner_places(const Session& session, const RegionsOfBodies& regions, const sim::Points& x,
                       std::vector<InnerPlace>& places);

}  // namespace rebound::session
