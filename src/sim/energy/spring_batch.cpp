#include "sim/energy/spring_batch.hpp"

#include <cassert>

namespace rebound::sim {
namespace {

std::vector<std::vector<int>> springs_by_part(const Springs& springs, std::span<const int> place,
                                              const Partition& partition) {
  assert(springs.law() == SpringLaw::hookean);
  std::vector<int> vertices;
  vertices.reserve(2 * springs.edges().size());
  for (const auto& edge : springs.edges())
    for (const int v : edge) vertices.push_back(place[v]);
  return elements_by_part(vertices, 2, partition);
}

}  // namespace

SpringBatch::SpringBatch(const Springs& springs, std::span<const int> place, const Partition& partition,
                         const FloatKernel& kernel)
    : GroupedBatch(
          kernel.springs, springs_by_part(springs, place, partition), partition,
          [&](int spring, FloatSpringGroup& group, int lane) {
            for (int k = 0; k < 2; ++k) group.vertex[k][lane] = place[springs.edges()[spring][k]];
            const double length = springs.lengths()[spring];
            group.length[lane] = static_cast<float>(length);
            group.length_remainder[lane] = static_cast<float>(length - static_cast<double>(group.length[lane]));
            group.stiffness[lane] = static_cast<float>(springs.stiffness()[spring]);
            for (int c = 0; c < 3; ++c)
              group.rest_direction[c][lane] = static_cast<float>(springs.rest_directions()[spring][c]);
          },
          [](FloatSpringGroup& group, int lane) { group.stiffness[lane] = 0; }) {}

}  // namespace rebound::sim
