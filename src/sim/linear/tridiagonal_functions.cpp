#include "sim/linear/tridiagonal_functions.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include "sim/base/spin_wait.hpp"
#include "sim/linear/lanczos_kernel.hpp"

namespace rebound::sim {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Part = Eigen::Ref<const VectorXd>;

// Some places at once: each waits for its own divisions.
constexpr int kPlaces = 8;
using Places = std::array<double, kPlaces>;

// How many eigenvalues of T are below each x: as many as pivots of T - x are negative (Sturm).
Places eigenvalues_below(const Part& diagonal, const Part& off, const Places& x) {
  Places count{}, pivot;
  pivot.fill(1);
  for (Index j = 0; j < diagonal.size(); ++j) {
    const double beside = j > 0 ? off[j - 1] * off[j - 1] : 0;
    for (std::size_t k = 0; k < kPlaces; ++k) {
      pivot[k] = diagonal[j] - x[k] - beside / pivot[k];
      pivot[k] = pivot[k] == 0 ? std::numeric_limits<double>::min() : pivot[k];
      count[k] += pivot[k] < 0 ? 1 : 0;
    }
  }
  return count;
}

// The lowest and the highest eigenvalue, from just outside; by division of what is between Gershgorin's bounds.
std::array<double, 2> ends_of_spectrum(const Part& diagonal, const Part& off, Workers& workers) {
  constexpr int kPasses = 11;  // 9^-11 of Gershgorin's interval are left
  const Index m = diagonal.size();
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (Eigen::Index j = 0; j < m; ++j) {
    const double reach = (j > 0 ? std::abs(off[j - 1]) : 0) + (j + 1 < m ? std::abs(off[j]) : 0);
    least = std::min(least, diagonal[j] - reach);
    most = std::max(most, diagonal[j] + reach);
  }
  std::array<double, 2> ends;
  workers.run(2, [&](int end) {
    const double wanted = end == 0 ? 1 : static_cast<double>(m);
    double none = least, all = most;  // fewer are below `none`, as many or more below `all`
    for (int pass = 0; pass < kPasses; ++pass) {
      Places x;
      for (std::size_t k = 0; k < kPlaces; ++k)
        x[k] = none + (all - none) * static_cast<double>(k + 1) / static_cast<double>(kPlaces + 1);
      const Places below = eigenvalues_below(diagonal, off, x);
      for (std::size_t k = 0; k < kPlaces; ++k)
        if (below[k] < wanted) none = x[k];
      for (std::size_t k = kPlaces; k-- > 0;)
        if (below[k] >= wanted) all = x[k];
    }
    ends[static_cast<std::size_t>(end)] = end == 0 ? none : all;
  });
  return ends;
}

// All columns have zeros before and after them. Their first number stands at the begin of a line of the cache.
constexpr Index kBefore = 8, kAfter = 8;

// The first `size` of these, which are of no use before they are written.
auto room(VectorXd& of, Index size) {
  if (of.size() < size) of.resize(size);
  return of.head(size);
}

// How many stretches of rows a group of terms stays behind the one before.
constexpr int kApart = 3;

// Two threads have every other group, the one behind the other. add_group(group, may_go_on, went_on) calls
// may_go_on(stretch) before each stretch of rows, and went_on(stretches) with how many are done.
template <class AddGroup>
void each_group(int groups, Workers& workers, const AddGroup& add_group) {
  // Of each thread its last group and, counted from there, the stretches of the next.
  constexpr std::int64_t kWhole = std::int64_t{1} << 32;
  struct alignas(64) Progress {
    std::atomic<std::int64_t> value{0};
  };
  std::array<Progress, 2> progress;
  const int threads = std::min(2, workers.threads());
  workers.run_on_each([&](int thread) {
    if (thread >= threads) return;
    Progress& own = progress[static_cast<std::size_t>(thread)];
    const Progress& other = progress[static_cast<std::size_t>(threads - 1 - thread)];
    for (int group = thread; group < groups; group += threads) {
      const auto may_go_on = [&](int stretch) {
        if (threads == 1 || group == 0) return;
        const std::int64_t wanted = (group - 1) * kWhole + stretch + kApart;
        spin_until([&] { return other.value.load(std::memory_order_acquire) >= wanted; });
      };
      add_group(group, may_go_on,
                [&](int stretches) { own.value.store(group * kWhole + stretches, std::memory_order_release); });
      own.value.store((group + 1) * kWhole, std::memory_order_release);
    }
  });
}

}  // namespace

// The first `count` coefficients of the Chebyshev sum on [-1, 1], of as many samples, a power of two:
//   c_j = 2/n sum_k g(cos((k + 1/2) pi / n)) cos(j (k + 1/2) pi / n)
// a cosine transform, as one Fourier transform of the samples in the order 0, 2, 4 ... 5, 3, 1 [Makhoul80].
void TridiagonalFunctions::Expansion::transform_samples(Index count) {
  const double step = std::numbers::pi / static_cast<double>(count);
  fourier.fwd(transform, samples);
  room(c, count);
  for (Index j = 0; j < count; ++j) {
    const std::complex<double> turn = std::polar(1.0, -0.5 * step * static_cast<double>(j));
    c[j] = 2 / static_cast<double>(count) * (turn * transform[static_cast<std::size_t>(j)]).real();
  }
  c[0] /= 2;
}

// g(middle + half t) as a sum of so many terms, with those alone that stand out of rounding, of which the samples have
// the more the faster g swings. Whether the last of all are rounding.
bool TridiagonalFunctions::Expansion::expand(Index count) {
  constexpr double kRounding = 1e-12, kRoundingATerm = 1e-13, kStandsOut = 4;
  transform_samples(count);
  terms = count;
  const double largest = c.head(count).cwiseAbs().maxCoeff();
  const double last = c.segment(count - count / 16, count / 16).cwiseAbs().maxCoeff();
  const double rounding = std::max(kRounding, kRoundingATerm * static_cast<double>(count)) * largest;
  terms = terms_above(std::max(kRounding, last <= rounding ? kStandsOut * last / largest : 0));
  return last <= rounding || !(largest < 1e300);
}

// Of all functions, with as many terms as it takes: seldom fewer than T has rows.
void TridiagonalFunctions::expand(const ScalarFunctions& g, double middle, double half, std::size_t m,
                                  Workers& workers) {
  constexpr Index kMostTerms = 1 << 16, kSamplesATask = 512;
  constexpr std::size_t kFewestTerms = 32;
  std::array<bool, kMost> done{};
  for (auto count = static_cast<Index>(std::clamp<std::size_t>(std::bit_ceil(m), kFewestTerms, kMostTerms));;
       count *= 2) {
    const double step = std::numbers::pi / static_cast<double>(count);
    for (Expansion& of : expansions_) of.samples.resize(static_cast<std::size_t>(count));
    workers.run(static_cast<int>((count + kSamplesATask - 1) / kSamplesATask), [&](int task) {
      std::array<double, kMost> values{};
      for (Index k = task * kSamplesATask; k < std::min(count, (task + 1) * kSamplesATask); ++k) {
        g.values(middle + half * std::cos((static_cast<double>(k) + 0.5) * step), values.data());
        const auto place = static_cast<std::size_t>(k % 2 == 0 ? k / 2 : count - 1 - k / 2);
        for (std::size_t f = 0; f < kMost; ++f) expansions_[f].samples[place] = values[f];
      }
    });
    workers.run(g.count, [&](int f) {
      const auto of = static_cast<std::size_t>(f);
      if (!done[of]) done[of] = expansions_[of].expand(count);
    });
    if (count == kMostTerms || std::all_of(done.begin(), done.begin() + g.count, [](bool one) { return one; })) return;
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
                                  std::span<const Expansion> expansions, Workers& workers) {
  const Index m = diagonal.size();
  Index most = 0;
  for (const Expansion& of : expansions) most = std::max(most, of.terms);
  const auto zeros = [&](AlignedBuffer<double>& of) {
    constexpr std::size_t kFewest = 1024;  // a step that takes a few directions more asks for no memory
    const auto size = static_cast<std::size_t>(kBefore + m + kAfter);
    if (of.size() < size) of = AlignedBuffer<double>(std::max({size, 2 * of.size(), kFewest}));
    std::fill_n(of.data(), size, 0.0);
    return of.data() + kBefore;
  };
  double *now = zeros(now_), *before = zeros(before_);
  double *t = zeros(t_), *beside = zeros(beside_);
  for (Index i = 0; i < m; ++i) t[i] = (diagonal[i] - middle) / half;
  for (Index i = 1; i < m; ++i) beside[i] = off[i - 1] / half;
  static_assert(ChebyshevPair::kSums == kMost);
  const ChebyshevPair all{t, beside, before, now, {}, {zeros(sums_[0]), zeros(sums_[1]), zeros(sums_[2])}, 0};
  before[0] = 1;
  now[0] = t[0];
  if (m > 1) now[1] = beside[1];
  for (std::size_t k = 0; k < expansions.size(); ++k) all.sums[k][0] = expansions[k].c[0];

  // Some terms at a time, a group, for a stretch of rows, which stay in the nearest cache: each term one block of rows
  // behind the last, whose neighbours it needs. T_j e_1 has its first j + 1 numbers alone, of which the last soon are
  // next to nothing: how far they reach is known of the group before the last.
  constexpr int kTermsAGroup = 16, kPairsAGroup = kTermsAGroup / 2, kStretch = 256, kBehind = 8;
  constexpr double kNothing = 1e-40;
  const auto groups = static_cast<int>((most - 1 + kTermsAGroup - 1) / kTermsAGroup);
  std::array<Index, 2> reach{std::min<Index>(m, 2), std::min<Index>(m, 2)};
  const auto add_group = [&](int group, const auto& may_go_on, const auto& went_on) {
    const Index first_term = 1 + Index{group} * kTermsAGroup;
    Index& last = reach[static_cast<std::size_t>(group % 2)];
    last = std::min(m, last + (group == 0 ? 1 : 2) * kTermsAGroup);
    const int rows = static_cast<int>(last), stretches = (rows + kBehind * kTermsAGroup + kStretch - 1) / kStretch;
    std::array<ChebyshevPair, kPairsAGroup> pairs;
    for (int p = 0; p < kPairsAGroup; ++p) {
      ChebyshevPair& pair = pairs[static_cast<std::size_t>(p)];
      pair = all;
      pair.rows = rows;
      for (std::size_t term = 0; term < 2; ++term)
        for (std::size_t k = 0; k < expansions.size(); ++k) {
          const Index j = first_term + 2 * p + static_cast<Index>(term);
          pair.c[term][k] = j < expansions[k].terms ? expansions[k].c[j] : 0;
        }
    }
    for (int stretch = 0; stretch < stretches; ++stretch) {
      may_go_on(stretch);
      const int first = stretch * kStretch;
      for (int p = 0; p < kPairsAGroup; ++p)
        lanczos_kernel().chebyshev(pairs[static_cast<std::size_t>(p)], first - 2 * kBehind * p,
                                   first + kStretch - 2 * kBehind * p);
      if (stretch + 1 < stretches) went_on(stretch + 1);
    }
    // The next group has not come to the last two stretches.
    const Index untouched = std::max(1, (stretches - kApart + 1) * kStretch);
    const auto drop = [&](double& number) { return std::abs(number) < kNothing && (number = 0, true); };
    while (last > untouched && drop(now[last - 1]) && drop(before[last - 1])) --last;
  };
  each_group(groups, workers, add_group);
}

int TridiagonalFunctions::run(const Part& diagonal, const Part& off, const ScalarFunctions& functions,
                              Eigen::Ref<Eigen::MatrixXd> sums, Workers& workers) {
  // Just where the eigenvalues are: below them g may grow without bound, as a hyperbolic cosine does.
  const auto [low, high] = ends_of_spectrum(diagonal, off, workers);
  const double middle = 0.5 * (low + high), half = std::max(0.5 * (high - low), 1e-300);
  expand(functions, middle, half, static_cast<std::size_t>(diagonal.size()), workers);
  const auto expansions = std::span(expansions_).first(static_cast<std::size_t>(functions.count));
  add_up(diagonal, off, middle, half, expansions, workers);
  // Where g swings fast its samples' rounding is above all terms, the last of them too.
  constexpr double kMatters = 1e-9;
  Index terms = 0;
  for (std::size_t k = 0; k < expansions.size(); ++k) {
    sums.col(static_cast<Index>(k)) = Eigen::Map<const VectorXd>(sums_[k].data() + kBefore, diagonal.size());
    terms = std::max(terms, expansions[k].terms_above(kMatters));
  }
  return static_cast<int>(terms);
}

}  // namespace rebound::sim
