#include "sim/energy/float_batch.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace rebound::sim {

int Partition::Part::slot(int vertex) const {
  if (begin <= vertex && vertex < end) return vertex;
  const auto found = std::lower_bound(above.begin(), above.end(), vertex);
  return found != above.end() && *found == vertex ? area + static_cast<int>(found - above.begin()) : -1;
}

void Partition::fill_area(int part, float* x4) const {
  const Part& of = parts[static_cast<std::size_t>(part)];
  for (std::size_t i = 0; i < of.above.size(); ++i)
    std::copy_n(x4 + 4 * static_cast<std::size_t>(of.above[i]), 4, x4 + 4 * (static_cast<std::size_t>(of.area) + i));
}

int Partition::part_of(int vertex) const {
  const auto after =
      std::upper_bound(parts.begin(), parts.end(), vertex, [](int v, const Part& part) { return v < part.begin; });
  return static_cast<int>(after - parts.begin()) - 1;
}

std::vector<std::vector<int>> elements_by_part(std::span<const int> vertices, int corners, const Partition& partition) {
  const int count = static_cast<int>(vertices.size()) / corners;
  std::vector<int> lowest(count), order(count);
  for (int e = 0; e < count; ++e) {
    const auto element = vertices.subspan(static_cast<std::size_t>(e) * corners, corners);
    lowest[e] = *std::min_element(element.begin(), element.end());
  }
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return lowest[a] < lowest[b]; });

  std::vector<std::vector<int>> elements(partition.parts.size());
  for (const int e : order) {
    const auto part = static_cast<std::size_t>(partition.part_of(lowest[e]));
    for ([[maybe_unused]] const int v : vertices.subspan(static_cast<std::size_t>(e) * corners, corners))
      assert(partition.parts[part].slot(v) >= 0);
    elements[part].push_back(e);
  }
  return elements;
}

}  // namespace rebound::sim
