// Neo-Hookean elasticity: W = mu/2 (|F|^2 - 3) - mu ln J + lambda/2 (ln J)^2, J = det F; infinite where J <= 0.
//
// It can never be turned inside out, so that steps have to end before (Energy::largest_step). lambda must not be
// negative: W would fall to -infinity as an element goes flat. Where W is infinite there is no slope to follow, and its
// derivatives are 0.
#pragma once

#include <cmath>
#include <limits>

#include "sim/energy/tet_material.hpp"

namespace rebound::sim {

class NeoHookean {
 public:
  static constexpr FloatLaw kFloatLaw = FloatLaw::neo_hookean;
  static constexpr bool kHasBarrier = true;

  explicit NeoHookean(const MaterialValues& of) : of_(of) {}

  double psi(const Eigen::Matrix3d& F) const { return W(F, cofactor(F).col(0).dot(F.col(0))); }
  Eigen::Matrix3d P(const Eigen::Matrix3d& F, double& psi_value) const {
    const Eigen::Matrix3d cof = cofactor(F);
    const double J = cof.col(0).dot(F.col(0));
    psi_value = W(F, J);
    if (!is_upright(J)) return Eigen::Matrix3d::Zero();
    return of_.mu * F + (of_.lambda * std::log(J) - of_.mu) / J * cof;
  }
  Matrix9 dPdF(const Eigen::Matrix3d& F, Curvature curvature) const { return isotropic_dPdF(*this, F, curvature); }
  double rest_stiffness() const { return of_.wave_modulus(); }
  const Lame& lame() const { return of_; }

  IsotropicModes modes(const Eigen::Vector3d& s) const {
    const double mu = of_.mu, lambda = of_.lambda, J = s.prod();
    if (!is_upright(J)) return {Eigen::Matrix3d::Zero(), Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
    const double pull = lambda * std::log(J) - mu;  // W_i = mu s_i + pull / s_i
    const Eigen::Vector3d inverse = s.cwiseInverse();
    IsotropicModes modes;
    modes.scaling = lambda * inverse * inverse.transpose();
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      modes.scaling(k, k) += mu - pull * inverse[k] * inverse[k];
      modes.twist[k] = mu + pull * inverse[i] * inverse[j];
      modes.flip[k] = mu - pull * inverse[i] * inverse[j];
    }
    return modes;
  }

  /// Is W finite at J?
  static bool is_upright(double J) { return J > kFlat; }

 private:
  // A little more than 0, so that 1/s^2 is a number.
  static constexpr double kFlat = 1e-100;

  double W(const Eigen::Matrix3d& F, double J) const {
    if (!is_upright(J)) return std::numeric_limits<double>::infinity();
    const double log_J = std::log(J);
    return 0.5 * of_.mu * (F.squaredNorm() - 3) + log_J * (0.5 * of_.lambda * log_J - of_.mu);
  }

  Lame of_;
};

}  // namespace rebound::sim
