// Neo-Hookean sheet under plane stress: W = mu/2 (tr C - 2 - 2 ln j) + lambda/2 (ln j)^2, C = F^T F, F 3 x 2,
// j = sqrt(det C) the area over that at rest; infinite where there is no area.
//
// A triangle in space has no inside: j > 0 on both sides of a collapse, and steps have to end before
// (Energy::largest_step). lambda must not be negative: W would fall to -infinity. Where W is infinite there is no slope
// to follow, and its derivatives are 0.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "sim/energy/triangle_material.hpp"

namespace rebound::sim {

class MembraneNeoHookean {
 public:
  static constexpr FloatMembraneLaw kFloatLaw = FloatMembraneLaw::neo_hookean;
  static constexpr bool kHasBarrier = true;

  explicit MembraneNeoHookean(const MaterialValues& of) : of_(of) {}

  double psi(const Matrix32& F) const { return W(F, normal(F).norm()); }
  Matrix32 P(const Matrix32& F, double& psi_value) const {
    const Eigen::Vector3d N = normal(F);
    const double j = N.norm();
    psi_value = W(F, j);
    if (!has_area(j)) return Matrix32::Zero();
    // F C^-1: the columns dual to those of F. Of a thin triangle C has lost its digits.
    const Eigen::Vector3d n = N / j;
    Matrix32 dual;
    dual << F.col(1).cross(n) / j, n.cross(F.col(0)) / j;
    return of_.mu * F + (of_.lambda * std::log(j) - of_.mu) * dual;
  }
  Matrix6 dPdF(const Matrix32& F, Curvature curvature) const { return plane_dPdF(*this, F, curvature); }
  double rest_stiffness() const { return of_.wave_modulus(); }
  const PlaneLame& lame() const { return of_; }

  PlaneModes modes(const Eigen::Vector2d& s) const {
    const double mu = of_.mu, lambda = of_.lambda, j = s.prod();
    if (!has_area(j)) return {Eigen::Matrix2d::Zero(), 0, 0, Eigen::Vector2d::Zero()};
    const double pull = lambda * std::log(j) - mu;  // W_i = mu s_i + pull / s_i
    const Eigen::Vector2d inverse = s.cwiseInverse();
    PlaneModes modes;
    modes.scaling = lambda * inverse * inverse.transpose();
    for (int i = 0; i < 2; ++i) {
      modes.scaling(i, i) += mu - pull * inverse[i] * inverse[i];
      modes.bow[i] = mu + pull * inverse[i] * inverse[i];
    }
    modes.twist = mu + pull / j;
    modes.flip = mu - pull / j;
    return modes;
  }

 private:
  // A little more than 0, so that 1/s^2 is a number.
  static constexpr double kFlat = 1e-100;
  static bool has_area(double j) { return j > kFlat; }
  /// As long as the area is over that at rest.
  static Eigen::Vector3d normal(const Matrix32& F) { return F.col(0).cross(F.col(1)); }

  double W(const Matrix32& F, double j) const {
    if (!has_area(j)) return std::numeric_limits<double>::infinity();
    const double log_j = std::log(j);
    return 0.5 * of_.mu * (F.squaredNorm() - 2) + log_j * (0.5 * of_.lambda * log_j - of_.mu);
  }

  PlaneLame of_;
};

}  // namespace rebound::sim
