// Which vertices are one body's.
#pragma once

namespace rebound::sim {

/// The vertices [first, first + count) of one body.
struct BodyRange {
  int first = 0;
  int count = 0;
};

}  // namespace rebound::sim
