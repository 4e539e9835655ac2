// Uniform gravity, E = -sum m g . x: zero at the origin, unbounded below.
#pragma once

#include "sim/energy/energy.hpp"

namespace rebound::sim {

class Gravity final : public Energy {
 public:
  /// M: kg a vertex; g: m/s^2.
  Gravity(Vector M, const Vec3& g) : M_(std::move(M)), g_(g) {}

  EnergyKind kind() const override { return EnergyKind::gravity; }
  double value(const Points& x, Workspace&) const override { return -(x.transpose() * M_).dot(g_); }
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override {
    gradient.noalias() -= M_ * g_.transpose();
    return value(x, work);
  }
  void add_laplacian(Triplets&) const override {}
  void add_hessian(const Points&, Curvature, HessianBlocks&, Workspace&) const override {}
  bool has_constant_gradient() const override { return true; }

  /// The same masses under another g.
  std::shared_ptr<const Gravity> turned(const Vec3& g) const { return std::make_shared<const Gravity>(M_, g); }

 private:
  Vector M_;
  Vec3 g_;
};

}  // namespace rebound::sim
