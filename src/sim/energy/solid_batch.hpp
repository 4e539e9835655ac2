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

class SolidBatch final : public GroupedElements<FloatSolidGroup> {
 public:
  SolidBatch(FloatLaw law, std::span<const FloatSolid> solids, const Partition& partition,
             const FloatKernel& kernel = float_kernel());

  double value(int part, const float* x4) const override;
  double add_gradient(int part, const float* x4, float scale, float* gradient4, float* top4) const override;
  /// Both must stay as they are.
  void prepare_line(int part, const float* from4, const float* to4) override;
  double line_value(int part, double alpha) const override;
  bool has_barrier() const override { return kernel_->largest_step != nullptr; }
  double largest_step(int part, const float* x4, const float* d4) const override;

 private:
  const FloatSolidKernel* kernel_;
  const float *from4_ = nullptr, *to4_ = nullptr;
};

}  // namespace rebound::sim
