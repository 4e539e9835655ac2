// Functions of a large symmetric matrix times a vector, by Lanczos: A Q = Q T + ..., g(A) b = |b| Q g(T) e_1, with T
// tridiagonal. No vector is made orthogonal again: what functions lose by it is rounding [Druskin91]. g(T) e_1 is a
// Chebyshev sum, which takes no eigenvectors of T.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <span>

namespace rebound::sim {

using ScalarFunction = std::function<double(double)>;

/// to := A from.
using SymmetricProduct = std::function<void(const Eigen::VectorXd& from, Eigen::VectorXd& to)>;

struct LanczosResult {
  Eigen::MatrixXd y;  ///< a column g(A) b for each function
  int products = 0;
  bool converged = false;
};

/// So many directions are kept where nothing else is asked for; those that come after are made a second time.
inline constexpr int kMostKeptDirections = 3000;

/// Keeps its memory from one call to the next.
class Lanczos {
 public:
  Lanczos();
  ~Lanczos();
  Lanczos(const Lanczos&) = delete;
  Lanczos& operator=(const Lanczos&) = delete;

  /// tolerance: on what the last direction adds, as a share of the result. most_products: directions at most. Asks for
  /// directions x n numbers of memory: throws OutOfMemory if they are not there.
  void run(const SymmetricProduct& multiply, const Eigen::VectorXd& b, std::span<const ScalarFunction> functions,
           double tolerance, int most_products, LanczosResult& result, int most_kept = kMostKeptDirections);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// The same once.
LanczosResult lanczos(const SymmetricProduct& multiply, const Eigen::VectorXd& b,
                      std::span<const ScalarFunction> functions, double tolerance, int most_products,
                      int most_kept = kMostKeptDirections);

/// g(T) e_1 of a symmetric tridiagonal T (diagonal, and off-diagonal, one shorter). g must be smooth where T has its
/// eigenvalues.
Eigen::VectorXd tridiagonal_function(const Eigen::VectorXd& diagonal, const Eigen::VectorXd& off,
                                     const ScalarFunction& g);

}  // namespace rebound::sim
