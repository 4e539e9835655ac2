// Hookean Springs in single precision.
#pragma once

#include "sim/energy/grouped_batch.hpp"
#include "sim/energy/springs.hpp"

namespace rebound::sim {

class SpringBatch final : public GroupedBatch<FloatSpringGroup> {
 public:
  /// springs: of the hookean law; place[v]: where vertex v of them stands in the solver's order. A spring shorter than
  /// 1e-15 m takes its rest direction.
  SpringBatch(const Springs& springs, std::span<const int> place, const Partition& partition,
              const FloatKernel& kernel = float_kernel());
};

}  // namespace rebound::sim
