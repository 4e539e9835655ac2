#include "papers/fitted_map.hpp"

#include <algorithm>
#include <cmath>

extern "C" {
void dgelss_(const int*, const int*, const int*, double*, const int*, double*, const int*, double*, const double*, int*,
             double*, const int*, int*);
void dgeev_(const char*, const char*, const int*, double*, const int*, double*, double*, double*, const int*, double*,
            const int*, double*, const int*, int*);
}

namespace rebound::papers {

// from^T A^T = to^T, a least-squares problem per row of A.
Eigen::MatrixXd fitted_map(const Eigen::MatrixXd& from, const Eigen::MatrixXd& to, double threshold) {
  const auto n = static_cast<int>(from.rows()), states = static_cast<int>(from.cols()), tall = std::max(n, states);
  const auto columns = static_cast<int>(to.rows());
  Eigen::MatrixXd left = from.transpose(), right = Eigen::MatrixXd::Zero(tall, columns);
  right.topRows(states) = to.transpose();
  Eigen::VectorXd singular(std::min(n, states)), work(8 * tall + columns);
  const auto work_size = static_cast<int>(work.size());
  int rank = 0, failed = 0;
  dgelss_(&states, &n, &columns, left.data(), &states, right.data(), &tall, singular.data(), &threshold, &rank,
          work.data(), &work_size, &failed);
  if (failed != 0) return Eigen::MatrixXd::Constant(columns, n, NAN);
  return right.topRows(n).transpose();
}

std::vector<std::complex<double>> eigenvalues(Eigen::MatrixXd A) {
  if (!A.allFinite()) return {};
  const auto n = static_cast<int>(A.rows()), work_size = 4 * n, one = 1;
  Eigen::VectorXd real(n), imaginary(n), work(work_size);
  double none = 0;
  int failed = 0;
  dgeev_("N", "N", &n, A.data(), &n, real.data(), imaginary.data(), &none, &one, &none, &one, work.data(), &work_size,
         &failed);
  if (failed != 0) return {};
  std::vector<std::complex<double>> values;
  for (int i = 0; i < n; ++i) values.emplace_back(real[i], imaginary[i]);
  return values;
}

}  // namespace rebound::papers
