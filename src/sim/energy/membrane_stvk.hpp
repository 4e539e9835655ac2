// St. Venant-Kirchhoff sheet under plane stress: W = mu |G|^2 + lambda/2 tr(G)^2, G = (F^T F - 1)/2, F 3 x 2.
//
// Hooke's law in Green's strain. What is pressed to a point has finite energy.
#pragma once

#include "sim/energy/triangle_material.hpp"

namespace rebound::sim {

class MembraneStVK {
 public:
  static constexpr FloatMembraneLaw kFloatLaw = FloatMembraneLaw::stvk;
  static constexpr bool kHasBarrier = false;

  explicit MembraneStVK(const MaterialValues& of) : of_(of) {}

  double psi(const Matrix32& F) const { return W(strain(F)); }
  Matrix32 P(const Matrix32& F, double& psi_value) const {
    Eigen::Matrix2d S = strain(F);
    psi_value = W(S);
    const double pressure = of_.lambda * S.trace();
    S *= 2 * of_.mu;
    S.diagonal().array() += pressure;
    return F * S;
  }
  Matrix6 dPdF(const Matrix32& F, Curvature curvature) const { return plane_dPdF(*this, F, curvature); }
  double rest_stiffness() const { return of_.wave_modulus(); }
  const PlaneLame& lame() const { return of_; }

  PlaneModes modes(const Eigen::Vector2d& s) const {
    const double mu = of_.mu, lambda = of_.lambda, product = s[0] * s[1];
    const Eigen::Vector2d squares = s.cwiseAbs2();
    const double pressure = 0.5 * lambda * (squares.sum() - 2), excess = squares.sum() - 1;
    PlaneModes modes;
    modes.scaling = lambda * s * s.transpose();
    for (int i = 0; i < 2; ++i) {
      modes.scaling(i, i) += mu * (3 * squares[i] - 1) + pressure;
      modes.bow[i] = mu * (squares[i] - 1) + pressure;
    }
    modes.twist = mu * (excess - product) + pressure;
    modes.flip = mu * (excess + product) + pressure;
    return modes;
  }

 private:
  static Eigen::Matrix2d strain(const Matrix32& F) {
    Eigen::Matrix2d G = F.transpose() * F;
    G.diagonal().array() -= 1;
    return 0.5 * G;
  }
  double W(const Eigen::Matrix2d& G) const {
    const double trace = G.trace();
    return of_.mu * G.squaredNorm() + 0.5 * of_.lambda * trace * trace;
  }

  PlaneLame of_;
};

}  // namespace rebound::sim
