// The lowest eigenpairs of a matrix that has changed a little, from those that it had: a sweep of block Lanczos that
// makes nothing orthogonal, multiplies by S once and solves once.
//
//   Z = S X,  G = X^T X,  T = X^T Z,  R^T R = Z^T Z - T^2     R = Z - X T; A: the columns where it is not small enough
//   Y = (S + mu)^-1 X_A,  P = X^T Y,  B = Y^T Y               mu = 0 where S is positive definite
//   [G P; P^T B] c = ..., the same with S:                    as S Y = X_A - mu Y, X^T S Y = G_A - mu P, and
//                                                             Y^T S Y = P_A - mu B: no product is wanted for them
//   X' = X c_X + Y c_Y
//   turn = |U_2^T c|                                          U_2: an orthonormal basis Q = (Y - X E) K of what Y adds
//   |S X' - X' theta|^2 = c_X^T (R^T R - N^T N) c_X           N = Q^T R
//
// In exact arithmetic that is the space and the answer of a sweep of lowest_pairs(), whose basis is [X, S^-1 R]: the
// same directions. Y is near to X where little has changed, and what it adds has lost the digits that they share: those
// of the square of a sine. A sine of 1e-3 leaves ten, and X' takes no more than that sine of it. What is below 1e-6 is
// left out. G is 1 to rounding, but for Y - X P it is to be known: by the inverse of that sine its error would grow.
//
// Pairs that hardly turn from step to step may rest: they are swept every other time, one half of them now and the
// other half next. All pairs have their part in every answer.
#pragma once

#include <Eigen/Cholesky>
#include <optional>
#include <vector>

#include "sim/linear/lowest_pairs.hpp"
#include "sim/linear/symmetric_eigen.hpp"

namespace rebound::sim {

/// Which pairs may rest, from step to step.
struct PairsRest {
  static constexpr double kHardlyTurns = 1e-3;  ///< a pair that turned by less may

  Eigen::VectorXd turns;  ///< the sine by which its last sweep turned each pair; none: not known
  bool odd = false;       ///< which of those that hardly turn rest next: the odd ones, counted from 0, or the even ones
};

/// Keeps its memory from step to step.
class PairFollower {
 public:
  /// start: nearly orthonormal columns, more than are wanted, not those of `found`. At most effort.sweeps sweeps. False
  /// where lowest_pairs() has to look from the beginning: too few columns, or all of them have one eigenvalue.
  /// rest: of the columns of `start`, and then of those that are found; null: none may rest.
  bool run(InvertedMatrix& S, int wanted, double unit, const PairsEffort& effort, const Eigen::MatrixXd& start,
           LowestPairs& found, PairsRest* rest = nullptr);

 private:
  using Small = Eigen::Map<Eigen::MatrixXd>;

  void reserve(const Eigen::MatrixXd& X);
  void look(InvertedMatrix& S, const Eigen::MatrixXd& X, double tolerance, int answers);
  void choose(int width, double tolerance, int answers);
  void let_rest(const PairsRest& rest, int answers);
  void note_turns(PairsRest& rest);
  void sweep(InvertedMatrix& S, const Eigen::MatrixXd& X, LowestPairs& found);
  Small basis(Eigen::Index width, const Small& P, const Small& B);
  Small independent(const Small& gram, const Small& B);
  void judge(const Tall& c_X, const Tall& XSY, Eigen::VectorXd& theta);

  TransposedProducts products_;
  SymmetricEigen eigen_;
  Eigen::MatrixXd before_;  ///< X of the sweep before
  Eigen::MatrixXd Z_;       ///< S X
  Eigen::MatrixXd G_, T_, RR_;
  Eigen::MatrixXd rest_, rest_c_;
  Eigen::LLT<Eigen::MatrixXd> of_G_;
  Eigen::VectorXd residual_, turn_;
  std::vector<Eigen::Index> active_, kept_;
  MatrixSpace Y_, E_, gram_, L_, inverse_, K_, U_, H_, HU_, ritz_, c_, beside_, N_;
  Eigen::Index added_ = 0;  ///< k: columns of K
};

/// The same once.
std::optional<LowestPairs> follow_pairs(InvertedMatrix& S, int wanted, double unit, const PairsEffort& effort,
                                        const Eigen::MatrixXd& start);

}  // namespace rebound::sim
