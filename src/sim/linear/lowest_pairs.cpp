#include "sim/linear/lowest_pairs.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "sim/linear/symmetric_eigen.hpp"
#include "sim/linear/tall_products.hpp"

namespace rebound::sim {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Below this share of its length a new direction is no more than rounding.
constexpr double kNothingNew = 1e-10;
// After so many sweeps without an end another factor is cheaper than to go on.
constexpr int kSweepsOfAFactor = 6;

// Numbers without a pattern, the same on every machine.
void fill(Eigen::Ref<MatrixXd> columns, int first) {
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    std::uint64_t state = 0x9E3779B97F4A7C15ull * static_cast<std::uint64_t>(first + j + 1);
    for (Eigen::Index i = 0; i < columns.rows(); ++i) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      columns(i, j) = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
    }
  }
}

// Columns one after the other; what is nothing new is dropped.
void orthonormalize_one_by_one(MatrixXd& W) {
  Eigen::Index kept = 0;
  for (Eigen::Index j = 0; j < W.cols(); ++j) {
    VectorXd w = W.col(j);
    const double length = w.norm();
    for (int pass = 0; pass < 2; ++pass) w -= W.leftCols(kept) * (W.leftCols(kept).transpose() * w).eval();
    if (const double rest = w.norm(); rest > kNothingNew * length && rest > 0) W.col(kept++) = w / rest;
  }
  W.conservativeResize(Eigen::NoChange, kept);
}

class PairSearch {
 public:
  PairSearch(InvertedMatrix& S, int wanted, double unit) : S_(S), unit_(unit), wanted_(std::min(wanted, S.free())) {
    width_ = std::min(wanted_ + guards_of(wanted_), S.free());
  }

  void begin(const MatrixXd& start) {
    const Eigen::Index known = std::min<Eigen::Index>(start.cols(), width_);
    MatrixXd W(S_.size(), width_);
    if (known > 0) W.leftCols(known) = start.leftCols(known);
    fill(W.rightCols(width_ - known), 0);
    add(W);
    for (int more = 1; basis_ < width_ && more < 4; ++more) {
      W.resize(S_.size(), width_ - basis_);
      fill(W, 1000 * more);
      add(W);
    }
  }

  LowestPairs run(const PairsEffort& effort) {
    LowestPairs found;
    for (;;) {
      rayleigh_ritz();
      found.count = uncut(theta_.head(width_), wanted_, unit_);
      found.turn = Y_.bottomLeftCorner(added_, found.count).colwise().norm().maxCoeff();
      const MatrixXd W = residuals(found, effort.tolerance);
      found.converged = W.cols() == 0;
      if (found.converged && found.count == width_ && widen()) continue;
      if (found.converged || found.sweeps == effort.sweeps) break;
      if (++found.sweeps % kSweepsOfAFactor == 0) sharpen();
      MatrixXd more = W;
      S_.precondition(more);
      if (basis_ + more.cols() > most()) restart();
      const Eigen::Index before = basis_;
      add(more);
      if (basis_ == before) break;  // what is left is rounding
    }
    if (found.sweeps == 0 && found.converged) found.turn = 0;
    found.theta = theta_.head(width_);
    found.X = X_.leftCols(width_);
    return found;
  }

 private:
  /// Columns that the basis may have.
  Eigen::Index most() const { return std::max<Eigen::Index>(4 * width_, width_ + 24); }
  auto V() const { return V_.leftCols(basis_); }
  auto SV() const { return SV_.leftCols(basis_); }
  MatrixXd times(const Tall& A, const Tall& B) const {
    MatrixXd C(A.rows(), B.cols());
    if (C.cols() == 0) return C;
    set_products(C, 0, std::array{TallFactor{A, B}}, S_.workers());
    return C;
  }
  MatrixXd transposed_times(const Tall& A, const Tall& B, bool symmetric = false) {
    if (A.cols() == 0 || B.cols() == 0) return MatrixXd(A.cols(), B.cols());
    return products_.run(std::array{TallFactor{A, B, symmetric}}, S_.workers())[0];
  }

  // W := an orthonormal basis of what W's columns add to the basis.
  void orthonormalize(MatrixXd& W) {
    for (int pass = 0; pass < 2; ++pass) {
      if (basis_ > 0) W -= times(V(), transposed_times(V(), W));
      for (auto column : W.colwise())
        if (const double length = column.norm(); length > 0) column /= length;

      const Eigen::LLT<MatrixXd> factor(transposed_times(W, W, true));
      if (factor.info() == Eigen::Success && factor.matrixLLT().diagonal().minCoeff() > 1e-4) {
        MatrixXd inverse = MatrixXd::Identity(W.cols(), W.cols());
        factor.matrixU().solveInPlace(inverse);
        W = times(W, inverse);
      } else {
        orthonormalize_one_by_one(W);
      }
    }
  }

  void add(MatrixXd& W) {
    S_.restrict(W);
    orthonormalize(W);
    if (basis_ + W.cols() > S_.free()) W.conservativeResize(Eigen::NoChange, S_.free() - basis_);
    MatrixXd SW(W.rows(), W.cols());
    S_.multiply(W, SW);
    const Eigen::Index old = basis_, now = old + W.cols();
    const MatrixXd mixed = transposed_times(V(), SW), own = transposed_times(W, SW);
    if (V_.cols() < now) {
      V_.conservativeResize(W.rows(), std::max(now, most()));
      SV_.conservativeResize(W.rows(), V_.cols());
    }
    V_.middleCols(old, W.cols()) = W;
    SV_.middleCols(old, W.cols()) = SW;
    basis_ = now;
    T_.conservativeResize(now, now);
    T_.topRightCorner(old, W.cols()) = mixed;
    T_.bottomLeftCorner(W.cols(), old) = mixed.transpose();
    T_.bottomRightCorner(W.cols(), W.cols()) = 0.5 * (own + own.transpose());
    added_ = W.cols();
  }

  void rayleigh_ritz() {
    const SymmetricEigen::Pairs pairs = ritz_.of(T_, basis_);
    theta_ = pairs.values;
    Y_ = pairs.vectors;
    width_ = std::min<int>(width_, static_cast<int>(basis_));
    X_ = times(V(), Y_.leftCols(width_));
  }

  // Those that are not small. The first guard has to be known well enough to tell whether it is equal to the last
  // answer.
  MatrixXd residuals(LowestPairs& found, double tolerance) {
    constexpr double kOfTheGuard = 100;
    const int looked_at = std::min(found.count + 1, width_);
    MatrixXd R = times(SV(), Y_.leftCols(looked_at));
    R -= X_.leftCols(looked_at) * theta_.head(looked_at).asDiagonal();
    found.residual = 0;
    Eigen::Index large = 0;
    for (int i = 0; i < looked_at; ++i) {
      const double share = R.col(i).norm() / std::abs(theta_[i]);
      const bool answer = i < found.count;
      if (answer) found.residual = std::max(found.residual, share);
      if (share > (answer ? 1 : kOfTheGuard) * tolerance) R.col(large++) = R.col(i);
    }
    R.conservativeResize(Eigen::NoChange, large);
    return R;
  }

  // All that is known is equal, and there may be more of it. False if there is no more.
  bool widen() {
    constexpr int kMore = 4, kMost = 64;
    const int wider = std::min({width_ + kMore, wanted_ + kMost, S_.free()});
    if (wider == width_) return false;
    // Of an eigenvalue that is there many times, a basis sees no more directions than it began with. New ones are
    // sought until they would be seen.
    restart();
    MatrixXd W(S_.size(), wider - width_);
    fill(W, 100 * wider);
    for (int sweep = 0; sweep < kSweepsOfAFactor && W.cols() > 0; ++sweep) {
      S_.precondition(W);
      add(W);
    }
    width_ = wider;
    return true;
  }

  // What is wanted may lie close together beside theta of the rigid motions: seen from just below it lies apart.
  void sharpen() {
    const double spread = theta_[width_ - 1] - theta_[0];
    S_.sharpen(theta_[0] - std::max(spread, kNothingNew * std::abs(theta_[0])));
  }

  // The basis grows no further: the best half of what it may hold stays.
  void restart() {
    const Eigen::Index kept = std::min<Eigen::Index>(2 * width_, basis_);
    V_.leftCols(kept) = times(V(), Y_.leftCols(kept));
    SV_.leftCols(kept) = times(SV(), Y_.leftCols(kept));
    basis_ = kept;
    T_ = theta_.head(kept).asDiagonal();
  }

  InvertedMatrix& S_;
  double unit_;
  int wanted_, width_;
  Eigen::Index added_ = 0;  ///< how many columns of the basis are the last sweep's
  Eigen::Index basis_ = 0;  ///< columns of V_ that there are
  MatrixXd V_, SV_, T_, Y_, X_;
  TransposedProducts products_;
  SymmetricEigen ritz_;
  VectorXd theta_;
};

}  // namespace

int uncut(const VectorXd& theta, int wanted, double unit) {
  const int all = static_cast<int>(theta.size());
  const auto same = [&](int i) {
    const double a = theta[i - 1] - unit, b = theta[i] - unit;
    return b - a <= kEqualShare * std::max(std::abs(a), std::abs(b)) + 1e-9 * unit;
  };
  int count = std::min(wanted, all);
  while (count < all && same(count)) ++count;
  return count;
}

LowestPairs lowest_pairs(InvertedMatrix& S, int wanted, double unit, const PairsEffort& effort, const MatrixXd& start) {
  if (S.free() == 0 || wanted <= 0) {
    LowestPairs none;
    none.X.resize(S.size(), 0);
    none.converged = true;
    return none;
  }
  PairSearch search(S, wanted, unit);
  search.begin(start);
  return search.run(effort);
}

}  // namespace rebound::sim
