// Functions of a symmetric tridiagonal matrix times the first unit vector, g(T) e_1, as Chebyshev sums: they take no
// eigenvectors of T.
#pragma once

#include <Eigen/Core>
#include <array>
#include <complex>
#include <functional>
#include <span>
#include <unsupported/Eigen/FFT>
#include <vector>

#include "sim/base/workers.hpp"

namespace rebound::sim {

using ScalarFunction = std::function<double(double)>;

/// Keeps its memory from one call to the next.
class TridiagonalFunctions {
 public:
  static constexpr int kMost = 3;  ///< functions at a time
  /// sums: a column g(T) e_1 for each function g; they must be smooth where T has its eigenvalues. diagonal: m numbers;
  /// off: those beside it, of which the first m - 1 are read. Returns how many terms of the longest sum are of a size
  /// that matters.
  int run(const Eigen::Ref<const Eigen::VectorXd>& diagonal, const Eigen::Ref<const Eigen::VectorXd>& off,
          std::span<const ScalarFunction> functions, Eigen::Ref<Eigen::MatrixXd> sums, Workers& workers);

 private:
  // A function on the interval of T's eigenvalues, as a sum of c_j T_j.
  struct Expansion {
    void expand(const ScalarFunction& g, double middle, double half);
    void sample(const ScalarFunction& g, double middle, double half, Eigen::Index count);
    Eigen::Index terms_above(double share) const;

    Eigen::Index terms = 0;
    Eigen::VectorXd c;
    std::vector<std::complex<double>> samples, transform;
    Eigen::FFT<double> fourier;
  };
  void add_up(const Eigen::Ref<const Eigen::VectorXd>& diagonal, const Eigen::Ref<const Eigen::VectorXd>& off,
              double middle, double half, std::span<const Expansion> expansions);

  std::array<Expansion, kMost> expansions_;
  Eigen::VectorXd t_, beside_, before_, now_;
  std::array<Eigen::VectorXd, kMost> sums_;
};

}  // namespace rebound::sim
