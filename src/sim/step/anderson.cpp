#include "sim/step/anderson.hpp"

#include <Eigen/Dense>

namespace rebound::sim {
namespace {

// A share of the trace: without it, nearly parallel residuals would get huge weights of opposite signs.
constexpr double kTikhonov = 1e-8;

}  // namespace

// Least |f + sum_j theta_j (f_j - f)|^2 over the older places j.
Anderson::Numbers Anderson::add(const Numbers& products) {
  const int place = next_place();
  ++count_;
  std::array<int, kKept> older{};
  int n = 0;
  for (int j = 0; j < kept(); ++j) {
    products_[place][j] = products_[j][place] = products[j];
    if (j != place) older[n++] = j;
  }
  Numbers weights{};
  weights[place] = 1;
  if (n == 0) return weights;

  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kKept, kKept>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kKept, 1>;
  Matrix normal(n, n);
  Column right(n);
  const double ff = products_[place][place];
  for (int a = 0; a < n; ++a) {
    right[a] = ff - products_[place][older[a]];
    for (int b = 0; b < n; ++b)
      normal(a, b) = products_[older[a]][older[b]] - products_[place][older[a]] - products_[place][older[b]] + ff;
  }
  normal.diagonal().array() += kTikhonov * normal.trace() / n;
  const Column theta = normal.ldlt().solve(right);
  if (!theta.allFinite()) return weights;
  for (int a = 0; a < n; ++a) {
    weights[older[a]] = theta[a];
    weights[place] -= theta[a];
  }
  return weights;
}

}  // namespace rebound::sim
