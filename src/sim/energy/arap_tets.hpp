// As-rigid-as-possible tetrahedra: E = sum mu V |F - R|_F^2, R the rotation nearest to F [Dinev18 Sec. 4.2].
// In the form of Eq. 26: G x = F, p = R, w = 2 mu V.
#pragma once

#include "sim/energy/arap_kernel.hpp"
#include "sim/energy/energy.hpp"
#include "sim/energy/incidence.hpp"

namespace rebound::sim {

class ArapTets final : public Energy {
 public:
  /// rest: n x 3 (m); tets: positively oriented vertex numbers; mu: shear modulus a tet (Pa). The volume is the rest
  /// volume of each tet, which must be positive. fill: where mu is a material's times the share of each tet that is of
  /// it, these shares; empty: all of them 1. Only what is looked at, stress and energy of a volume, needs to know.
  ArapTets(const Points& rest, std::span<const std::array<int, 4>> tets, std::span<const double> mu,
           std::span<const double> fill = {});

  EnergyKind kind() const override { return EnergyKind::elastic; }
  bool is_internal(std::span<const BodyRange>) const override { return true; }
  double value(const Points& x, Workspace& work) const override;
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override;
  void add_laplacian(Triplets& L) const override;
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const override;
  void find_inside_out(const Points& x, InsideOut& found) const override;
  void add_element_fields(const Points& x, std::vector<ElementField>& fields, Workspace& work) const override;
  bool has_float_batch() const override { return true; }
  std::unique_ptr<FloatBatch> float_batch(std::span<const int> place, const Partition& partition,
                                          const FloatKernel& kernel) const override;

  /// Tet t is lane t % kLanes of group t / kLanes.
  std::span<const TetGroup> groups() const { return groups_; }
  std::size_t tet_count() const { return tet_count_; }

 private:
  int tasks() const;
  Eigen::Matrix3d deformation(const Points& x, std::size_t t) const;
  void element_hessian(const Points& x, Curvature curvature, std::size_t t, double* blocks) const;

  std::vector<TetGroup> groups_;
  std::size_t tet_count_ = 0;
  std::vector<double> volume_;  ///< of material, m^3 a tet
  Incidence incidence_;
};

}  // namespace rebound::sim
