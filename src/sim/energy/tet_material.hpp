// What a material of tetrahedra has to know: W(F), the energy a volume at rest (J/m^3) of the deformation gradient F,
// and its derivatives.
//
// An isotropic W is a function of the signed singular values s of F = U diag(s) V^T alone, and the nine eigenmatrices
// of d2W/dF2 are known in closed form [Stomakhin12, Smith19]; with W_i = dW/ds_i and k the axis besides i and j:
//   three scalings   U diag(a) V^T            a: the eigenvectors of the 3 x 3 matrix d2W/ds_i ds_j, with its
//   eigenvalues three twists     U T_k V^T / sqrt 2       (W_i + W_j) / (s_i + s_j), T_k = e_i e_j^T - e_j e_i^T three
//   flips      U L_k V^T / sqrt 2       (W_i - W_j) / (s_i - s_j), L_k = e_i e_j^T + e_j e_i^T
// A material writes the quotients out, so that nothing is divided by a difference of singular values.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <concepts>

#include "sim/energy/curvature.hpp"
#include "sim/energy/float_kernel.hpp"
#include "sim/energy/material_values.hpp"
#include "sim/energy/signed_svd.hpp"

namespace rebound::sim {

/// F and P as 9-vectors are their columns, one after the other.
using Matrix9 = Eigen::Matrix<double, 9, 9>;

/// Lame's constants, Pa.
struct Lame {
  explicit Lame(const MaterialValues& of)
      : mu(of.young / (2 * (1 + of.poisson))),
        lambda(of.young * of.poisson / ((1 + of.poisson) * (1 - 2 * of.poisson))) {}

  /// The modulus of the fastest waves: lambda + 2 mu where lambda is not negative.
  double wave_modulus() const { return lambda > 0 ? lambda + 2 * mu : 2 * mu; }

  double mu, lambda;
};

template <class M>
concept TetMaterial = std::constructible_from<M, const MaterialValues&> &&
    requires(const M& m, const Eigen::Matrix3d& F, double& psi, Curvature curvature) {
  /// W(F), J/m^3.
  { m.psi(F) } -> std::same_as<double>;
  /// dW/dF, Pa, and W with it.
  { m.P(F, psi) } -> std::same_as<Eigen::Matrix3d>;
  /// d2W/dF2, Pa.
  { m.dPdF(F, curvature) } -> std::same_as<Matrix9>;
  /// What a tetrahedron's rest volume is multiplied by in L, Pa.
  { m.rest_stiffness() } -> std::same_as<double>;
  /// Lame's constants, Pa.
  { m.lame() } -> std::same_as<const Lame&>;
  /// Is W infinite wherever det F <= 0? Then is_upright(J) says where it is not.
  { M::kHasBarrier } -> std::convertible_to<bool>;
};

/// Those that have a form in single precision say which: static constexpr FloatLaw kFloatLaw.
template <class M>
inline constexpr bool kHasFloatLaw = requires {
  { M::kFloatLaw } -> std::convertible_to<FloatLaw>;
};

/// The eigenvalues of d2W/dF2, and the matrix of the scalings. Entry k of `twist` and `flip` is about axis k.
struct IsotropicModes {
  Eigen::Matrix3d scaling;  ///< d2W/ds_i ds_j, Pa
  Eigen::Vector3d twist;    ///< Pa
  Eigen::Vector3d flip;     ///< Pa
};

/// The 9 x 9 matrix that has these modes in the directions of `svd`.
Matrix9 assembled(const SignedSvd& svd, IsotropicModes modes, Curvature curvature);

/// dP/dF of a material that has IsotropicModes modes(const Vector3d& s).
template <class M>
Matrix9 isotropic_dPdF(const M& material, const Eigen::Matrix3d& F, Curvature curvature) {
  const SignedSvd svd = signed_svd(F);
  return assembled(svd, material.modes(svd.s), curvature);
}

/// cof F = d(det F)/dF.
inline Eigen::Matrix3d cofactor(const Eigen::Matrix3d& F) {
  Eigen::Matrix3d cof;
  for (int c = 0; c < 3; ++c) {
    const int d = (c + 1) % 3, e = (c + 2) % 3;
    cof.col(c) << F(1, d) * F(2, e) - F(2, d) * F(1, e), F(2, d) * F(0, e) - F(0, d) * F(2, e),
        F(0, d) * F(1, e) - F(1, d) * F(0, e);
  }
  return cof;
}

/// Below this s_i + s_j counts as 0 where it divides: the rotation nearest to F is no longer one alone.
inline constexpr double kLeastSum = 1e-12;

/// The products of two of three numbers: entry i leaves out s_i.
inline Eigen::Vector3d products_of_others(const Eigen::Vector3d& s) { return {s[1] * s[2], s[2] * s[0], s[0] * s[1]}; }

}  // namespace rebound::sim
