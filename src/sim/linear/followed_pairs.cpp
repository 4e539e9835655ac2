#include "sim/linear/followed_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rebound::sim {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// What is left of a direction beside others, squared: below the first share it is within their span, below the second,
// which is of its whole length, it is no more than rounding.
constexpr double kNothingNewSquared = 1e-9, kRoundingSquared = 1e-12;

}  // namespace

// How many columns are swept changes from step to step: room for all of them.
void PairFollower::reserve(const MatrixXd& X) {
  const Index n = X.rows(), w = X.cols();
  products_.reserve(n, w, 3 * w);
  Y_.reserve(n * w);
  for (MatrixSpace* of : {&E_, &gram_, &L_, &inverse_, &K_, &beside_, &N_}) of->reserve(w * w);
  for (MatrixSpace* of : {&U_, &H_, &HU_, &ritz_, &c_}) of->reserve(4 * w * w);
  eigen_.reserve(2 * w);
  active_.reserve(static_cast<std::size_t>(w));
  kept_.reserve(static_cast<std::size_t>(w));
}

// How far from exact the columns of X are, and which of them are to be swept.
void PairFollower::look(InvertedMatrix& S, const MatrixXd& X, double tolerance, int answers) {
  S.multiply(X, Z_);
  const auto sums =
      products_.run(std::array{TallFactor{X, X, true}, TallFactor{X, Z_, true}, TallFactor{Z_, Z_, true}}, S.workers());
  G_ = sums[0];
  T_ = sums[1];
  RR_ = sums[2];
  set_transposed_product(1, RR_, -1, T_, T_);
  choose(static_cast<int>(X.cols()), tolerance, answers);
}

// The first guard has to be known well enough to tell whether it is equal to the last answer. Where there is anything
// to solve for, all guards go along: they fill up a panel of the solver, and what may hide among them comes out.
void PairFollower::choose(int width, double tolerance, int answers) {
  constexpr double kOfTheGuard = 10;
  active_.clear();
  for (int i = 0; i < std::min(answers + 1, width); ++i)
    if (std::sqrt(std::max(0.0, RR_(i, i))) > (i < answers ? 1 : kOfTheGuard) * tolerance * std::abs(T_(i, i)))
      active_.push_back(i);
  if (active_.empty()) return;
  for (int i = std::max(answers, static_cast<int>(active_.back()) + 1); i < width; ++i) active_.push_back(i);
}

// Guards do not rest: what hides among them is to come out.
void PairFollower::let_rest(const PairsRest& rest, int answers) {
  std::erase_if(active_, [&](Eigen::Index i) {
    return i < std::min<Eigen::Index>(answers, rest.turns.size()) && (i % 2 == 1) == rest.odd &&
           rest.turns[i] < PairsRest::kHardlyTurns;
  });
}

// Of a pair that rested it is what it was, or more.
void PairFollower::note_turns(PairsRest& rest) {
  for (Eigen::Index i = 0; i < std::min(turn_.size(), rest.turns.size()); ++i)
    if (!std::binary_search(active_.begin(), active_.end(), i)) turn_[i] = std::max(turn_[i], rest.turns[i]);
  rest.turns = turn_;
  rest.odd = !rest.odd;
}

// K, upper triangular, with K^T gram K = 1: of the columns that are not all but within the span of X and those before.
PairFollower::Small PairFollower::independent(const Small& gram, const Small& B) {
  Small L = L_.of(gram.rows(), gram.cols());  // rows of the columns that stay
  L.setZero();
  kept_.clear();
  for (Index j = 0; j < gram.cols(); ++j) {
    const auto row = static_cast<Index>(kept_.size());
    for (Index k = 0; k < row; ++k)
      L(row, k) = (gram(j, kept_[static_cast<std::size_t>(k)]) - L.row(row).head(k).dot(L.row(k).head(k))) / L(k, k);
    const double rest = gram(j, j) - L.row(row).head(row).squaredNorm();
    if (!(rest > std::max(kNothingNewSquared * gram(j, j), kRoundingSquared * B(j, j)))) {
      L.row(row).setZero();
      continue;
    }
    L(row, row) = std::sqrt(rest);
    kept_.push_back(j);
  }
  const auto count = static_cast<Index>(kept_.size());
  Small inverse = inverse_.of(count, count);
  inverse.setIdentity();
  L.topLeftCorner(count, count).triangularView<Eigen::Lower>().solveInPlace(inverse);
  Small K = K_.of(gram.cols(), count);
  K.setZero();
  for (Index k = 0; k < count; ++k) K.row(kept_[static_cast<std::size_t>(k)]) = inverse.col(k);
  return K;
}

// U, so that [X, Y] U is an orthonormal basis.
PairFollower::Small PairFollower::basis(Index width, const Small& P, const Small& B) {
  const Index a = B.cols();
  of_G_.compute(G_);
  Small E = E_.of(width, a);
  E = P;
  of_G_.solveInPlace(E);
  Small gram = gram_.of(a, a);
  gram = B;
  set_transposed_product(1, gram, -1, P, E);
  const Small K = independent(gram, B);
  added_ = K.cols();
  Small U = U_.of(width + a, width + added_);
  U.setZero();
  auto of_X = U.topLeftCorner(width, width);
  of_X.setIdentity();
  of_G_.matrixU().solveInPlace(of_X);
  set_product(0, U.topRightCorner(width, added_), -1, E, K);
  U.bottomRightCorner(a, added_) = K;
  return U;
}

// X' and theta, ascending, how far from exact each is, and how far each has turned.
void PairFollower::sweep(InvertedMatrix& S, const MatrixXd& X, LowestPairs& found) {
  const Index w = X.cols(), a = static_cast<Index>(active_.size());
  const double mu = S.offset();
  Small Y = Y_.of(X.rows(), a);
  S.workers().run(static_cast<int>(a), [&](int j) { Y.col(j) = X.col(active_[static_cast<std::size_t>(j)]); });
  if (a > 0) S.precondition(Y);
  const auto sums = products_.run(std::array{TallFactor{X, Y, a == w}, TallFactor{Y, Y, true}}, S.workers());
  const Small &P = sums[0], &B = sums[1];
  const Small U = basis(w, P, B);
  const Index k = added_;

  Small H = H_.of(w + a, w + a);
  H.topLeftCorner(w, w) = T_;
  for (Index j = 0; j < a; ++j) {
    const Index swept = active_[static_cast<std::size_t>(j)];
    H.col(w + j).head(w) = G_.col(swept) - mu * P.col(j);
    H.row(w + j).head(w) = H.col(w + j).head(w).transpose();
    for (Index i = 0; i <= j; ++i)
      H(w + i, w + j) = H(w + j, w + i) =
          0.5 * (P(swept, i) + P(active_[static_cast<std::size_t>(i)], j)) - mu * B(i, j);
  }
  Small HU = HU_.of(w + a, w + k);
  set_product(0, HU, 1, H, U);
  Small ritz = ritz_.of(w + k, w + k);
  set_transposed_product(0, ritz, 1, U, HU);
  const auto pairs = eigen_.of(ritz, w);
  found.theta = pairs.values.head(w);
  turn_ = pairs.vectors.bottomRows(k).colwise().norm().transpose();
  Small c = c_.of(w + a, w);
  set_product(0, c, 1, U, pairs.vectors);
  judge(c.topRows(w), H.topRightCorner(w, a), found.theta);
  found.X.resize(X.rows(), w);
  set_products(found.X, 0, std::array{TallFactor{X, c.topRows(w)}, TallFactor{Y, c.bottomRows(a)}}, S.workers());
}

// Residuals, as shares of theta. XSY: X^T S Y.
void PairFollower::judge(const Tall& c_X, const Tall& XSY, Eigen::VectorXd& theta) {
  const Index w = c_X.cols(), a = XSY.cols();
  rest_ = RR_;
  if (a > 0) {
    Small beside = beside_.of(a, w);
    beside = XSY.transpose();
    set_transposed_product(1, beside, -1, E_.of(w, a), T_);
    Small N = N_.of(added_, w);
    set_transposed_product(0, N, 1, K_.of(a, added_), beside);
    set_transposed_product(1, rest_, -1, N, N);
  }
  rest_c_.resize(w, w);
  set_product(0, rest_c_, 1, rest_, c_X);
  residual_.resize(w);
  for (Index i = 0; i < w; ++i)
    residual_[i] = std::sqrt(std::max(0.0, c_X.col(i).dot(rest_c_.col(i)))) / std::abs(theta[i]);
}

bool PairFollower::run(InvertedMatrix& S, int wanted, double unit, const PairsEffort& effort, const MatrixXd& start,
                       LowestPairs& found, PairsRest* rest) {
  const int width = std::min(wanted + guards_of(wanted), S.free());
  if (start.cols() < width || S.free() == 0 || wanted <= 0) return false;
  reserve(start);
  found.count = std::min(wanted, S.free());
  found.sweeps = 0;
  for (const MatrixXd* X = &start;; X = &before_) {
    look(S, *X, effort.tolerance, found.count);
    if (rest != nullptr) let_rest(*rest, found.count);
    const bool needed = !active_.empty();
    sweep(S, *X, found);
    if (rest != nullptr) note_turns(*rest);
    found.count = uncut(found.theta, wanted, unit);
    if (found.count == found.X.cols() && found.count < S.free()) return false;
    found.residual = residual_.head(found.count).maxCoeff();
    found.turn = turn_.head(found.count).maxCoeff();
    found.converged = found.residual <= effort.tolerance;
    if (needed) ++found.sweeps;
    if (found.converged || !needed || found.sweeps >= effort.sweeps) break;
    before_.swap(found.X);
  }
  const int kept = std::min(static_cast<int>(found.X.cols()), std::max(width, found.count + guards_of(wanted)));
  if (kept < found.X.cols()) {
    found.theta.conservativeResize(kept);
    found.X.conservativeResize(Eigen::NoChange, kept);
  }
  return true;
}

std::optional<LowestPairs> follow_pairs(InvertedMatrix& S, int wanted, double unit, const PairsEffort& effort,
                                        const MatrixXd& start) {
  LowestPairs found;
  if (!PairFollower().run(S, wanted, unit, effort, start, found)) return {};
  return found;
}

}  // namespace rebound::sim
