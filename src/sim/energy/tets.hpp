// Tetrahedra of any material: E = sum W(F) V, F = D_s D_m^-1 constant in each.
//
// With F = sum_k x_k b_k^T (b_k: row k - 1 of D_m^-1, b_0 = -(b_1 + b_2 + b_3)):
//   dE/dx_k = V P b_k,   d2E/dx_j dx_k = V sum_cd b_jc b_kd dP_c/dF_d,   L_jk = w V b_j . b_k, w = rest_stiffness()
// In double precision an element at a time; arap has kernels of its own (arap_tets.hpp). A material of your own is a
// TetMaterial, and one file that includes tets.inl makes Tets of it.
#pragma once

#include "sim/energy/energy.hpp"
#include "sim/energy/incidence.hpp"
#include "sim/energy/tet_material.hpp"

namespace rebound::sim {

struct SolidInput;

template <TetMaterial Material>
class Tets final : public Energy {
 public:
  /// rest: n x 3 (m); tets: positively oriented vertex numbers; values and fill: one a tet, fill being the share of
  /// its rest volume that is material. Every rest volume must be positive.
  Tets(const Points& rest, std::span<const std::array<int, 4>> tets, std::span<const MaterialValues> values,
       std::span<const double> fill);

  EnergyKind kind() const override { return EnergyKind::elastic; }
  bool is_internal(std::span<const BodyRange>) const override { return true; }
  double value(const Points& x, Workspace& work) const override;
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override;
  void add_laplacian(Triplets& L) const override;
  /// What is counted are the eigenvalues of each dP/dF.
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const override;
  bool has_barrier() const override { return Material::kHasBarrier; }
  double largest_step(const Points& x, const Points& d, Workspace& work) const override;
  void find_inside_out(const Points& x, InsideOut& found) const override;
  void add_element_fields(const Points& x, std::vector<ElementField>& fields, Workspace& work) const override;
  bool has_float_batch() const override { return kHasFloatLaw<Material>; }
  std::unique_ptr<FloatBatch> float_batch(std::span<const int> place, const Partition& partition,
                                          const FloatKernel& kernel) const override;

 private:
  struct Tet {
    std::array<int, 4> vertex;
    Eigen::Matrix3d inverse_rest;  ///< D_m^-1, 1/m
    double volume;                 ///< of material, m^3
    Material material;
  };

  void element_hessian(const Points& x, Curvature curvature, const Tet& tet, double* blocks) const;
  void read_edges(const Points& x, std::size_t first, int count, SolidInput& input) const;
  void read_wide(const Points& x, std::size_t first, int count, SolidInput& input) const;
  static unsigned set_aside_infinite(SolidInput& input);
  double wide_gradients(const Points& x, double* slots, Workspace& work) const;
  void wide_hessians(const Points& x, std::size_t first, std::size_t end, const HessianBlocks& H, double* blocks) const;

  std::vector<Tet> tets_;
  Incidence incidence_;
};

}  // namespace rebound::sim
