// Triangles of any material of sheets: E = sum W(F) V, F = D_s D_m^-1 (3 x 2) constant in each, V = area times
// thickness at rest. Of bending they know nothing (hinges.hpp).
//
// With F = sum_k x_k b_k^T (b_k: row k - 1 of D_m^-1, b_0 = -(b_1 + b_2)):
//   dE/dx_k = V P b_k,   d2E/dx_j dx_k = V sum_cd b_jc b_kd dP_c/dF_d,   L_jk = w V b_j . b_k, w = rest_stiffness()
// Pretension: a share p by which the given shape is stretched already. D_m and V are those of the given triangle made
// smaller by 1/(1 + p).
#pragma once

#include "sim/energy/energy.hpp"
#include "sim/energy/incidence.hpp"
#include "sim/energy/triangle_material.hpp"

namespace rebound::sim {

template <TriangleMaterial Material>
class Triangles final : public Energy {
 public:
  /// rest: n x 3 (m); triangles: vertex numbers; values: one a triangle. Every rest area must be positive.
  Triangles(const Points& rest, std::span<const std::array<int, 3>> triangles, std::span<const MaterialValues> values);

  EnergyKind kind() const override { return EnergyKind::elastic; }
  bool is_internal(std::span<const BodyRange>) const override { return true; }
  double value(const Points& x, Workspace& work) const override;
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override;
  void add_laplacian(Triplets& L) const override;
  /// What is counted are the eigenvalues of each dP/dF.
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const override;
  bool has_barrier() const override { return Material::kHasBarrier; }
  /// A triangle in space passes by a collapse more often than through it, and would come out turned over. The bound is
  /// therefore where its normal has turned by a right angle: up to there its area is never 0.
  double largest_step(const Points& x, const Points& d, Workspace& work) const override;
  void add_element_fields(const Points& x, std::vector<ElementField>& fields, Workspace& work) const override;
  bool has_float_batch() const override { return true; }
  std::unique_ptr<FloatBatch> float_batch(std::span<const int> place, const Partition& partition,
                                          const FloatKernel& kernel) const override;

 private:
  struct Triangle {
    std::array<int, 3> vertex;
    Eigen::Matrix2d inverse_rest;  ///< D_m^-1, 1/m
    double volume;                 ///< m^3
    Material material;
  };

  void element_hessian(const Points& x, Curvature curvature, const Triangle& triangle, double* blocks) const;

  std::vector<Triangle> triangles_;
  Incidence incidence_;
};

}  // namespace rebound::sim
