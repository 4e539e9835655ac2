#include "sim/energy/rotation_fit.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>

namespace rebound::sim {

void rotation_by_svd(const double F[9], double R[9]) {
  using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(Eigen::Map<const Matrix>(F), Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d U = svd.matrixU();
  // The reflection, if there is one, goes to the smallest singular value: the closest proper rotation.
  if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) *= -1;
  Eigen::Map<Matrix> result(R);
  result = U * svd.matrixV().transpose();
}

}  // namespace rebound::sim
