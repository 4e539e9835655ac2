// The straight way of a point, in shares of it.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>

#include "sim/base/types.hpp"

namespace rebound::sim {

struct StraightWay {
  Vec3 from, along;  ///< m

  Vec3 at(double share) const { return from + share * along; }
};

/// A part of a way; none where begin > end.
struct WayPart {
  double begin = 0, end = 1;
  bool empty() const { return !(begin <= end); }
};

/// What of a way is in a box.
inline WayPart within(const Eigen::AlignedBox3d& box, const StraightWay& way) {
  WayPart part;
  for (int c = 0; c < 3; ++c) {
    const double low = box.min()[c] - way.from[c], high = box.max()[c] - way.from[c], along = way.along[c];
    if (along == 0) {
      if (low > 0 || high < 0) return {1, 0};
      continue;
    }
    part.begin = std::max(part.begin, (along > 0 ? low : high) / along);
    part.end = std::min(part.end, (along > 0 ? high : low) / along);
  }
  return part;
}

}  // namespace rebound::sim
