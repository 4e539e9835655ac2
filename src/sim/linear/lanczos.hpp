// Functions of a large symmetric matrix times a vector, by Lanczos: A Q = Q T + ..., g(A) b = |b| Q g(T) e_1, with T
// tridiagonal. No vector is made orthogonal again: what functions lose by it is rounding [Druskin91]. g(T) e_1 is a
// Chebyshev sum, which takes no eigenvectors of T.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>

namespace rebound::sim {

using ScalarFunction = std::function<double(double)>;

struct LanczosResult {
  Eigen::MatrixXd y;  ///< a column g(A) b for each function
  int products = 0;
  bool converged = false;
};

/// multiply(from, to): to := A from. tolerance: on what the last direction adds, as a share of the result. Asks for
/// products x n numbers of memory: throws OutOfMemory if they are not there.
LanczosResult lanczos(const std::function<void(const Eigen::VectorXd&, Eigen::VectorXd&)>& multiply,
                      const Eigen::VectorXd& b, std::span<const ScalarFunction> functions, double tolerance,
                      int most_products);

/// g(T) e_1 of a symmetric tridiagonal T (diagonal, and off-diagonal, one shorter). g must be smooth where T has its
/// eigenvalues.
Eigen::VectorXd tridiagonal_function(const Eigen::VectorXd& diagonal, const Eigen::VectorXd& off,
                                     const ScalarFunction& g);

}  // namespace rebound::sim
