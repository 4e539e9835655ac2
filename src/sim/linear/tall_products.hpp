// Products of tall matrices, by the BLAS that CHOLMOD is linked with: several times as fast as code for every processor.
#pragma once

#include <Eigen/Core>

namespace rebound::sim {

/// A B.
Eigen::MatrixXd product(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::MatrixXd>& B);
/// A^T B.
Eigen::MatrixXd transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                   const Eigen::Ref<const Eigen::MatrixXd>& B);
/// C -= A B.
void subtract_product(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::MatrixXd>& B,
                      Eigen::MatrixXd& C);

}  // namespace rebound::sim
