#include "sim/energy/triangle_batch.hpp"

namespace rebound::sim {

TriangleBatch::TriangleBatch(FloatMembraneLaw law, std::span<const FloatTriangle> triangles, const Partition& partition,
                             const FloatKernel& kernel)
    : GroupedBatch(
          kernel.membranes[static_cast<int>(law)], list_by_part(triangles, partition), partition,
          [&](int number, FloatTriangleGroup& group, int lane) {
            const FloatTriangle& triangle = triangles[static_cast<std::size_t>(number)];
            for (int k = 0; k < 3; ++k) group.vertex[k][lane] = triangle.vertex[k];
            for (int i = 0; i < 4; ++i) group.inverse_rest[i][lane] = triangle.inverse_rest[i];
            group.mu[lane] = triangle.mu;
            group.lambda[lane] = triangle.lambda;
          },
          [](FloatTriangleGroup& group, int lane) { group.mu[lane] = group.lambda[lane] = 0; }) {}

HingeBatch::HingeBatch(std::span<const FloatHinge> hinges, const Partition& partition, const FloatKernel& kernel)
    : GroupedBatch(
          kernel.hinges, list_by_part(hinges, partition), partition,
          [&](int number, FloatHingeGroup& group, int lane) {
            const FloatHinge& hinge = hinges[static_cast<std::size_t>(number)];
            for (int k = 0; k < 4; ++k) group.vertex[k][lane] = hinge.vertex[k];
            group.rest_angle[lane] = hinge.rest_angle;
            group.stiffness[lane] = hinge.stiffness;
          },
          [](FloatHingeGroup& group, int lane) { group.stiffness[lane] = 0; }) {}

}  // namespace rebound::sim
