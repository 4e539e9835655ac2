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

#include "sim/base/aligned_buffer.hpp"
#include "sim/base/workers.hpp"

namespace rebound::sim {

/// Some functions of one number, which have most of their work in common.
struct ScalarFunctions {
  int count;
  std::function<void(double at, double* values)> values;  ///< a value of each; called by several threads at once
};

/// Keeps its memory from one call to the next.
class TridiagonalFunctions {
 public:
  static constexpr int kMost = 3;  ///< functions at a time
  /// sums: a column g(T) e_1 for each function g; they must be smooth where T has its eigenvalues. diagonal: m numbers;
  /// off: those beside it, of which the first m - 1 are read. Returns how many terms of the longest sum are of a size
  /// that matters.
  int run(const Eigen::Ref<const Eigen::VectorXd>& diagonal, const Eigen::Ref<const Eigen::VectorXd>& off,
          const ScalarFunctions& functions, Eigen::Ref<Eigen::MatrixXd> sums, Workers& workers);

 private:
  // A function on the interval of T's eigenvalues, as a sum of c_j T_j.
  struct Expansion {
    bool expand(Eigen::Index count);
    void transform_samples(Eigen::Index count);
    Eigen::Index terms_above(double share) const;

    Eigen::Index terms = 0;
    Eigen::VectorXd c;
    std::vector<std::complex<double>> samples, transform;
    Eigen::FFT<double> fourier;
  };
  void expand(const ScalarFunctions& g, double middle, double half, std::size_t m, Workers& workers);
  void add_up(const Eigen::Ref<const Eigen::VectorXd>& diagonal, const Eigen::Ref<const Eigen::VectorXd>& off,
              double middle, double half, std::span<const Expansion> expansions, Workers& workers);

  std::array<Expansion, kMost> expansions_;
  AlignedBuffer<double> t_, beside_, before_, now_;
  std::array<AlignedBuffer<double>, kMost> sums_;
};

}  // namespace rebound::sim
