#include "sim/linear/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/aligned_buffer.hpp"
#include "sim/base/matrix_space.hpp"
#include "sim/base/memory.hpp"
#include "sim/base/thread_barrier.hpp"

namespace rebound::sim {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Room for `size` numbers, which keeps what is there.
void extend(VectorXd& of, Index size) {
  if (of.size() < size) of.conservativeResize(std::max(size, 2 * of.size()));
}

// Columns of n numbers, in pieces: they grow without being copied.
class Columns {
 public:
  /// Those of another n are forgotten.
  void begin(std::size_t n) {
    if (n == n_) return;
    pieces_.clear();
    n_ = n;
    a_piece_ = std::max<std::size_t>(1, kNumbersAPiece / std::max<std::size_t>(1, n));
  }
  /// Throws OutOfMemory.
  void reserve(int count) {
    const std::size_t pieces = (static_cast<std::size_t>(count) + a_piece_ - 1) / a_piece_;
    if (pieces <= pieces_.size()) return;
    require_memory(static_cast<double>((pieces - pieces_.size()) * a_piece_ * n_) * sizeof(double),
                   "the " + std::to_string(count) + " directions of an exponential step");
    while (pieces_.size() < pieces) pieces_.emplace_back(a_piece_ * n_);
  }
  double* operator[](int j) {
    const auto column = static_cast<std::size_t>(j);
    return pieces_[column / a_piece_].data() + column % a_piece_ * n_;
  }
  /// y := the first g.rows() columns times g. Each column is read from end to end, as memory likes it.
  void multiply(const Eigen::Ref<const Eigen::MatrixXd>& g, Eigen::Map<Eigen::MatrixXd> y, Workers& workers) {
    constexpr long kLine = 8, kNear = 4096;  // rows: what starts at a line of the cache, and what of y stays in it
    const long lines = static_cast<long>(n_) / kLine, threads = workers.threads();
    y.setZero();
    workers.run_on_each([&](int thread) {
      const long from = lines * thread / threads * kLine;
      const long to = thread + 1 == threads ? static_cast<long>(n_) : lines * (thread + 1) / threads * kLine;
      for (long first = from; first < to; first += kNear) add(g, y, first, std::min(to, first + kNear));
    });
  }

 private:
  void add(const Eigen::Ref<const Eigen::MatrixXd>& g, Eigen::Map<Eigen::MatrixXd> y, long first, long end) {
    ColumnSums sums{};
    for (int f = 0; f < ColumnSums::kSums; ++f) sums.y[f] = y.col(f).data();
    const auto columns = static_cast<int>(g.rows());
    for (int j = 0; j < columns; j += ColumnSums::kColumns) {
      for (int k = 0; k < ColumnSums::kColumns; ++k) {
        sums.w[k] = (*this)[std::min(j + k, columns - 1)];
        for (int f = 0; f < ColumnSums::kSums; ++f) sums.g[f][k] = j + k < columns && f < g.cols() ? g(j + k, f) : 0;
      }
      lanczos_kernel().add_columns(sums, first, end);
    }
  }

  static constexpr std::size_t kNumbersAPiece = std::size_t{1} << 19;
  std::size_t n_ = 0, a_piece_ = 1;
  std::vector<AlignedBuffer<double>> pieces_;
};

// How many directions it takes until three add no more than this share of all, by what each has in g; more than there
// are where those are not enough.
int needed(const Eigen::Ref<const VectorXd>& g, double tolerance) {
  const double least = tolerance * g.norm();
  Index last = g.size();
  while (last > 0 && std::abs(g[last - 1]) <= least) --last;
  return static_cast<int>(last + std::min<Index>(3, g.size()));
}

}  // namespace

struct Lanczos::Work {
  using Vectors = std::array<std::reference_wrapper<const VectorXd>, 2>;

  // Of the direction q_j = w_j / |w_j|.
  struct Direction {
    double length;  ///< |w_j|, which T has beside its diagonal
    double alpha;   ///< T_jj
  };
  // The vertices of a thread, and its own copies of w_j and w_{j-1} of all that their rows of A read. Of what others
  // have it needs A w_j alone, and the threads meet once a direction.
  struct Stretch {
    int first_piece = 0, end_piece = 0, low = 0, high = 0;
    AlignedBuffer<double> w, last;
  };

  void start(const PairMatrix& A, const Vectors& b, int threads);
  bool go_on(const PairMatrix& A, int until, int most_kept, Workers& workers);
  void add_forgotten(const PairMatrix& A, int kept, LanczosResult& result, Workers& workers);

  // From w_j to w_{j+1} = A q_j - alpha_j q_j - |w_j| q_{j-1}, over all that the stretch reaches.
  static void recur(Stretch& own, const Direction& now, const Direction& before, const double* A_w) {
    lanczos_kernel().recur(own.low, own.high, {1 / now.length, now.alpha / now.length, now.length / before.length}, A_w,
                           own.w.data(), own.last.data());
    std::swap(own.w, own.last);
  }
  template <class Visit>
  void each_piece(const Stretch& own, const Visit& visit) const {
    for (int piece = own.first_piece; piece < own.end_piece; ++piece)
      visit(piece, piece * kVerticesAPiece, std::min(vertices, (piece + 1) * kVerticesAPiece));
  }
  // How many directions it takes of the terms of Chebyshev's sum, for a g that swings with the root of lambda. A few
  // eigenvalues stand far above all others. Lanczos finds them early, and then goes on as if there were the others
  // alone, about whose end alpha_j + |w_j| + |w_{j+1}| wanders.
  double share_of_terms() const {
    const auto ends = diagonal.segment(1, made - 2) + length.segment(1, made - 2) + length.segment(2, made - 2);
    const double others = ends.tail(3 * ends.size() / 4 + 1).mean();
    const double of_all = others / ends.maxCoeff();
    return of_all > 0 && of_all < 1 ? std::sqrt(of_all) : 1;
  }
  Direction direction(int j) const { return j < 0 ? Direction{kEndless, 0} : Direction{length[j], diagonal[j]}; }
  // What vertex i has of one of the two vectors.
  static Eigen::Map<Eigen::Vector3d> part(AlignedBuffer<double>& pairs, int i, std::size_t of) {
    return Eigen::Map<Eigen::Vector3d>(pairs.data() + kPairStride * Index{i} + kOtherOfPair * static_cast<Index>(of));
  }

  // Sums over pieces are the same on any number of threads.
  static constexpr int kVerticesAPiece = 16;
  static constexpr double kEndless = std::numeric_limits<double>::infinity();  ///< q_{-1} = 0

  int vertices = 0;
  std::array<double, 2> lengths{};  ///< of both vectors; their directions begin with the same length
  int made = 0;                     ///< directions
  double largest = 0;               ///< |alpha_j|
  // The w_j are kept as they are, so that those made a second time are the same to the bit.
  VectorXd diagonal, length;
  std::vector<Stretch> stretches;
  // A w_j and its sums by turns: while one thread writes the next, another may still read the last.
  std::array<AlignedBuffer<double>, 2> A_w;
  std::array<std::vector<PairProducts>, 2> sums;
  Columns W;  ///< w_0, w_1 ...: of each vertex three numbers of the one vector, then of the other
  TridiagonalFunctions functions;
  MatrixSpace share;  ///< g(T) e_1, a column a function; at the end what each w_j has in y
  MatrixSpace sum, added;
};

void Lanczos::Work::start(const PairMatrix& A, const Vectors& b, int threads) {
  vertices = static_cast<int>(b[0].get().size() / 3);
  made = 0;
  largest = 0;
  const std::size_t numbers = std::size_t{kPairStride} * static_cast<std::size_t>(vertices);
  const auto make_room = [&](AlignedBuffer<double>& of) {
    if (of.size() != numbers) of = AlignedBuffer<double>(numbers);
  };
  const int pieces = (vertices + kVerticesAPiece - 1) / kVerticesAPiece;
  for (std::size_t turn = 0; turn < 2; ++turn) {
    make_room(A_w[turn]);
    sums[turn].resize(static_cast<std::size_t>(pieces));
    lengths[turn] = b[turn].get().norm();
  }
  W.begin(6 * static_cast<std::size_t>(vertices));
  stretches.resize(static_cast<std::size_t>(threads));
  const auto vertex = [&](int piece) { return std::min(vertices, piece * kVerticesAPiece); };
  const double work = A.work_before(vertices);
  for (int t = 0, piece = 0; t < threads; ++t) {
    Stretch& own = stretches[static_cast<std::size_t>(t)];
    own.first_piece = piece;
    // Its end is where half of the next piece would be beyond its share.
    const auto middle = [&](int of) { return 0.5 * (A.work_before(vertex(of)) + A.work_before(vertex(of + 1))); };
    while (piece < pieces && (t + 1 == threads || middle(piece) * threads < work * (t + 1))) ++piece;
    own.end_piece = piece;
    std::tie(own.low, own.high) = A.reach(vertex(own.first_piece), vertex(own.end_piece));
    make_room(own.w);
    make_room(own.last);
    std::ranges::fill(own.w.span(), 0.0);
    std::ranges::fill(own.last.span(), 0.0);
    for (std::size_t k = 0; k < 2; ++k) {
      if (!(lengths[k] > 0)) continue;
      for (int i = own.low; i < own.high; ++i) part(own.w, i, k) = b[k].get().segment<3>(3 * i) / lengths[k];
    }
  }
}

// Directions up to `until`. Returns whether those that are there are all that A makes of b.
bool Lanczos::Work::go_on(const PairMatrix& A, int until, int most_kept, Workers& workers) {
  extend(diagonal, until);
  extend(length, until);
  const LanczosKernel& kernel = lanczos_kernel();
  ThreadBarrier barrier(static_cast<int>(stretches.size()));
  bool closed = false;
  workers.run_on_each([&, first = made, before = direction(made - 1), largest_before = largest](int thread) {
    Stretch& own = stretches[static_cast<std::size_t>(thread)];
    Direction last = before;
    double most = largest_before;
    for (int j = first; j < until; ++j) {
      double* z = A_w[static_cast<std::size_t>(j % 2)].data();
      std::vector<PairProducts>& of_pieces = sums[static_cast<std::size_t>(j % 2)];
      each_piece(own, [&](int piece, int from, int end) {
        const double* w = own.w.data();
        of_pieces[static_cast<std::size_t>(piece)] = A.multiply(from, end, w, z);
        if (j < most_kept) kernel.keep(from, end, w, W[j]);
      });
      barrier.wait();
      PairProducts all{};
      for (const PairProducts& one : of_pieces) all = {all.wAw + one.wAw, all.ww + one.ww};
      const Direction now{std::sqrt(all.ww), all.wAw / all.ww};
      // Also where it is not a number: then nor is the result.
      const bool none = !(now.length > 1e-14 * most);
      if (thread == 0) {
        closed = none;
        if (!none) {
          made = j + 1;
          diagonal[j] = now.alpha;
          length[j] = now.length;
        }
      }
      if (none) return;
      most = std::max(most, std::abs(now.alpha));
      recur(own, now, last, z);
      last = now;
    }
    if (thread == 0) largest = most;
  });
  return closed;
}

// y += what g has of the directions from the `kept`-th on, which are made once more.
void Lanczos::Work::add_forgotten(const PairMatrix& A, int kept, LanczosResult& result, Workers& workers) {
  for (Stretch& own : stretches)
    for (std::size_t k = 0; k < 2; ++k)
      for (int i = own.low; i < own.high; ++i) {
        const auto of_vertex = [&](int j) {
          return Eigen::Map<const Eigen::Vector3d>(W[j] + 3 * (2 * Index{i} + static_cast<Index>(k)));
        };
        part(own.w, i, k) = of_vertex(kept - 1);
        part(own.last, i, k) = kept > 1 ? Eigen::Vector3d(of_vertex(kept - 2)) : Eigen::Vector3d::Zero();
      }
  const auto g = share.of(made, result.y[0].cols());
  auto y = added.of(Index{kPairStride} * vertices, g.cols());
  y.setZero();
  ThreadBarrier barrier(static_cast<int>(stretches.size()));
  workers.run_on_each([&](int thread) {
    Stretch& own = stretches[static_cast<std::size_t>(thread)];
    for (int j = kept; j < made; ++j) {
      double* z = A_w[static_cast<std::size_t>(j % 2)].data();
      each_piece(own, [&](int, int from, int end) { A.multiply(from, end, own.w.data(), z); });
      barrier.wait();
      recur(own, direction(j - 1), direction(j - 2), z);
      each_piece(own, [&](int, int from, int end) {
        const Index start = Index{kPairStride} * from, count = Index{kPairStride} * (end - from);
        const Eigen::Map<const VectorXd> w(own.w.data() + start, count);
        for (Index f = 0; f < g.cols(); ++f) y.col(f).segment(start, count) += g(j, f) * w;
      });
    }
  });
  for (std::size_t k = 0; k < 2; ++k)
    for (Index f = 0; f < g.cols(); ++f)
      for (int i = 0; i < vertices; ++i)
        result.y[k].col(f).segment<3>(3 * i) +=
            y.col(f).segment<3>(kPairStride * i + kOtherOfPair * static_cast<Index>(k));
}

Lanczos::Lanczos() : work_(std::make_unique<Work>()) {}
Lanczos::~Lanczos() = default;

void Lanczos::run(const PairMatrix& A, const Work::Vectors& b, const ScalarFunctions& functions,
                  const LanczosLimits& limits, LanczosResult& result, Workers& workers) {
  // Each look costs as the square of the directions: there is one where they are likely to be enough. Where that is not
  // known of a call like this, an early one tells.
  constexpr int kFirstLook = 8;
  constexpr double kOfTheLikely = 1.14;
  const int first_look = limits.likely > 0 ? limits.likely + limits.likely / 256 + 4 : kFirstLook;
  double more = 0.03;  // after a look that came too early, and twice as much after the next
  Work& work = *work_;
  const Index n = b[0].get().size();
  const auto count = Index{functions.count};
  for (Eigen::MatrixXd& y : result.y) y.setZero(n, count);
  result.products = result.needed = 0;
  work.start(A, b, workers.threads());
  const double length = work.lengths[0] + work.lengths[1];
  result.converged = !(length > 0);
  if (result.converged || !std::isfinite(length)) return;

  const double column_bytes = 2 * sizeof(double) * static_cast<double>(n);
  const int most_kept = static_cast<int>(std::clamp<double>(limits.kept_bytes / column_bytes, 1, limits.directions));
  bool closed = false;  // the directions so far are all that A makes of b
  const auto make = [&](int directions) {
    work.W.reserve(std::min(directions, most_kept));
    closed = closed || work.go_on(A, directions, most_kept, workers);
  };
  for (int look = first_look; !result.converged;) {
    const bool first = work.made == 0;
    look = std::min(look, limits.directions);
    make(look);
    const int m = work.made;
    work.share.reserve(work.diagonal.size() * count);
    auto g = work.share.of(m, count);
    const int terms = work.functions.run(work.diagonal.head(m), work.length.segment(1, m - 1), functions, g, workers);
    result.needed = 0;
    for (Index k = 0; k < count; ++k) result.needed = std::max(result.needed, needed(g.col(k), limits.tolerance));
    result.converged = closed || result.needed <= m;
    if (!result.converged) result.needed = 0;
    if (m == limits.directions || result.converged) break;
    if (first) {
      make(std::min(std::max(2 * kFirstLook, terms / 4), limits.directions));
      look = std::max(work.made + 1, static_cast<int>(kOfTheLikely * work.share_of_terms() * terms));
    } else {
      look = static_cast<int>((1 + more) * look) + 1;
      more *= 2;
    }
  }

  // y = |w_0| Q g, of vectors as long as they are.
  const int m = work.made, kept = std::min(m, most_kept);
  auto share = work.share.of(m, count);
  for (Index f = 0; f < count; ++f) share.col(f).array() *= work.length[0] / work.length.head(m).array();
  static_assert(ColumnSums::kSums == TridiagonalFunctions::kMost);
  auto sum = work.sum.of(2 * n, ColumnSums::kSums);
  work.W.multiply(share.topRows(kept), sum, workers);
  for (std::size_t k = 0; k < 2; ++k)
    for (Index f = 0; f < count; ++f)
      for (Index i = 0; i < work.vertices; ++i)
        result.y[k].col(f).segment<3>(3 * i) = sum.col(f).segment<3>(3 * (2 * i + static_cast<Index>(k)));
  if (kept < m) work.add_forgotten(A, kept, result, workers);
  for (std::size_t k = 0; k < 2; ++k) {
    result.y[k] *= work.lengths[k];
    if (work.lengths[k] > 0) result.products += m + (m - kept);
  }
}

}  // namespace rebound::sim
