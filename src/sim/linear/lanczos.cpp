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
#include "sim/linear/tall_products.hpp"

namespace rebound::sim {
namespace {

using Eigen::VectorXd;
using Part = Eigen::Ref<const VectorXd>;

// How many eigenvalues of T are below x: as many as pivots of T - x are negative (Sturm).
int eigenvalues_below(const Part& diagonal, const Part& off, double x) {
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
std::pair<double, double> ends_of_spectrum(const Part& diagonal, const Part& off) {
  const Eigen::Index m = diagonal.size();
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (Eigen::Index j = 0; j < m; ++j) {
    const double reach = (j > 0 ? std::abs(off[j - 1]) : 0) + (j + 1 < m ? std::abs(off[j]) : 0);
    least = std::min(least, diagonal[j] - reach);
    most = std::max(most, diagonal[j] + reach);
  }
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

// The first `size` of these, which are of no use before they are written.
auto room(VectorXd& of, Eigen::Index size) {
  if (of.size() < size) of.resize(size);
  return of.head(size);
}

// g(T) e_1, in memory that is kept.
class TridiagonalFunction {
 public:
  /// Returns how many terms of Chebyshev's sum are of a size that matters.
  int run(const Part& diagonal, const Part& off, const ScalarFunction& g, Eigen::Ref<VectorXd> sum);

 private:
  void chebyshev(const ScalarFunction& g, Eigen::Index terms);

  std::vector<std::complex<double>> samples_, transform_;
  Eigen::FFT<double> fourier_;
  VectorXd c_, t_, beside_, before_, now_;
};

// The first `terms` coefficients of g's Chebyshev sum on [-1, 1], from as many samples, a power of two:
//   c_j = 2/n sum_k g(cos((k + 1/2) pi / n)) cos(j (k + 1/2) pi / n)
// a cosine transform, as one Fourier transform of the samples in the order 0, 2, 4 ... 5, 3, 1 [Makhoul80].
void TridiagonalFunction::chebyshev(const ScalarFunction& g, Eigen::Index terms) {
  const double step = std::numbers::pi / static_cast<double>(terms);
  samples_.resize(static_cast<std::size_t>(terms));
  for (Eigen::Index k = 0; k < terms; ++k) {
    const Eigen::Index place = k % 2 == 0 ? k / 2 : terms - 1 - k / 2;
    samples_[static_cast<std::size_t>(place)] = g(std::cos((static_cast<double>(k) + 0.5) * step));
  }
  fourier_.fwd(transform_, samples_);
  auto c = room(c_, terms);
  for (Eigen::Index j = 0; j < terms; ++j) {
    const std::complex<double> turn = std::polar(1.0, -0.5 * step * static_cast<double>(j));
    c[j] = 2 / static_cast<double>(terms) * (turn * transform_[static_cast<std::size_t>(j)]).real();
  }
  c[0] /= 2;
}

int TridiagonalFunction::run(const Part& diagonal, const Part& off, const ScalarFunction& g,
                             Eigen::Ref<VectorXd> sum) {
  const Eigen::Index m = diagonal.size();
  // Just where the eigenvalues are: below them g may grow without bound, as a hyperbolic cosine does.
  const auto [low, high] = ends_of_spectrum(diagonal, off);
  const double middle = 0.5 * (low + high), half = std::max(0.5 * (high - low), 1e-300);
  const auto on_unit = [&](double t) { return g(middle + half * t); };
  const ScalarFunction scaled = std::cref(on_unit);

  // Until the last eighth is rounding, of which g's samples have the more the faster it swings.
  constexpr Eigen::Index kFewestTerms = 32, kMostTerms = 1 << 15;
  constexpr double kRounding = 1e-12;
  Eigen::Index needed = 0;
  for (Eigen::Index terms = kFewestTerms;; terms *= 2) {
    chebyshev(scaled, terms);
    const double largest = c_.head(terms).cwiseAbs().maxCoeff();
    const bool enough = c_.segment(terms - terms / 8, terms / 8).cwiseAbs().maxCoeff() <= kRounding * largest;
    if (!enough && terms < kMostTerms && largest < 1e300) continue;
    needed = terms;
    while (needed > 1 && std::abs(c_[needed - 1]) <= kRounding * largest) --needed;
    break;
  }

  // sum_j c_j T_j e_1, T_j = 2 t T_{j-1} - T_{j-2}, t = (T - middle) / half. All have a zero before and after.
  auto t = room(t_, m), beside = room(beside_, m + 1);
  t = (diagonal.array() - middle) / half;
  beside.setZero();
  beside.segment(1, m - 1) = off.head(m - 1) / half;
  room(before_, m + 2).setZero();
  room(now_, m + 2).setZero();
  sum.setZero();
  before_[1] = 1;
  now_[1] = t[0];
  if (m > 1) now_[2] = beside[1];
  sum[0] = c_[0];
  for (Eigen::Index j = 1; j < needed; ++j) {
    // T_j e_1 has its first j + 1 numbers alone.
    const Eigen::Index own = std::min(m, j + 1), next = std::min(m, j + 2);
    sum.head(own) += c_[j] * now_.segment(1, own);
    before_.segment(1, next) =
        2 * (t.head(next).cwiseProduct(now_.segment(1, next)) + beside.head(next).cwiseProduct(now_.head(next)) +
             beside.segment(1, next).cwiseProduct(now_.segment(2, next))) -
        before_.segment(1, next);
    before_.swap(now_);
  }
  // Where g swings fast its samples' rounding is above all terms, the last of them too.
  constexpr double kOfLargest = 1e-9;
  const double least = kOfLargest * c_.head(needed).cwiseAbs().maxCoeff();
  while (needed > 1 && std::abs(c_[needed - 1]) <= least) --needed;
  return static_cast<int>(needed);
}

}  // namespace

struct Lanczos::Work {
  /// q := the direction after q, the j-th. known: T has its numbers. False if there is none: b sees no more of A.
  bool advance(const SymmetricProduct& multiply, int j, bool known);
  /// y += what g has of the directions from the `kept`-th on, which are made once more.
  void add_forgotten(const SymmetricProduct& multiply, int kept, double length, const Eigen::Map<Eigen::MatrixXd>& g,
                     Eigen::MatrixXd& y);

  TridiagonalFunction function;
  std::vector<double> Q;  ///< columns of n numbers
  VectorXd diagonal, off, w, q, before;
  MatrixSpace shares;
};

bool Lanczos::Work::advance(const SymmetricProduct& multiply, int j, bool known) {
  multiply(q, w);
  if (!known) diagonal[j] = q.dot(w);
  if (j > 0) {
    w -= diagonal[j] * q + off[j - 1] * before;
  } else {
    w -= diagonal[j] * q;
  }
  if (!known) off[j] = w.norm();
  if (off[j] <= 1e-14 * std::abs(diagonal.head(j + 1).cwiseAbs().maxCoeff())) return false;
  before.swap(q);
  q = w / off[j];
  return true;
}

void Lanczos::Work::add_forgotten(const SymmetricProduct& multiply, int kept, double length,
                                  const Eigen::Map<Eigen::MatrixXd>& g, Eigen::MatrixXd& y) {
  const Eigen::Map<const Eigen::MatrixXd> directions(Q.data(), y.rows(), kept);
  if (kept > 1) before = directions.col(kept - 2);
  q = directions.col(kept - 1);
  const int m = static_cast<int>(g.rows());
  for (int j = kept; j < m; ++j) {
    advance(multiply, j - 1, true);
    for (Eigen::Index k = 0; k < y.cols(); ++k) y.col(k) += (length * g(j, k)) * q;
  }
}

Lanczos::Lanczos() : work_(std::make_unique<Work>()) {}
Lanczos::~Lanczos() = default;

void Lanczos::run(const SymmetricProduct& multiply, const VectorXd& b, std::span<const ScalarFunction> functions,
                  double tolerance, int most_products, LanczosResult& result, int most_kept) {
  // Each look costs as the square of the directions. About as many are wanted as Chebyshev's sum has terms: before most
  // of them are there it is not worth looking again.
  constexpr int kFirstLook = 8;
  constexpr double kLookGrowth = 1.1, kOfTheTerms = 0.7;
  int terms = 0;
  Work& work = *work_;
  const Eigen::Index n = b.size();
  result.y.setZero(n, static_cast<Eigen::Index>(functions.size()));
  result.products = 0;
  const double length = b.norm();
  result.converged = !(length > 0);
  if (result.converged || !std::isfinite(length)) return;

  room(work.diagonal, most_products);
  room(work.off, most_products);
  work.q = b / length;
  for (int look = kFirstLook; !result.converged;
       look = std::max(static_cast<int>(kLookGrowth * look) + 1, static_cast<int>(kOfTheTerms * terms))) {
    look = std::min(look, most_products);
    const std::size_t numbers = static_cast<std::size_t>(n) * static_cast<std::size_t>(std::min(look, most_kept));
    if (work.Q.size() < numbers) {
      require_memory(static_cast<double>(numbers) * sizeof(double),
                     "the " + std::to_string(look) + " directions of an exponential step");
      work.Q.resize(numbers);
    }
    bool closed = false;  // the directions so far are all that A makes of b
    while (result.products < look && !closed) {
      const int j = result.products++;
      if (j < most_kept) Eigen::Map<VectorXd>(work.Q.data() + n * j, n) = work.q;
      closed = !work.advance(multiply, j, false);
    }
    const int m = result.products, kept = std::min(m, most_kept);
    auto g = work.shares.of(m, result.y.cols());
    result.converged = true;
    terms = 0;
    for (Eigen::Index k = 0; k < g.cols(); ++k) {
      terms = std::max(terms, work.function.run(work.diagonal.head(m), work.off.head(m),
                                                functions[static_cast<std::size_t>(k)], g.col(k)));
      const double last = g.col(k).tail(std::min(m, 3)).cwiseAbs().maxCoeff();
      result.converged = result.converged && (closed || last <= tolerance * g.col(k).norm());
    }
    if (!result.converged && m < most_products) continue;
    set_product(0, result.y, length, Eigen::Map<const Eigen::MatrixXd>(work.Q.data(), n, kept), g.topRows(kept));
    if (kept < m) work.add_forgotten(multiply, kept, length, g, result.y);
    result.products += m - kept;
    break;
  }
}

LanczosResult lanczos(const SymmetricProduct& multiply, const VectorXd& b, std::span<const ScalarFunction> functions,
                      double tolerance, int most_products, int most_kept) {
  LanczosResult result;
  Lanczos().run(multiply, b, functions, tolerance, most_products, result, most_kept);
  return result;
}

VectorXd tridiagonal_function(const VectorXd& diagonal, const VectorXd& off, const ScalarFunction& g) {
  VectorXd sum(diagonal.size());
  TridiagonalFunction().run(diagonal, off, g, sum);
  return sum;
}

}  // namespace rebound::sim
