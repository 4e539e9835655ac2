#include "sim/energy/solid_batch.hpp"

namespace rebound::sim {

SolidBatch::SolidBatch(FloatLaw law, std::span<const FloatSolid> solids, const Partition& partition,
                       const FloatKernel& kernel)
    : GroupedBatch(
          kernel.solids[static_cast<int>(law)], list_by_part(solids, partition), partition,
          [&](int tet, FloatSolidGroup& group, int lane) {
            const FloatSolid& solid = solids[static_cast<std::size_t>(tet)];
            for (int k = 0; k < 4; ++k) group.vertex[k][lane] = solid.vertex[k];
            for (int i = 0; i < 9; ++i) group.inverse_rest[i][lane] = solid.inverse_rest[i];
            group.mu[lane] = solid.mu;
            group.lambda[lane] = solid.lambda;
          },
          [](FloatSolidGroup& group, int lane) { group.mu[lane] = group.lambda[lane] = 0; }) {}

}  // namespace rebound::sim
