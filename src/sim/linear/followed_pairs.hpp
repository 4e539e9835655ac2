// The lowest eigenpairs of a matrix that has changed a little, from those that it had: a sweep of block Lanczos that
// makes nothing orthogonal and multiplies by S once.
//
//   Z = S X,  T = X^T Z,  R = Z - X T                   what is small enough in R is left as it is: A are the others
//   W = (S + mu)^-1 R_A,  so that  S W = R_A - mu W     mu = 0 where S is positive definite
//   [G C; C^T B] y = theta ..., the same with S:        G = X^T X, C = X^T W, B = W^T W, N = W^T R, all small
//   X' = X y_1 + W y_2
//   turn = |U_2^T y|                                    U_2: an orthonormal basis of what W adds to X
//   |S X' - X' theta|^2 = c^T (R^T R - N_Q^T N_Q) c     c = y_1 + y_2 in A; N_Q: of W's directions beside X
//
// In exact arithmetic that is the space and the answer of a sweep of lowest_pairs(), whose basis is [X, S^-1 R] as
// well. W is nearly at right angles to X (its part along X is of second order in R), so the Gram matrix loses no
// digits, and what X itself lacks in orthogonality is mended by G in each step.
#pragma once

#include <Eigen/Cholesky>
#include <optional>
#include <vector>

#include "sim/linear/lowest_pairs.hpp"
#include "sim/linear/symmetric_eigen.hpp"

namespace rebound::sim {

/// Keeps its memory from step to step.
class PairFollower {
 public:
  /// start: nearly orthonormal columns, more than are wanted, not those of `found`. At most effort.sweeps sweeps. False
  /// where lowest_pairs() has to look from the beginning: too few columns, or all of them have one eigenvalue.
  bool run(InvertedMatrix& S, int wanted, double unit, const PairsEffort& effort, const Eigen::MatrixXd& start,
           LowestPairs& found);

 private:
  using Small = Eigen::Map<Eigen::MatrixXd>;

  void reserve(const Eigen::MatrixXd& X);
  bool look(InvertedMatrix& S, const Eigen::MatrixXd& X, double tolerance, int answers);
  void choose(int width, double tolerance, int answers);
  void sweep(InvertedMatrix& S, const Eigen::MatrixXd& X, LowestPairs& found);
  Small basis(Eigen::Index width, const Small& C, const Small& B);
  Small independent(const Small& B);
  void judge(const Small& y, const Small& N, Eigen::VectorXd& theta);

  TransposedProducts products_;
  SymmetricEigen eigen_;
  Eigen::MatrixXd before_;  ///< X of the sweep before
  Eigen::MatrixXd Z_;       ///< S X, then R
  Eigen::MatrixXd G_, T_, minus_T_, RR_, XR_;
  Eigen::MatrixXd rest_, c_, rest_c_;
  Eigen::LLT<Eigen::MatrixXd> of_G_;
  Eigen::VectorXd residual_, turn_;
  std::vector<Eigen::Index> active_, kept_;
  MatrixSpace W_, E_, gram_, L_, inverse_, K_, U_, H_, HU_, ritz_, y_, beside_, N_Q_;
  Eigen::Index added_ = 0;  ///< k: columns of K
};

/// The same once.
std::optional<LowestPairs> follow_pairs(InvertedMatrix& S, int wanted, double unit, const PairsEffort& effort,
                                        const Eigen::MatrixXd& start);

}  // namespace rebound::sim
