// The linear map that takes some states to others, and its eigenvalues.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

namespace rebound::papers {

/// The least A with |A from - to| least; from, to: a column per state. Directions of `from` below this share of its
/// largest singular value are none.
Eigen::MatrixXd fitted_map(const Eigen::MatrixXd& from, const Eigen::MatrixXd& to, double threshold);

/// Of a square matrix, in no order. Empty if they cannot be found.
std::vector<std::complex<double>> eigenvalues(Eigen::MatrixXd A);

}  // namespace rebound::papers
