#include "sim/energy/energy.hpp"

#include "sim/energy/float_batch.hpp"

namespace rebound::sim {

std::unique_ptr<FloatBatch> Energy::float_batch(std::span<const int>, const Partition&, const FloatKernel&) const {
  return nullptr;
}

}  // namespace rebound::sim
