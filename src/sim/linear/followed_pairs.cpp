#include "sim/linear/followed_pairs.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/linear/tall_products.hpp"

namespace rebound::sim {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Below this share of its square a direction is no more than rounding.
constexpr double kNothingNewSquared = 1e-9;

// K, upper triangular, with K^T B K = 1: of the columns that are not all but within the span of those before.
MatrixXd independent(const MatrixXd& B) {
  MatrixXd L = MatrixXd::Zero(B.rows(), B.cols());  // rows of the columns that stay
  std::vector<Eigen::Index> kept;
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    const auto row = static_cast<Eigen::Index>(kept.size());
    for (Eigen::Index k = 0; k < row; ++k)
      L(row, k) = (B(j, kept[k]) - L.row(row).head(k).dot(L.row(k).head(k))) / L(k, k);
    const double rest = B(j, j) - L.row(row).head(row).squaredNorm();
    if (!(rest > kNothingNewSquared * B(j, j))) {
      L.row(row).setZero();
      continue;
    }
    L(row, row) = std::sqrt(rest);
    kept.push_back(j);
  }
  const auto count = static_cast<Eigen::Index>(kept.size());
  const MatrixXd inverse =
      L.topLeftCorner(count, count).triangularView<Eigen::Lower>().solve(MatrixXd::Identity(count, count));
  MatrixXd K = MatrixXd::Zero(B.cols(), count);
  for (Eigen::Index k = 0; k < count; ++k) K.row(kept[k]) = inverse.col(k);
  return K;
}

class Sweep {
 public:
  Sweep(InvertedMatrix& S, const MatrixXd& X, double tolerance, int answers) : S_(S), X_(X), tolerance_(tolerance) {
    S_.multiply(X_, Z_);
    auto sums = transposed_products(std::array{TallFactor{X_, X_}, TallFactor{X_, Z_}}, S_.workers());
    G_ = std::move(sums[0]);
    T_ = 0.5 * (sums[1] + sums[1].transpose());
    const MatrixXd minus_T = -T_;
    set_products(Z_, 1, std::array{TallFactor{X_, minus_T}}, S_.workers());  // R
    RR_ = transposed_products(std::array{TallFactor{Z_, Z_}}, S_.workers())[0];
    choose(answers);
  }

  bool needed() const { return !active_.empty(); }

  // X' and theta, ascending, how far from exact each is, and how far each has turned.
  void run(MatrixXd& X, VectorXd& theta, VectorXd& residual, VectorXd& turn) {
    const Eigen::Index w = X_.cols(), a = static_cast<Eigen::Index>(active_.size());
    const double mu = S_.offset();
    MatrixXd W(X_.rows(), a);
    for (Eigen::Index j = 0; j < a; ++j) W.col(j) = Z_.col(active_[j]);
    if (a > 0) S_.precondition(W);
    const auto sums =
        transposed_products(std::array{TallFactor{X_, W}, TallFactor{W, W}, TallFactor{W, Z_}}, S_.workers());
    const MatrixXd &C = sums[0], &B = sums[1], &N = sums[2];
    MatrixXd D(w, a), N_A(a, a);  // X^T R and W^T R of the columns in A
    const MatrixXd XR = T_ - G_ * T_;
    for (Eigen::Index j = 0; j < a; ++j) {
      D.col(j) = XR.col(active_[j]);
      N_A.col(j) = N.col(active_[j]);
    }
    // [X, W] U is an orthonormal basis.
    const Eigen::LLT<MatrixXd> of_G(G_);
    const MatrixXd E = of_G.solve(C);
    const MatrixXd K = independent(B - C.transpose() * E);
    const Eigen::Index k = K.cols();
    MatrixXd U = MatrixXd::Zero(w + a, w + k);
    U.topLeftCorner(w, w) = of_G.matrixU().solve(MatrixXd::Identity(w, w));
    U.topRightCorner(w, k) = -E * K;
    U.bottomRightCorner(a, k) = K;
    MatrixXd H(w + a, w + a);
    H.topLeftCorner(w, w) = T_;
    H.topRightCorner(w, a) = D - mu * C;
    H.bottomLeftCorner(a, w) = H.topRightCorner(w, a).transpose();
    H.bottomRightCorner(a, a) = 0.5 * (N_A + N_A.transpose()) - mu * B;
    const MatrixXd T = transposed_product(U, product(H, U));
    const Eigen::SelfAdjointEigenSolver<MatrixXd> pairs(T);
    theta = pairs.eigenvalues().head(w);
    turn = pairs.eigenvectors().bottomLeftCorner(k, w).colwise().norm().transpose();
    const MatrixXd y = product(U, pairs.eigenvectors().leftCols(w));

    MatrixXd c = y.topRows(w);
    for (Eigen::Index j = 0; j < a; ++j) c.row(active_[j]) += y.row(w + j);
    const MatrixXd N_Q = K.transpose() * (N - E.transpose() * XR);
    const MatrixXd rest = RR_ - N_Q.transpose() * N_Q;
    residual =
        (c.cwiseProduct(rest * c)).colwise().sum().transpose().cwiseMax(0).cwiseSqrt().cwiseQuotient(theta.cwiseAbs());

    const MatrixXd y_1 = y.topRows(w), y_2 = y.bottomRows(a);
    X.resize(X_.rows(), w);
    set_products(X, 0, std::array{TallFactor{X_, y_1}, TallFactor{W, y_2}}, S_.workers());
  }

 private:
  // The first guard has to be known well enough to tell whether it is equal to the last answer. Where there is anything
  // to solve for, all guards go along: they fill up a panel of the solver, and what may hide among them comes out.
  void choose(int answers) {
    constexpr double kOfTheGuard = 10;
    const auto w = static_cast<int>(X_.cols());
    for (int i = 0; i < std::min(answers + 1, w); ++i)
      if (std::sqrt(RR_(i, i)) > (i < answers ? 1 : kOfTheGuard) * tolerance_ * std::abs(T_(i, i)))
        active_.push_back(i);
    if (active_.empty()) return;
    for (int i = std::max(answers, static_cast<int>(active_.back()) + 1); i < w; ++i) active_.push_back(i);
  }

  InvertedMatrix& S_;
  const MatrixXd& X_;
  double tolerance_;
  MatrixXd Z_;  ///< S X, then R
  MatrixXd G_, T_, RR_;
  std::vector<Eigen::Index> active_;
};

}  // namespace

std::optional<LowestPairs> follow_pairs(InvertedMatrix& S, int wanted, double unit, const PairsEffort& effort,
                                        const MatrixXd& start) {
  const int width = std::min(wanted + guards_of(wanted), S.free());
  if (start.cols() < width || S.free() == 0 || wanted <= 0) return {};
  LowestPairs found;
  found.count = std::min(wanted, S.free());
  found.X = start;
  VectorXd residual, turn;
  for (;;) {
    const MatrixXd X = std::move(found.X);
    Sweep sweep(S, X, effort.tolerance, found.count);
    const bool needed = sweep.needed();
    sweep.run(found.X, found.theta, residual, turn);
    found.count = uncut(found.theta, wanted, unit);
    if (found.count == found.X.cols() && found.count < S.free()) return {};
    found.residual = residual.head(found.count).maxCoeff();
    found.turn = turn.head(found.count).maxCoeff();
    found.converged = found.residual <= effort.tolerance;
    if (needed) ++found.sweeps;
    if (found.converged || !needed || found.sweeps >= effort.sweeps) break;
  }
  const int kept = std::min(static_cast<int>(found.X.cols()), std::max(width, found.count + guards_of(wanted)));
  found.theta.conservativeResize(kept);
  found.X.conservativeResize(Eigen::NoChange, kept);
  return found;
}

}  // namespace rebound::sim
