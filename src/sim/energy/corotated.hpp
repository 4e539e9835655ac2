// Corotated linear elasticity: W = mu |F - R|^2 + lambda/2 tr(R^T F - 1)^2, R the rotation nearest to F.
//
// In the signed singular values s, with t = s1 + s2 + s3: W = mu sum (s_i - 1)^2 + lambda/2 (t - 3)^2.
// A flat element (s2 + s3 = 0) sits on a kink: a ridge, but a valley where t > 3 + 2 mu / lambda.
#pragma once

#include "sim/energy/tet_material.hpp"

namespace rebound::sim {

class Corotated {
 public:
  static constexpr FloatLaw kFloatLaw = FloatLaw::corotated;
  static constexpr bool kHasBarrier = false;

  explicit Corotated(const MaterialValues& of) : of_(of) {}

  double psi(const Eigen::Matrix3d& F) const { return W(signed_svd(F).s); }
  Eigen::Matrix3d P(const Eigen::Matrix3d& F, double& psi_value) const {
    const SignedSvd svd = signed_svd(F);
    psi_value = W(svd.s);
    const double pressure = of_.lambda * (svd.s.sum() - 3);
    const Eigen::Vector3d dW = 2 * of_.mu * (svd.s.array() - 1) + pressure;
    return svd.U * dW.asDiagonal() * svd.V.transpose();
  }
  Matrix9 dPdF(const Eigen::Matrix3d& F, Curvature curvature) const { return isotropic_dPdF(*this, F, curvature); }
  double rest_stiffness() const { return of_.wave_modulus(); }
  const Lame& lame() const { return of_; }

  IsotropicModes modes(const Eigen::Vector3d& s) const {
    const double mu = of_.mu, pressure = of_.lambda * (s.sum() - 3);
    IsotropicModes modes;
    modes.scaling = 2 * mu * Eigen::Matrix3d::Identity() + Eigen::Matrix3d::Constant(of_.lambda);
    for (int k = 0; k < 3; ++k) modes.twist[k] = 2 * mu + (2 * pressure - 4 * mu) / std::max(s.sum() - s[k], kLeastSum);
    modes.flip.setConstant(2 * mu);
    return modes;
  }

 private:
  double W(const Eigen::Vector3d& s) const {
    const double stretch = s.sum() - 3;
    return of_.mu * (s.array() - 1).square().sum() + 0.5 * of_.lambda * stretch * stretch;
  }

  Lame of_;
};

}  // namespace rebound::sim
