// Fixed corotated elasticity: W = mu |F - R|^2 + lambda/2 (J - 1)^2, R the rotation nearest to F, J = det F
// [Stomakhin12 Sec. 3.3].
//
// A flat element (s2 + s3 = 0) sits on a ridge, never in a valley. lambda must not be negative: (J - 1)^2 grows faster
// than all else, and W would fall for ever.
#pragma once

#include "sim/energy/tet_material.hpp"

namespace rebound::sim {

class FixedCorotated {
 public:
  static constexpr FloatLaw kFloatLaw = FloatLaw::fixed_corotated;
  static constexpr bool kHasBarrier = false;

  explicit FixedCorotated(const MaterialValues& of) : of_(of) {}

  double psi(const Eigen::Matrix3d& F) const { return W(signed_svd(F).s); }
  Eigen::Matrix3d P(const Eigen::Matrix3d& F, double& psi_value) const {
    const SignedSvd svd = signed_svd(F);
    psi_value = W(svd.s);
    const Eigen::Vector3d dW =
        2 * of_.mu * (svd.s.array() - 1).matrix() + of_.lambda * (svd.s.prod() - 1) * products_of_others(svd.s);
    return svd.U * dW.asDiagonal() * svd.V.transpose();
  }
  Matrix9 dPdF(const Eigen::Matrix3d& F, Curvature curvature) const { return isotropic_dPdF(*this, F, curvature); }
  double rest_stiffness() const { return of_.wave_modulus(); }
  const Lame& lame() const { return of_; }

  IsotropicModes modes(const Eigen::Vector3d& s) const {
    const double mu = of_.mu, lambda = of_.lambda, J = s.prod();
    const Eigen::Vector3d others = products_of_others(s);
    IsotropicModes modes;
    modes.scaling = lambda * others * others.transpose();
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      modes.scaling(k, k) += 2 * mu;
      modes.scaling(i, j) = modes.scaling(j, i) = lambda * (2 * J - 1) * s[k];
      modes.twist[k] = 2 * mu - 4 * mu / std::max(s[i] + s[j], kLeastSum) + lambda * (J - 1) * s[k];
      modes.flip[k] = 2 * mu - lambda * (J - 1) * s[k];
    }
    return modes;
  }

 private:
  double W(const Eigen::Vector3d& s) const {
    const double swelling = s.prod() - 1;
    return of_.mu * (s.array() - 1).square().sum() + 0.5 * of_.lambda * swelling * swelling;
  }

  Lame of_;
};

}  // namespace rebound::sim
