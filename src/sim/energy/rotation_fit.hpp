// The rotation nearest to a 3 x 3 matrix, det R = +1 whatever F is: inverted, flat, or nothing at all.
#pragma once

namespace rebound::sim {

/// F and R are row-major. By singular value decomposition in double precision: the reference, and the way out for the
/// few matrices on which the closed form of arap_kernel loses digits (two smallest singular values that cancel).
void rotation_by_svd(const double F[9], double R[9]);

}  // namespace rebound::sim
