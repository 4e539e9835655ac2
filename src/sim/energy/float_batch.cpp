#include "sim/energy/float_batch.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace rebound::sim {

PartLists elements_by_part(std::span<const int> vertices, int corners, const PartTree& tree) {
  const int count = static_cast<int>(vertices.size()) / corners;
  std::vector<int> lowest(count), order(count);
  for (int e = 0; e < count; ++e) {
    const auto element = vertices.subspan(static_cast<std::size_t>(e) * corners, corners);
    lowest[e] = *std::min_element(element.begin(), element.end());
  }
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return lowest[a] < lowest[b]; });

  // Parts are in the order of their vertices: the lowest one's owner is below all others'.
  PartLists elements(static_cast<std::size_t>(tree.count()));
  for (const int e : order) {
    const int part = tree.owner(lowest[e]);
    for ([[maybe_unused]] const int v : vertices.subspan(static_cast<std::size_t>(e) * corners, corners))
      assert(tree.sees(part, v));
    elements[static_cast<std::size_t>(part)].push_back(e);
  }
  return elements;
}

}  // namespace rebound::sim
