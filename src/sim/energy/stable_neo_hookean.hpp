// Stable neo-Hookean elasticity, finite and smooth for every F, in the form without a logarithm [Kim22]:
//   W = mu/2 (|F|^2 - 3) - mu (J - 1) + l/2 (J - 1)^2,   l = lambda + mu,   J = det F.
//
// We differ: [Smith18 Eq. 14] has other constants and a logarithm that keeps collapsed elements from resting; its W is
// not 0 at rest.
#pragma once

#include "sim/energy/tet_material.hpp"

namespace rebound::sim {

class StableNeoHookean {
 public:
  static constexpr FloatLaw kFloatLaw = FloatLaw::stable_neo_hookean;
  static constexpr bool kHasBarrier = false;

  explicit StableNeoHookean(const MaterialValues& of) : of_(of), l_(of_.lambda + of_.mu) {}

  double psi(const Eigen::Matrix3d& F) const { return W(F, cofactor(F).col(0).dot(F.col(0)) - 1); }
  Eigen::Matrix3d P(const Eigen::Matrix3d& F, double& psi_value) const {
    const Eigen::Matrix3d cof = cofactor(F);
    const double swelling = cof.col(0).dot(F.col(0)) - 1;
    psi_value = W(F, swelling);
    return of_.mu * F + (l_ * swelling - of_.mu) * cof;
  }
  Matrix9 dPdF(const Eigen::Matrix3d& F, Curvature curvature) const { return isotropic_dPdF(*this, F, curvature); }
  double rest_stiffness() const { return of_.wave_modulus(); }
  const Lame& lame() const { return of_; }

  IsotropicModes modes(const Eigen::Vector3d& s) const {
    const double mu = of_.mu, pull = l_ * (s.prod() - 1) - mu;  // W_i = mu s_i + pull s_j s_k
    const Eigen::Vector3d others = products_of_others(s);
    IsotropicModes modes;
    modes.scaling = l_ * others * others.transpose();
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      modes.scaling(k, k) += mu;
      modes.scaling(i, j) += pull * s[k];
      modes.scaling(j, i) += pull * s[k];
      modes.twist[k] = mu + pull * s[k];
      modes.flip[k] = mu - pull * s[k];
    }
    return modes;
  }

 private:
  double W(const Eigen::Matrix3d& F, double swelling) const {
    return 0.5 * of_.mu * (F.squaredNorm() - 3) + swelling * (0.5 * l_ * swelling - of_.mu);
  }

  Lame of_;
  double l_;  ///< Pa
};

}  // namespace rebound::sim
