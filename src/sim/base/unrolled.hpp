// Loops of a few turns, most often of as many as they may have.
#pragma once

#include <type_traits>

namespace rebound::sim {

/// Calls visit(count), where count is kWhole with that as a constant: loops up to it are then unrolled.
template <int kWhole, class Visit>
void unrolled(int count, const Visit& visit) {
  if (count == kWhole)
    visit(std::integral_constant<int, kWhole>());
  else
    visit(count);
}

}  // namespace rebound::sim
