// Energies of one dimension, along x: an elastic bar, and two walls to run into [You26 Table 2, App. E].
#pragma once

#include "sim/energy/energy.hpp"

namespace rebound::papers {

/// A bar of length 1 m and 1 m^2 of equal linear elements between consecutive vertices; energy a volume
/// E/2 ((F^2 - 1)/2 - ln F).
class BarEnergy final : public sim::Energy {
 public:
  /// E: Pa.
  BarEnergy(int elements, double E) : elements_(elements), E_(E) {}
  sim::EnergyKind kind() const override { return sim::EnergyKind::elastic; }
  double value(const sim::Points& x, sim::Workspace& work) const override;
  double add_gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) const override;
  void add_laplacian(sim::Triplets& L) const override;
  void add_hessian(const sim::Points& x, sim::Curvature curvature, sim::HessianBlocks& H,
                   sim::Workspace& work) const override;
  bool has_barrier() const override { return true; }
  double largest_step(const sim::Points& x, const sim::Points& d, sim::Workspace&) const override;

 private:
  double stretch(const sim::Points& x, int e) const { return (x(e + 1, 0) - x(e, 0)) * elements_; }
  int elements_;
  double E_;
};

/// The barrier -kappa (d/d^ - 1)^2 ln(d/d^) J on the first vertex, d its x.
class BarrierWall final : public sim::Energy {
 public:
  /// reach: d^, m; strength: kappa, J.
  BarrierWall(double reach, double strength) : reach_(reach), strength_(strength) {}
  sim::EnergyKind kind() const override { return sim::EnergyKind::contact; }
  double value(const sim::Points& x, sim::Workspace& work) const override;
  double add_gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) const override;
  void add_laplacian(sim::Triplets&) const override {}
  void add_hessian(const sim::Points& x, sim::Curvature curvature, sim::HessianBlocks& H,
                   sim::Workspace& work) const override;
  bool has_barrier() const override { return true; }
  double largest_step(const sim::Points& x, const sim::Points& d, sim::Workspace&) const override;

 private:
  double reach_, strength_;
};

/// k/2 x^2 where x < 0, nothing else: on the first vertex.
class SpringWall final : public sim::Energy {
 public:
  explicit SpringWall(double stiffness) : stiffness_(stiffness) {}
  sim::EnergyKind kind() const override { return sim::EnergyKind::contact; }
  double value(const sim::Points& x, sim::Workspace& work) const override;
  double add_gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) const override;
  void add_laplacian(sim::Triplets&) const override {}
  void add_hessian(const sim::Points& x, sim::Curvature curvature, sim::HessianBlocks& H,
                   sim::Workspace& work) const override;

 private:
  double stiffness_;
};

}  // namespace rebound::papers
