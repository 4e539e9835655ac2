// Newton's method written as one would write it first, for our own to be measured against: a stable neo-Hookean solid,
// one tetrahedron after the other, its 12 x 12 blocks as triplets, Eigen's simplicial factor analysed anew in every
// iteration, double precision, one thread.
#pragma once

#include "scene/build.hpp"
#include "sim/step/objective.hpp"

namespace rebound::bench {

/// W of [Kim22], as sim::StableNeoHookean, worked out plainly.
class PlainRubber final : public sim::Energy {
 public:
  /// young, poisson: of all of it, Pa and -.
  PlainRubber(const sim::Points& rest, std::span<const std::array<int, 4>> tets, double young, double poisson);

  sim::EnergyKind kind() const override { return sim::EnergyKind::elastic; }
  double value(const sim::Points& x, sim::Workspace& work) const override;
  double add_gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) const override;
  void add_laplacian(sim::Triplets&) const override {}
  /// It goes into triplets instead: throws std::logic_error.
  void add_hessian(const sim::Points& x, sim::Curvature curvature, sim::HessianBlocks& H,
                   sim::Workspace& work) const override;

  /// Appends the entries of factor d2E(x), both triangles, 3n x 3n. clamped: without the negative eigenvalues of each
  /// dP/dF.
  void add_hessian_triplets(const sim::Points& x, double factor, bool clamped, sim::Triplets& entries) const;

 private:
  struct Element {
    std::array<int, 4> vertices;
    Eigen::Matrix<double, 4, 3> G;  ///< F = sum x_k G_k
    double volume;                  ///< at rest, m^3
  };
  static Eigen::Matrix3d deformation(const Element& element, const sim::Points& x);

  std::vector<Element> elements_;
  double mu_, l_;  ///< Pa
};

class PlainNewton {
 public:
  /// Of a world whose one body is a free stable neo-Hookean solid.
  explicit PlainNewton(const scene::WorldView& world);

  const sim::Model& model() const { return model_; }
  /// d2g(x) by triplets.
  sim::SparseMatrix hessian(const sim::StepObjective& g, const sim::Points& x, bool clamped) const;
  /// Improves x until dg leaves less than `tolerance` m/s of a velocity. Returns the number of iterations. Throws
  /// std::runtime_error if it does not come to that.
  int minimize(const sim::StepObjective& g, double tolerance, sim::Points& x) const;

 private:
  sim::Model model_;
  const PlainRubber* rubber_ = nullptr;
};

}  // namespace rebound::bench
