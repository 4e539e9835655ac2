#include "sim/energy/float_batch.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace rebound::sim {

std::array<std::vector<int>, kParts> elements_by_part(std::span<const int> vertices, int corners,
                                                      const Partition& partition) {
  const int count = static_cast<int>(vertices.size()) / corners;
  std::vector<int> lowest(count), order(count);
  for (int e = 0; e < count; ++e) {
    const auto element = vertices.subspan(static_cast<std::size_t>(e) * corners, corners);
    lowest[e] = *std::min_element(element.begin(), element.end());
  }
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return lowest[a] < lowest[b]; });

  // The lowest vertex tells the part, and those of the top alone come last.
  std::array<std::vector<int>, kParts> elements;
  for (const int e : order) {
    int part = partition.in_part(0, lowest[e]) ? 0 : 1;
    if (lowest[e] >= partition.top) part = elements[1].size() < elements[0].size() ? 1 : 0;
    for ([[maybe_unused]] const int v : vertices.subspan(static_cast<std::size_t>(e) * corners, corners))
      assert(v < partition.size && (v >= partition.top || partition.in_part(part, v)));
    elements[part].push_back(e);
  }
  return elements;
}

}  // namespace rebound::sim
