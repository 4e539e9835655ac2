#include "sim/energy/tet_material.hpp"

#include "sim/energy/curvature_filter.hpp"

namespace rebound::sim {
// In the basis u_a v_b^T the matrix is all but diagonal: the scalings mix u_a v_a^T, and a twist and a flip mix
// u_i v_j^T with u_j v_i^T.
Matrix9 assembled(const SignedSvd& svd, IsotropicModes modes, Curvature curvature) {
  modes.scaling = counted(modes.scaling, curvature);
  for (double& twist : modes.twist) twist = counted(twist, curvature);
  for (double& flip : modes.flip) flip = counted(flip, curvature);
  Matrix9 basis, weighted;  // column 3 b + a of `basis` is u_a v_b^T
  for (int b = 0; b < 3; ++b)
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) basis.col(3 * b + a).segment<3>(3 * c) = svd.V(c, b) * svd.U.col(a);
  for (int a = 0; a < 3; ++a) {
    weighted.col(4 * a) =
        modes.scaling(a, 0) * basis.col(0) + modes.scaling(a, 1) * basis.col(4) + modes.scaling(a, 2) * basis.col(8);
    const int i = (a + 1) % 3, j = (a + 2) % 3, ij = 3 * j + i, ji = 3 * i + j;
    const double same = 0.5 * (modes.flip[a] + modes.twist[a]), crossed = 0.5 * (modes.flip[a] - modes.twist[a]);
    weighted.col(ij) = same * basis.col(ij) + crossed * basis.col(ji);
    weighted.col(ji) = same * basis.col(ji) + crossed * basis.col(ij);
  }
  Matrix9 H;
  H.noalias() = weighted.lazyProduct(basis.transpose());
  return H;
}

}  // namespace rebound::sim
