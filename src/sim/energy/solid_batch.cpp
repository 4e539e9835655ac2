#include "sim/energy/solid_batch.hpp"

#include <limits>

namespace rebound::sim {
namespace {

std::array<std::vector<int>, kParts> solids_by_part(std::span<const FloatSolid> solids, const Partition& partition) {
  std::vector<int> vertices;
  vertices.reserve(4 * solids.size());
  for (const FloatSolid& solid : solids) vertices.insert(vertices.end(), solid.vertex.begin(), solid.vertex.end());
  return elements_by_part(vertices, 4, partition);
}

}  // namespace

SolidBatch::SolidBatch(FloatLaw law, std::span<const FloatSolid> solids, const Partition& partition,
                       const FloatKernel& kernel)
    : GroupedElements(
          solids_by_part(solids, partition), partition.top,
          [&](int tet, FloatSolidGroup& group, int lane) {
            const FloatSolid& solid = solids[static_cast<std::size_t>(tet)];
            for (int k = 0; k < 4; ++k) group.vertex[k][lane] = solid.vertex[k];
            for (int i = 0; i < 9; ++i) group.inverse_rest[i][lane] = solid.inverse_rest[i];
            group.mu[lane] = solid.mu;
            group.lambda[lane] = solid.lambda;
          },
          [](FloatSolidGroup& group, int lane) { group.mu[lane] = group.lambda[lane] = 0; }),
      kernel_(&kernel.solids[static_cast<int>(law)]) {}

double SolidBatch::value(int part, const float* x4) const {
  return kernel_->value(groups(part), count(part), x4);
}

double SolidBatch::add_gradient(int part, const float* x4, float scale, float* gradient4, float* top4) const {
  return kernel_->add_gradient(groups(part), count(part), x4, scale, {gradient4, top4, first_top()});
}

void SolidBatch::prepare_line(int, const float* from4, const float* to4) {
  from4_ = from4;
  to4_ = to4;
}

double SolidBatch::line_value(int part, double alpha) const {
  return kernel_->line_value(groups(part), count(part), from4_, to4_, static_cast<float>(alpha));
}

double SolidBatch::largest_step(int part, const float* x4, const float* d4) const {
  if (!has_barrier()) return std::numeric_limits<double>::infinity();
  return kernel_->largest_step(groups(part), count(part), x4, d4);
}

}  // namespace rebound::sim
