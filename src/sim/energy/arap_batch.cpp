#include "sim/energy/arap_batch.hpp"

namespace rebound::sim {
namespace {

std::vector<std::vector<int>> tets_by_part(const ArapTets& tets, std::span<const int> place,
                                           const Partition& partition) {
  std::vector<int> vertices;
  vertices.reserve(4 * tets.tet_count());
  for (std::size_t t = 0; t < tets.tet_count(); ++t)
    for (int k = 0; k < 4; ++k) vertices.push_back(place[tets.groups()[t / kLanes].vertex[k][t % kLanes]]);
  return elements_by_part(vertices, 4, partition);
}

}  // namespace

ArapBatch::ArapBatch(const ArapTets& tets, std::span<const int> place, const Partition& partition,
                     const FloatKernel& kernel)
    : GroupedBatch(
          kernel.tets, tets_by_part(tets, place, partition), partition,
          [&](int tet, FloatTetGroup& group, int lane) {
            const TetGroup& from = tets.groups()[tet / kLanes];
            const int from_lane = tet % kLanes;
            for (int k = 0; k < 4; ++k) group.vertex[k][lane] = place[from.vertex[k][from_lane]];
            for (int i = 0; i < 9; ++i)
              group.inverse_rest[i][lane] = static_cast<float>(from.inverse_rest[i][from_lane]);
            group.weight[lane] = static_cast<float>(from.weight[from_lane]);
          },
          [](FloatTetGroup& group, int lane) { group.weight[lane] = 0; }) {}

}  // namespace rebound::sim
