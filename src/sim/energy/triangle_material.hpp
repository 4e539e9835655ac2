// What a material of triangles has to know: W(F), the energy a volume at rest (J/m^3) of the 3 x 2 deformation gradient
// F of a thin sheet under plane stress, and its derivatives.
//
// An isotropic W is a function of the singular values s of F = U diag(s) V^T alone, and the six eigenmatrices of
// d2W/dF2 are those of a solid with a third singular value that is not there; with W_i = dW/ds_i and n the normal:
//   two scalings   U diag(a) V^T               a: the eigenvectors of d2W/ds_i ds_j, with its eigenvalues
//
//   a twist        (u1 v2^T - u2 v1^T)/sqrt 2   (W_1 + W_2) / (s_1 + s_2)
//
//   a flip         (u1 v2^T + u2 v1^T)/sqrt 2   (W_1 - W_2) / (s_1 - s_2)
//
//   two bows       n v_i^T                      W_i / s_i: a sheet that is pressed gives way sideways
//
// A material writes the quotients out, so that nothing is divided by a difference of singular values.
#pragma once

#include <Eigen/Core>
#include <concepts>

#include "sim/energy/float_kernel.hpp"
#include "sim/energy/material_values.hpp"
#include "sim/energy/tet_material.hpp"

namespace rebound::sim {

using Matrix32 = Eigen::Matrix<double, 3, 2>;
/// F and P as 6-vectors are their columns, one after the other.
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// Lame's constants of a sheet whose faces are free of stress, Pa.
struct PlaneLame {
  explicit PlaneLame(const MaterialValues& of)
      : mu(of.young / (2 * (1 + of.poisson))), lambda(of.young * of.poisson / (1 - of.poisson * of.poisson)) {}

  /// The modulus of the fastest waves, for poisson >= 0: young / (1 - poisson^2).
  double wave_modulus() const { return lambda + 2 * mu; }

  double mu, lambda;
};

template <class M>
concept TriangleMaterial = std::constructible_from<M, const MaterialValues&> &&
    requires(const M& m, const Matrix32& F, double& psi, Curvature curvature) {
  /// W(F), J/m^3.
  { m.psi(F) } -> std::same_as<double>;
  /// dW/dF, Pa, and W with it.
  { m.P(F, psi) } -> std::same_as<Matrix32>;
  /// d2W/dF2, Pa.
  { m.dPdF(F, curvature) } -> std::same_as<Matrix6>;
  /// What a triangle's rest volume is multiplied by in L, Pa.
  { m.rest_stiffness() } -> std::same_as<double>;
  /// Lame's constants under plane stress, Pa.
  { m.lame() } -> std::same_as<const PlaneLame&>;
  /// Its form in single precision.
  { M::kFloatLaw } -> std::convertible_to<FloatMembraneLaw>;
  /// Is W infinite where the triangle has no area?
  { M::kHasBarrier } -> std::convertible_to<bool>;
};

/// F = U diag(s) V^T with the first two columns of U; the third is the normal.
struct PlaneSvd {
  Eigen::Matrix3d U;  ///< a rotation
  Eigen::Matrix2d V;  ///< a rotation
  Eigen::Vector2d s;  ///< s1 >= s2 >= 0
};

/// A collapsed F has its directions as well. If F is not finite, nor is s.
PlaneSvd plane_svd(const Matrix32& F);

/// The eigenvalues of d2W/dF2, and the matrix of the scalings.
struct PlaneModes {
  Eigen::Matrix2d scaling;  ///< d2W/ds_i ds_j, Pa
  double twist, flip;       ///< Pa
  Eigen::Vector2d bow;      ///< Pa
};

/// The 6 x 6 matrix that has these modes in the directions of `svd`.
Matrix6 assembled(const PlaneSvd& svd, PlaneModes modes, Curvature curvature);

/// dP/dF of a material that has PlaneModes modes(const Vector2d& s).
template <class M>
Matrix6 plane_dPdF(const M& material, const Matrix32& F, Curvature curvature) {
  const PlaneSvd svd = plane_svd(F);
  return assembled(svd, material.modes(svd.s), curvature);
}

}  // namespace rebound::sim
