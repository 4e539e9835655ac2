// Uniform gravity, E = -sum m g . x: zero at the origin, unbounded below.
#pragma once

#include "sim/base/row_passes.hpp"
#include "sim/energy/energy.hpp"

namespace rebound::sim {

class Gravity final : public Energy {
 public:
  /// M: kg a vertex; g: m/s^2.
  Gravity(Vector M, const Vec3& g) : M_(std::move(M)), g_(g) {}

  EnergyKind kind() const override { return EnergyKind::gravity; }
  double value(const Points& x, Workspace& work) const override {
    const auto mx = sum_rows<3>(work.workers, x.rows(), [&](Eigen::Index first, Eigen::Index rows, auto& sum) {
      const Vec3 of_piece = x.middleRows(first, rows).transpose() * M_.segment(first, rows);
      for (int c = 0; c < 3; ++c) sum[c] += of_piece[c];
    });
    return -Vec3(mx[0], mx[1], mx[2]).dot(g_);
  }
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override {
    each_rows(work.workers, x.rows(), [&](Eigen::Index first, Eigen::Index rows) {
      gradient.middleRows(first, rows).noalias() -= M_.segment(first, rows) * g_.transpose();
    });
    return value(x, work);
  }
  void add_laplacian(Triplets&) const override {}
  void add_hessian(const Points&, Curvature, HessianBlocks&, Workspace&) const override {}
  bool has_constant_gradient() const override { return true; }

  /// Is it m g of each vertex?
  bool is_of(const Vector& M, const Vec3& g) const { return g_ == g && M_ == M; }
  /// The same masses under another g.
  std::shared_ptr<const Gravity> turned(const Vec3& g) const { return std::make_shared<const Gravity>(M_, g); }

 private:
  Vector M_;
  Vec3 g_;
};

}  // namespace rebound::sim
