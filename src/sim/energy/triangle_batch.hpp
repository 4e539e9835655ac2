// Triangles of sheets and their hinges in single precision. Rounding is as in arap_batch.hpp.
#pragma once

#include "sim/energy/grouped_batch.hpp"

namespace rebound::sim {

/// A triangle as the solver's order has it.
struct FloatTriangle {
  std::array<int, 3> vertex;
  std::array<float, 4> inverse_rest;  ///< row-major, 1/m
  float mu, lambda;                   ///< times the volume, J
};

class TriangleBatch final : public GroupedBatch<FloatTriangleGroup> {
 public:
  TriangleBatch(FloatMembraneLaw law, std::span<const FloatTriangle> triangles, const Partition& partition,
                const FloatKernel& kernel = float_kernel());
};

/// A hinge as the solver's order has it: the edge from the first vertex to the second, and the vertices beside it.
struct FloatHinge {
  std::array<int, 4> vertex;
  float rest_angle, stiffness;  ///< rad; J
};

class HingeBatch final : public GroupedBatch<FloatHingeGroup> {
 public:
  HingeBatch(std::span<const FloatHinge> hinges, const Partition& partition,
             const FloatKernel& kernel = float_kernel());
};

}  // namespace rebound::sim
