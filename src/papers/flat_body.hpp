// Fixed corotated triangles in a plane, along x and y; z is left alone.
//
//   W(F) = mu |F - R|^2 + lambda/2 (J - 1)^2   a unit of area at rest, J/m^2;  F = R S, R a rotation
//
// |F - R|^2 = |F|^2 - 2 s + 2 with s = R : F = sqrt(a^2 + b^2), a = F11 + F22, b = F21 - F12.
#pragma once

#include <array>
#include <vector>

#include "sim/energy/energy.hpp"

namespace rebound::papers {

class FlatBody final : public sim::Energy {
 public:
  using Triangle = std::array<int, 3>;
  /// rest: n x 3, m. mu, lambda: N/m, of a body as thick as it is.
  FlatBody(const sim::Points& rest, std::vector<Triangle> triangles, double mu, double lambda);

  sim::EnergyKind kind() const override { return sim::EnergyKind::elastic; }
  double value(const sim::Points& x, sim::Workspace& work) const override;
  double add_gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) const override;
  void add_laplacian(sim::Triplets& L) const override;
  void add_hessian(const sim::Points& x, sim::Curvature curvature, sim::HessianBlocks& H,
                   sim::Workspace& work) const override;

 private:
  struct Element {
    Triangle vertices;
    double area;
    Eigen::Matrix<double, 3, 2> b;  ///< F = sum x_j b_j^T
  };
  static Eigen::Matrix2d stretch(const Element& element, const sim::Points& x);

  std::vector<Element> elements_;
  double mu_, lambda_;
};

}  // namespace rebound::papers
