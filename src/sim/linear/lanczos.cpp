#include "sim/linear/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <string>
#include <unsupported/Eigen/FFT>
#include <utility>
#include <vector>

#include "sim/base/memory.hpp"

namespace rebound::sim {
namespace {

using Eigen::VectorXd;

// The first `terms` coefficients of g's Chebyshev sum on [-1, 1], from as many samples, a power of two:
//   c_j = 2/n sum_k g(cos((k + 1/2) pi / n)) cos(j (k + 1/2) pi / n)
// a cosine transform, as one Fourier transform of the samples in the order 0, 2, 4 ... 5, 3, 1 [Makhoul80].
VectorXd chebyshev(const ScalarFunction& g, Eigen::Index terms) {
  const double step = std::numbers::pi / static_cast<double>(terms);
  std::vector<std::complex<double>> samples(static_cast<std::size_t>(terms)), transform;
  for (Eigen::Index k = 0; k < terms; ++k) {
    const Eigen::Index place = k % 2 == 0 ? k / 2 : terms - 1 - k / 2;
    samples[static_cast<std::size_t>(place)] = g(std::cos((static_cast<double>(k) + 0.5) * step));
  }
  Eigen::FFT<double> fourier;
  fourier.fwd(transform, samples);
  VectorXd c(terms);
  for (Eigen::Index j = 0; j < terms; ++j) {
    const std::complex<double> turn = std::polar(1.0, -0.5 * step * static_cast<double>(j));
    c[j] = 2 / static_cast<double>(terms) * (turn * transform[static_cast<std::size_t>(j)]).real();
  }
  c[0] /= 2;
  return c;
}

// How many eigenvalues of T are below x: as many as pivots of T - x are negative (Sturm).
int eigenvalues_below(const VectorXd& diagonal, const VectorXd& off, double x) {
  int count = 0;
  double pivot = 1;
  for (Eigen::Index j = 0; j < diagonal.size(); ++j) {
    pivot = diagonal[j] - x - (j > 0 ? off[j - 1] * off[j - 1] / pivot : 0);
    if (pivot == 0) pivot = std::numeric_limits<double>::min();
    count += pivot < 0 ? 1 : 0;
  }
  return count;
}

// The lowest and the highest eigenvalue, from just outside; by bisection between Gershgorin's bounds.
std::pair<double, double> ends_of_spectrum(const VectorXd& diagonal, const VectorXd& off) {
  const Eigen::Index m = diagonal.size();
  VectorXd reach = VectorXd::Zero(m);
  reach.head(m - 1) += off.head(m - 1).cwiseAbs();
  reach.tail(m - 1) += off.head(m - 1).cwiseAbs();
  const double least = (diagonal - reach).minCoeff(), most = (diagonal + reach).maxCoeff();
  const auto search = [&](int wanted) {
    double none = least, all = most;  // fewer are below `none`, as many or more below `all`
    while (all - none > 1e-13 * (most - least)) {
      const double middle = 0.5 * (none + all);
      (eigenvalues_below(diagonal, off, middle) >= wanted ? all : none) = middle;
    }
    return std::pair(none, all);
  };
  return {search(1).first, search(static_cast<int>(m)).second};
}

}  // namespace

VectorXd tridiagonal_function(const VectorXd& diagonal, const VectorXd& off, const ScalarFunction& g) {
  const Eigen::Index m = diagonal.size();
  // Just where the eigenvalues are: below them g may grow without bound, as a hyperbolic cosine does.
  const auto [low, high] = ends_of_spectrum(diagonal, off);
  const double middle = 0.5 * (low + high), half = std::max(0.5 * (high - low), 1e-300);
  const auto on_unit = [&](double t) { return g(middle + half * t); };

  // Until the last eighth is rounding, of which g's samples have the more the faster it swings.
  constexpr Eigen::Index kFewest = 32, kMost = 1 << 13;
  constexpr double kRounding = 1e-12;
  VectorXd c;
  for (Eigen::Index terms = kFewest;; terms *= 2) {
    c = chebyshev(on_unit, terms);
    const double largest = c.cwiseAbs().maxCoeff();
    const bool enough = c.tail(terms / 8).cwiseAbs().maxCoeff() <= kRounding * largest;
    if (!enough && terms < kMost && largest < 1e300) continue;
    Eigen::Index needed = terms;
    while (needed > 1 && std::abs(c[needed - 1]) <= kRounding * largest) --needed;
    c.conservativeResize(needed);
    break;
  }

  // sum_j c_j T_j e_1, T_j = 2 t T_{j-1} - T_{j-2}, t = (T - middle) / half. All have a zero before and after.
  const VectorXd t = (diagonal.array() - middle) / half;
  VectorXd beside = VectorXd::Zero(m + 1);
  beside.segment(1, m - 1) = off.head(m - 1) / half;
  VectorXd before = VectorXd::Zero(m + 2), now = VectorXd::Zero(m + 2), sum = VectorXd::Zero(m);
  before[1] = 1;
  now[1] = t[0];
  if (m > 1) now[2] = beside[1];
  sum[0] = c[0];
  for (Eigen::Index j = 1; j < c.size(); ++j) {
    sum += c[j] * now.segment(1, m);
    before.segment(1, m) = 2 * (t.cwiseProduct(now.segment(1, m)) + beside.head(m).cwiseProduct(now.head(m)) +
                                beside.tail(m).cwiseProduct(now.tail(m))) -
                           before.segment(1, m);
    before.swap(now);
  }
  return sum;
}

LanczosResult lanczos(const std::function<void(const VectorXd&, VectorXd&)>& multiply, const VectorXd& b,
                      std::span<const ScalarFunction> functions, double tolerance, int most_products) {
  constexpr int kFirstLook = 8;
  constexpr double kLookGrowth = 1.2;
  LanczosResult result;
  const Eigen::Index n = b.size();
  result.y = Eigen::MatrixXd::Zero(n, static_cast<Eigen::Index>(functions.size()));
  const double length = b.norm();
  result.converged = !(length > 0);
  if (result.converged || !std::isfinite(length)) return result;

  Eigen::MatrixXd Q(n, kFirstLook);
  VectorXd diagonal(kFirstLook), off(kFirstLook), w, q = b / length;
  for (int look = kFirstLook; !result.converged; look = static_cast<int>(kLookGrowth * look) + 1) {
    look = std::min(look, most_products);
    require_memory(static_cast<double>(n) * look * sizeof(double),
                   "the " + std::to_string(look) + " directions of an exponential step");
    Q.conservativeResize(Eigen::NoChange, look);
    diagonal.conservativeResize(look);
    off.conservativeResize(look);
    bool closed = false;  // the directions so far are all that A makes of b
    while (result.products < look && !closed) {
      const int j = result.products++;
      Q.col(j) = q;
      multiply(q, w);
      diagonal[j] = q.dot(w);
      w -= diagonal[j] * q;
      if (j > 0) w -= off[j - 1] * Q.col(j - 1);
      off[j] = w.norm();
      closed = off[j] <= 1e-14 * std::abs(diagonal.head(j + 1).cwiseAbs().maxCoeff());
      if (!closed) q = w / off[j];
    }
    const int m = result.products;
    Eigen::MatrixXd g(m, result.y.cols());
    result.converged = true;
    for (Eigen::Index k = 0; k < g.cols(); ++k) {
      g.col(k) = tridiagonal_function(diagonal.head(m), off.head(m), functions[static_cast<std::size_t>(k)]);
      const double last = g.col(k).tail(std::min(m, 3)).cwiseAbs().maxCoeff();
      result.converged = result.converged && (closed || last <= tolerance * g.col(k).norm());
    }
    if (!result.converged && m < most_products) continue;
    result.y.noalias() = length * (Q.leftCols(m) * g);
    break;
  }
  return result;
}

}  // namespace rebound::sim
