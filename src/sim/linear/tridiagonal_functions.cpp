#include "sim/linear/tridiagonal_functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "sim/linear/lanczos_kernel.hpp"

namespace rebound::sim {
namespace {

using Eigen::Index;
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
std::array<double, 2> ends_of_spectrum(const Part& diagonal, const Part& off, Workers& workers) {
  constexpr double kTolerance = 1e-10;  // of Gershgorin's interval
  const Index m = diagonal.size();
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (Eigen::Index j = 0; j < m; ++j) {
    const double reach = (j > 0 ? std::abs(off[j - 1]) : 0) + (j + 1 < m ? std::abs(off[j]) : 0);
    least = std::min(least, diagonal[j] - reach);
    most = std::max(most, diagonal[j] + reach);
  }
  std::array<double, 2> ends;
  workers.run(2, [&](int end) {
    const int wanted = end == 0 ? 1 : static_cast<int>(m);
    double none = least, all = most;  // fewer are below `none`, as many or more below `all`
    while (all - none > kTolerance * (most - least)) {
      const double middle = 0.5 * (none + all);
      (eigenvalues_below(diagonal, off, middle) >= wanted ? all : none) = middle;
    }
    ends[static_cast<std::size_t>(end)] = end == 0 ? none : all;
  });
  return ends;
}

// The first `size` of these, which are of no use before they are written.
auto room(VectorXd& of, Eigen::Index size) {
  if (of.size() < size) of.resize(size);
  return of.head(size);
}

}  // namespace

// The first `count` coefficients of g's Chebyshev sum on [-1, 1], from as many samples, a power of two:
//   c_j = 2/n sum_k g(cos((k + 1/2) pi / n)) cos(j (k + 1/2) pi / n)
// a cosine transform, as one Fourier transform of the samples in the order 0, 2, 4 ... 5, 3, 1 [Makhoul80].
void TridiagonalFunctions::Expansion::sample(const ScalarFunction& g, double middle, double half, Index count) {
  const double step = std::numbers::pi / static_cast<double>(count);
  samples.resize(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k) {
    const Index place = k % 2 == 0 ? k / 2 : count - 1 - k / 2;
    samples[static_cast<std::size_t>(place)] = g(middle + half * std::cos((static_cast<double>(k) + 0.5) * step));
  }
  fourier.fwd(transform, samples);
  room(c, count);
  for (Index j = 0; j < count; ++j) {
    const std::complex<double> turn = std::polar(1.0, -0.5 * step * static_cast<double>(j));
    c[j] = 2 / static_cast<double>(count) * (turn * transform[static_cast<std::size_t>(j)]).real();
  }
  c[0] /= 2;
}

// As many terms as it takes until the last are rounding, of which g's samples have the more the faster it swings; then
// those alone that stand out of it.
void TridiagonalFunctions::Expansion::expand(const ScalarFunction& g, double middle, double half) {
  constexpr Index kFewestTerms = 32, kMostTerms = 1 << 16;
  constexpr double kRounding = 1e-12, kRoundingATerm = 1e-13, kStandsOut = 4;
  for (terms = kFewestTerms;; terms *= 2) {
    sample(g, middle, half, terms);
    const double largest = c.head(terms).cwiseAbs().maxCoeff();
    const double last = c.segment(terms - terms / 16, terms / 16).cwiseAbs().maxCoeff();
    const double rounding = std::max(kRounding, kRoundingATerm * static_cast<double>(terms)) * largest;
    if (last > rounding && terms < kMostTerms && largest < 1e300) continue;
    terms = terms_above(std::max(kRounding, last <= rounding ? kStandsOut * last / largest : 0));
    return;
  }
}

// All up to the last that is more than this share of the largest.
Eigen::Index TridiagonalFunctions::Expansion::terms_above(double share) const {
  const double least = share * c.head(terms).cwiseAbs().maxCoeff();
  Index count = terms;
  while (count > 1 && std::abs(c[count - 1]) <= least) --count;
  return count;
}

// sum_j c_j T_j e_1, T_j = 2 t T_{j-1} - T_{j-2}, t = (T - middle) / half.
void TridiagonalFunctions::add_up(const Part& diagonal, const Part& off, double middle, double half,
                                  std::span<const Expansion> expansions) {
  const Index m = diagonal.size();
  Index most = 0;
  for (const Expansion& of : expansions) most = std::max(most, of.terms);
  // All have zeros before and after.
  constexpr Index kBefore = 1, kAfter = 8;
  const auto zeros = [&](VectorXd& of) { return room(of, kBefore + m + kAfter).setZero(), of.data() + kBefore; };
  double *now = zeros(now_), *before = zeros(before_);
  double *t = zeros(t_), *beside = zeros(beside_);
  for (Index i = 0; i < m; ++i) t[i] = (diagonal[i] - middle) / half;
  for (Index i = 1; i < m; ++i) beside[i] = off[i - 1] / half;
  static_assert(ChebyshevStep::kSums == kMost);
  ChebyshevStep step{t, beside, now, before, {}, {zeros(sums_[0]), zeros(sums_[1]), zeros(sums_[2])}};
  before[0] = 1;
  now[0] = t[0];
  if (m > 1) now[1] = beside[1];
  for (std::size_t k = 0; k < expansions.size(); ++k) step.sums[k][0] = expansions[k].c[0];

  // Some terms at a time for a stretch of rows, which stay in the nearest cache: each term one block of rows behind the
  // last, whose neighbours it needs. T_j e_1 has its first j + 1 numbers alone, of which the last soon are next to
  // nothing.
  constexpr int kTermsAtOnce = 16, kStretch = 256, kBehind = 8;
  constexpr double kNothing = 1e-40;
  Index reach = std::min<Index>(m, 2);
  for (Index first_term = 1; first_term < most; first_term += kTermsAtOnce) {
    const int terms = static_cast<int>(std::min<Index>(kTermsAtOnce, most - first_term));
    std::array<ChebyshevStep, kTermsAtOnce> steps;
    for (int s = 0; s < terms; ++s) {
      const Index j = first_term + s;
      for (std::size_t k = 0; k < expansions.size(); ++k)
        step.c[k] = j < expansions[k].terms ? expansions[k].c[j] : 0;
      steps[static_cast<std::size_t>(s)] = step;
      step.now = std::exchange(step.before, const_cast<double*>(step.now));
    }
    reach = std::min(m, reach + terms);
    const int rows = static_cast<int>(reach);
    for (int stretch = 0; stretch < rows + kBehind * terms; stretch += kStretch)
      for (int s = 0; s < terms; ++s)
        lanczos_kernel().chebyshev(steps[static_cast<std::size_t>(s)], std::max(0, stretch - kBehind * s),
                                   std::min(rows, stretch + kStretch - kBehind * s));
    const auto drop = [&](double& number) { return std::abs(number) < kNothing && (number = 0, true); };
    while (reach > 1 && drop(now_[kBefore + reach - 1]) && drop(before_[kBefore + reach - 1])) --reach;
  }
}

int TridiagonalFunctions::run(const Part& diagonal, const Part& off, std::span<const ScalarFunction> functions,
                              Eigen::Ref<Eigen::MatrixXd> sums, Workers& workers) {
  // Just where the eigenvalues are: below them g may grow without bound, as a hyperbolic cosine does.
  const auto [low, high] = ends_of_spectrum(diagonal, off, workers);
  const double middle = 0.5 * (low + high), half = std::max(0.5 * (high - low), 1e-300);
  workers.run(static_cast<int>(functions.size()), [&](int k) {
    expansions_[static_cast<std::size_t>(k)].expand(functions[static_cast<std::size_t>(k)], middle, half);
  });
  const auto expansions = std::span(expansions_).first(functions.size());
  add_up(diagonal, off, middle, half, expansions);
  // Where g swings fast its samples' rounding is above all terms, the last of them too.
  constexpr double kMatters = 1e-9;
  Index terms = 0;
  for (std::size_t k = 0; k < functions.size(); ++k) {
    sums.col(static_cast<Index>(k)) = sums_[k].segment(1, diagonal.size());
    terms = std::max(terms, expansions[k].terms_above(kMatters));
  }
  return static_cast<int>(terms);
}

}  // namespace rebound::sim
