// What the elements of a body go through: stress, strain and energy of each, to be looked at. No solver needs them.
//
// With F the deformation gradient, P = dW/dF and J = det F:
//   Cauchy's stress      sigma = P F^T / J, force over area as they are now
//   von Mises            sqrt(3/2 dev(sigma) : dev(sigma)): of a bar that is pulled, the tension in it
//   strain               of the principal values (s_i^2 - 1) / 2 of Green's strain the one that is farthest from 0, its
//   size
// A sheet has the same with j, its area over that at rest, in the place of J: its thickness is taken to be that at
// rest. A spring has a strain |l - l0| / l0 alone, as it has no cross-section.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/linear/small_pairs.hpp"

namespace rebound::sim {

inline constexpr double kNoSuchField = std::numeric_limits<double>::quiet_NaN();

/// One element. Of springs `stress` and `energy` are kNoSuchField.
struct ElementField {
  std::array<int, 4> vertices{};
  int corners = 0;    ///< how many of them it has
  double volume = 0;  ///< of material at rest, m^3; of springs the length at rest, m
  double stress = 0;  ///< von Mises, Pa
  double strain = 0;  ///< -
  double energy = 0;  ///< W, J/m^3 at rest; infinite where the law's is
};

/// sqrt(3/2 dev(sigma) : dev(sigma)).
inline double von_mises(const Eigen::Matrix3d& sigma) {
  Eigen::Matrix3d deviator = sigma;
  deviator.diagonal().array() -= sigma.trace() / 3;
  return std::sqrt(1.5) * deviator.norm();
}

/// That of the stress P F^T / J. What is pressed flat has no area to divide by, and counts as this thin.
inline constexpr double kThinnest = 1e-6;
inline double von_mises_of(const Eigen::Matrix3d& P_Ft, double J) {
  return von_mises(P_Ft) / std::max(std::abs(J), kThinnest);
}

/// The size of the principal Green strain farthest from 0, of C = F^T F.
template <int size>
double largest_strain(const Eigen::Matrix<double, size, size>& C) {
  if (!C.allFinite()) return kNoSuchField;
  return 0.5 * (symmetric_values(C).array() - 1).abs().maxCoeff();
}

}  // namespace rebound::sim
