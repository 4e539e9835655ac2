// Curvature of what depends on where a few points are beside one another.
#pragma once

#include "sim/collide/feature_distance.hpp"
#include "sim/energy/curvature.hpp"

namespace rebound::sim {

/// H, symmetric, of the first `corners` (2 to 4) of four points, with its eigenvalues as they count. That all of them
/// move alike must change nothing: so it is a matrix of three rows less, whose eigenvalues are found in half the time.
Matrix12 counted_relative(const Matrix12& H, int corners, Curvature curvature);

/// The Hessian of a function h of the squared distance D, by the corners, with its eigenvalues as they count; h_D and
/// h_DD are dh/dD and d2h/dD2. With n = r/|r|, the ways t^ of r made orthonormal, and dw^ the weights' own,
///   d2D/2 = (w (x) n)(w (x) n)^T - sum_k [|r| (w (x) t^_k)(dw^_k (x) n)^T + its transpose + |r|^2 (dw^_k (x) n)(dw^_k
///   (x) n)^T]
///           + w w^T (x) (I - n n^T - sum_k t^_k t^_k^T)
/// so besides the last term, which has one eigenvalue, it acts in at most five ways, and only these are looked at.
Matrix12 counted_of_distance(FeaturePair kind, const FourPoints& x, const FeatureDistance& nearest, double h_D,
                             double h_DD, Curvature curvature);

}  // namespace rebound::sim
