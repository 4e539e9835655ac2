#include "sim/energy/triangle_material.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "sim/energy/curvature_filter.hpp"

namespace rebound::sim {
namespace {

// Below this share of the other one a column is rounding and has no direction.
constexpr double kNoColumn = 1e-15;

}  // namespace

// One Jacobi rotation makes two columns orthogonal.
PlaneSvd plane_svd(const Matrix32& F) {
  const double a = F.col(0).squaredNorm(), b = F.col(1).squaredNorm(), c = F.col(0).dot(F.col(1));
  const double angle = 0.5 * std::atan2(2 * c, a - b);
  PlaneSvd svd;
  svd.V << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  Matrix32 columns = F * svd.V;
  svd.s[0] = columns.col(0).norm();
  const Eigen::Vector3d first = svd.s[0] > 0 ? Eigen::Vector3d(columns.col(0) / svd.s[0]) : Eigen::Vector3d::UnitX();
  columns.col(1) -= first.dot(columns.col(1)) * first;
  svd.s[1] = columns.col(1).norm();
  const Eigen::Vector3d second =
      svd.s[1] > kNoColumn * svd.s[0] ? Eigen::Vector3d(columns.col(1) / svd.s[1]) : first.unitOrthogonal();
  svd.U << first, second, first.cross(second);
  return svd;
}

// In the basis u_a v_b^T the matrix is all but diagonal: the scalings mix u1 v1^T with u2 v2^T, the twist and the flip
// u1 v2^T with u2 v1^T.
Matrix6 assembled(const PlaneSvd& svd, PlaneModes modes, Curvature curvature) {
  modes.scaling = counted(modes.scaling, curvature);
  modes.twist = counted(modes.twist, curvature);
  modes.flip = counted(modes.flip, curvature);
  for (double& bow : modes.bow) bow = counted(bow, curvature);
  Matrix6 basis, weighted;  // column 3 b + a of `basis` is u_a v_b^T
  for (int b = 0; b < 2; ++b)
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 2; ++c) basis.col(3 * b + a).segment<3>(3 * c) = svd.V(c, b) * svd.U.col(a);
  const double same = 0.5 * (modes.flip + modes.twist), crossed = 0.5 * (modes.flip - modes.twist);
  weighted.col(0) = modes.scaling(0, 0) * basis.col(0) + modes.scaling(0, 1) * basis.col(4);
  weighted.col(4) = modes.scaling(1, 0) * basis.col(0) + modes.scaling(1, 1) * basis.col(4);
  weighted.col(1) = same * basis.col(1) + crossed * basis.col(3);
  weighted.col(3) = same * basis.col(3) + crossed * basis.col(1);
  weighted.col(2) = modes.bow[0] * basis.col(2);
  weighted.col(5) = modes.bow[1] * basis.col(5);
  Matrix6 H;
  H.noalias() = weighted.lazyProduct(basis.transpose());
  return H;
}

}  // namespace rebound::sim
