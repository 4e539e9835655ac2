// St. Venant-Kirchhoff: W = mu |G|^2 + lambda/2 tr(G)^2, G = (F^T F - 1)/2.
//
// Hooke's law in Green's strain. Pressed below 1/sqrt 3 of its length it gives way, and F = -1 is at rest as well: it
// collapses under pressure.
#pragma once

#include "sim/energy/tet_material.hpp"

namespace rebound::sim {

class StVK {
 public:
  static constexpr FloatLaw kFloatLaw = FloatLaw::stvk;
  static constexpr bool kHasBarrier = false;

  explicit StVK(const MaterialValues& of) : of_(of) {}

  double psi(const Eigen::Matrix3d& F) const { return W(strain(F)); }
  Eigen::Matrix3d P(const Eigen::Matrix3d& F, double& psi_value) const {
    Eigen::Matrix3d S = strain(F);
    psi_value = W(S);
    const double pressure = of_.lambda * S.trace();
    S *= 2 * of_.mu;
    S.diagonal().array() += pressure;
    return F * S;
  }
  Matrix9 dPdF(const Eigen::Matrix3d& F, Curvature curvature) const { return isotropic_dPdF(*this, F, curvature); }
  double rest_stiffness() const { return of_.wave_modulus(); }
  const Lame& lame() const { return of_; }

  IsotropicModes modes(const Eigen::Vector3d& s) const {
    const double mu = of_.mu, lambda = of_.lambda;
    const Eigen::Vector3d squares = s.cwiseAbs2();
    const double pressure = 0.5 * lambda * (squares.sum() - 3);
    IsotropicModes modes;
    modes.scaling = lambda * s * s.transpose();
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      modes.scaling(k, k) += mu * (3 * squares[k] - 1) + pressure;
      const double sum = squares[i] + squares[j] - 1, product = s[i] * s[j];
      modes.twist[k] = mu * (sum - product) + pressure;
      modes.flip[k] = mu * (sum + product) + pressure;
    }
    return modes;
  }

 private:
  static Eigen::Matrix3d strain(const Eigen::Matrix3d& F) {
    Eigen::Matrix3d G = F.transpose() * F;
    G.diagonal().array() -= 1;
    return 0.5 * G;
  }
  double W(const Eigen::Matrix3d& G) const {
    const double trace = G.trace();
    return of_.mu * G.squaredNorm() + 0.5 * of_.lambda * trace * trace;
  }

  Lame of_;
};

}  // namespace rebound::sim
