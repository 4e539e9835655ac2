// Tetrahedra of a law in single precision, for any Tets<Material>. Rounding is as in arap_batch.hpp.
#pragma once

#include "sim/energy/grouped_batch.hpp"

namespace rebound::sim {

/// One of them, as the solver's order has it.
struct FloatSolid {
  std::array<int, 4> vertex;
  std::array<float, 9> inverse_rest;  ///< row-major, 1/m
  float mu, lambda;                   ///< times the volume, J
};

class SolidBatch final : public GroupedBatch<FloatSolidGroup> {
 public:
  SolidBatch(FloatLaw law, std::span<const FloatSolid> solids, const Partition& partition,
             const FloatKernel& kernel = float_kernel());
};

}  // namespace rebound::sim
