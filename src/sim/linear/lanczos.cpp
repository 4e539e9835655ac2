#include "sim/linear/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/aligned_buffer.hpp"
#include "sim/base/memory.hpp"
#include "sim/linear/lanczos_kernel.hpp"
#include "sim/linear/tall_products.hpp"

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
    a_piece_ = std::max<std::size_t>(1, kNumbersAPiece / n);
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
  /// C := so many rows from `first_row` on of the first g.rows() columns, times g.
  void multiply(const Tall& g, Index first_row, Index rows, Eigen::MatrixXd& C, Workers& workers) {
    terms_.clear();
    const auto a_piece = static_cast<Index>(a_piece_);
    for (Index first = 0; first < g.rows(); first += a_piece) {
      const Index count = std::min(a_piece, g.rows() - first);
      const double* piece = pieces_[terms_.size()].data();
      const Eigen::Map<const Eigen::MatrixXd> columns(piece, static_cast<Index>(n_), count);
      terms_.push_back({columns.middleRows(first_row, rows), g.middleRows(first, count)});
    }
    set_products(C, 0, terms_, workers);
  }

 private:
  static constexpr std::size_t kNumbersAPiece = std::size_t{1} << 19;
  std::size_t n_ = 0, a_piece_ = 1;
  std::vector<AlignedBuffer<double>> pieces_;
  std::vector<TallFactor> terms_;
};

}  // namespace

struct Lanczos::Work {
  using Vectors = std::array<std::reference_wrapper<const VectorXd>, 2>;

  void start(const Vectors& b);
  void advance(const PairProduct& multiply, int j, int most_kept, Workers& workers);
  void add_forgotten(const PairProduct& multiply, int kept, int directions, LanczosResult& result, Workers& workers);
  // What vertex i has of one of the two vectors.
  static Eigen::Map<Eigen::Vector3d> part(AlignedBuffer<double>& pairs, int i, std::size_t of) {
    return Eigen::Map<Eigen::Vector3d>(pairs.data() + kPairStride * Index{i} + kPairStride / 2 * static_cast<Index>(of));
  }
  // Sums what visit(first vertex, end) returns for pieces that are all, in their order: the same on any number of
  // threads. Each thread has a stretch of its own, which stays in its cache.
  template <class Visit>
  double sum_pieces(Workers& workers, const Visit& visit) {
    constexpr int kVerticesAPiece = 128;
    const int pieces = (vertices + kVerticesAPiece - 1) / kVerticesAPiece;
    const int threads = workers.threads();
    sums.resize(static_cast<std::size_t>(pieces));
    workers.run_on_each([&](int thread) {
      for (int piece = pieces * thread / threads; piece < pieces * (thread + 1) / threads; ++piece)
        sums[static_cast<std::size_t>(piece)] =
            visit(piece * kVerticesAPiece, std::min(vertices, (piece + 1) * kVerticesAPiece));
    });
    double all = 0;
    for (const double one : sums) all += one;
    return all;
  }

  int vertices = 0;
  std::array<double, 2> lengths{};  ///< of both vectors; their directions begin with the same length
  // Of T and the directions q_j = w_j / |w_j|. The w_j are kept as they are, so that those made a second time are the same
  // to the bit.
  VectorXd diagonal, off;              ///< off[j] = |w_{j+1}|
  VectorXd scale;                      ///< 1 / |w_j|
  AlignedBuffer<double> w, before, z;  ///< kPairStride numbers a vertex: w_j, w_{j-1} and what becomes w_{j+1}
  Columns W;                           ///< w_0, w_1 ...: the one vector, then the other
  TridiagonalFunctions functions;
  MatrixSpace share;  ///< g(T) e_1, a column a function; at the end what each w_j has in y
  std::vector<double> sums;
  MatrixSpace added;
};

void Lanczos::Work::start(const Vectors& b) {
  vertices = static_cast<int>(b[0].get().size() / 3);
  const std::size_t numbers = std::size_t{kPairStride} * static_cast<std::size_t>(vertices);
  for (AlignedBuffer<double>* of : {&w, &before, &z}) {
    if (of->size() != numbers) *of = AlignedBuffer<double>(numbers);
    std::fill(of->span().begin(), of->span().end(), 0.0);
  }
  W.begin(6 * static_cast<std::size_t>(vertices));
  int vectors = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    lengths[k] = b[k].get().norm();
    if (!(lengths[k] > 0)) continue;
    ++vectors;
    for (int i = 0; i < vertices; ++i) part(w, i, k) = b[k].get().segment<3>(3 * i) / lengths[k];
  }
  extend(scale, 1);
  scale[0] = 1 / std::sqrt(vectors);
}

// From w_j to w_{j+1} = z - alpha_j q_j,  z = A q_j - |w_j| q_{j-1},  alpha_j = q_j^T z.
void Lanczos::Work::advance(const PairProduct& multiply, int j, int most_kept, Workers& workers) {
  extend(diagonal, j + 1);
  extend(off, j + 1);
  extend(scale, j + 2);
  const LanczosKernel& kernel = lanczos_kernel();
  const double back = j > 0 ? off[j - 1] * scale[j - 1] : 0;
  diagonal[j] = scale[j] * sum_pieces(workers, [&](int first, int end) {
                  multiply(first, end, w.data(), z.data());
                  if (j < most_kept) kernel.part(first, end, w.data(), W[j], W[j] + Index{3} * vertices);
                  return kernel.subtract_last(first, end, scale[j], back, before.data(), w.data(), z.data());
                });
  const double along = diagonal[j] * scale[j];
  off[j] = std::sqrt(sum_pieces(workers, [&](int first, int end) {
    return kernel.subtract_own(first, end, along, w.data(), z.data(), before.data());
  }));
  scale[j + 1] = 1 / off[j];
  std::swap(before, w);
}

// y += what g has of the directions from the `kept`-th on, which are made once more.
void Lanczos::Work::add_forgotten(const PairProduct& multiply, int kept, int directions, LanczosResult& result,
                                  Workers& workers) {
  for (std::size_t k = 0; k < 2; ++k)
    for (int i = 0; i < vertices; ++i) {
      const auto of_vertex = [&](int j) {
        return Eigen::Map<const Eigen::Vector3d>(W[j] + 3 * (static_cast<Index>(k) * vertices + i));
      };
      part(w, i, k) = of_vertex(kept - 1);
      if (kept > 1) part(before, i, k) = of_vertex(kept - 2);
    }
  if (kept == 1) std::fill(before.span().begin(), before.span().end(), 0.0);
  const auto g = share.of(directions, result.y[0].cols());
  auto y = added.of(Index{kPairStride} * vertices, g.cols());
  y.setZero();
  const LanczosKernel& kernel = lanczos_kernel();
  for (int j = kept; j < directions; ++j) {
    const double back = j > 1 ? off[j - 2] * scale[j - 2] : 0, along = diagonal[j - 1] * scale[j - 1];
    sum_pieces(workers, [&](int first, int end) {
      multiply(first, end, w.data(), z.data());
      kernel.subtract_last(first, end, scale[j - 1], back, before.data(), w.data(), z.data());
      kernel.subtract_own(first, end, along, w.data(), z.data(), z.data());
      const Index from = Index{kPairStride} * first, count = Index{kPairStride} * (end - first);
      const Eigen::Map<const VectorXd> next(z.data() + from, count);
      for (Index f = 0; f < g.cols(); ++f) y.col(f).segment(from, count) += g(j, f) * next;
      return 0.0;
    });
    std::swap(before, w);
    std::swap(w, z);
  }
  for (std::size_t k = 0; k < 2; ++k)
    for (Index f = 0; f < g.cols(); ++f)
      for (int i = 0; i < vertices; ++i)
        result.y[k].col(f).segment<3>(3 * i) +=
            y.col(f).segment<3>(kPairStride * i + kPairStride / 2 * static_cast<Index>(k));
}

Lanczos::Lanczos() : work_(std::make_unique<Work>()) {}
Lanczos::~Lanczos() = default;

void Lanczos::run(const PairProduct& multiply, const Work::Vectors& b, std::span<const ScalarFunction> functions,
                  const LanczosLimits& limits, LanczosResult& result, Workers& workers) {
  // Each look costs as the square of the directions. About as many are wanted as Chebyshev's sum has terms: before most
  // of them are there it is not worth looking again.
  constexpr int kFirstLook = 8;
  constexpr double kLookGrowth = 1.28, kOfTheTerms = 0.7;
  Work& work = *work_;
  const Index n = b[0].get().size();
  const auto count = static_cast<Index>(functions.size());
  for (Eigen::MatrixXd& y : result.y) y.setZero(n, count);
  result.products = 0;
  work.start(b);
  const double length = work.lengths[0] + work.lengths[1];
  result.converged = !(length > 0);
  if (result.converged || !std::isfinite(length)) return;

  const double column_bytes = 2 * sizeof(double) * static_cast<double>(n);
  const int most_kept = static_cast<int>(std::clamp<double>(limits.kept_bytes / column_bytes, 1, limits.directions));
  int m = 0;
  bool closed = false;  // the directions so far are all that A makes of b
  for (int look = kFirstLook, terms = 0; !result.converged;
       look = std::max(static_cast<int>(kLookGrowth * look) + 1, static_cast<int>(kOfTheTerms * terms))) {
    look = std::min(look, limits.directions);
    work.W.reserve(std::min(look, most_kept));
    for (; m < look && !closed; ++m) {
      work.advance(multiply, m, most_kept, workers);
      // Also where it is not a number: then nor is the result.
      closed = !(work.off[m] > 1e-14 * work.diagonal.head(m + 1).cwiseAbs().maxCoeff());
    }
    auto g = work.share.of(m, count);
    terms = work.functions.run(work.diagonal.head(m), work.off.head(m), functions, g, workers);
    result.converged = true;
    for (Index k = 0; k < count && !closed; ++k) {
      const double last = g.col(k).tail(std::min(m, 3)).cwiseAbs().maxCoeff();
      result.converged = result.converged && last <= limits.tolerance * g.col(k).norm();
    }
    if (m == limits.directions) break;
  }

  // y = |w_0| Q g, of vectors as long as they are.
  const int kept = std::min(m, most_kept);
  auto share = work.share.of(m, count);
  for (Index f = 0; f < count; ++f) share.col(f).array() *= work.scale.head(m).array() / work.scale[0];
  for (Index k = 0; k < 2; ++k)
    work.W.multiply(share.topRows(kept), k * n, n, result.y[static_cast<std::size_t>(k)], workers);
  if (kept < m) work.add_forgotten(multiply, kept, m, result, workers);
  for (std::size_t k = 0; k < 2; ++k) {
    result.y[k] *= work.lengths[k];
    if (work.lengths[k] > 0) result.products += m + (m - kept);
  }
}

}  // namespace rebound::sim
