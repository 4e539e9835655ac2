// What a solver takes of the second derivative of an energy. Where single elements curve down, H may be indefinite, and
// Newton's direction point uphill.
#pragma once

#include <algorithm>
#include <cmath>

namespace rebound::sim {

/// Of each element's eigenvalues; what is added is positive semi-definite unless it is exact.
enum class Curvature {
  exact,
  clamped,   ///< 0 where they are negative [Smith19]
  absolute,  ///< their size without its sign [Chen24]
};

/// An eigenvalue as it counts.
inline double counted(double eigenvalue, Curvature curvature) {
  if (curvature == Curvature::exact) return eigenvalue;
  return curvature == Curvature::clamped ? std::max(eigenvalue, 0.0) : std::abs(eigenvalue);
}

}  // namespace rebound::sim
