// The lowest eigenpairs of a large symmetric S whose inverse is at hand: a block method that goes on from what is known.
//
//   basis V, V^T V = I;   V^T S V = Y diag(theta) Y^T,  X = V Y     (Rayleigh-Ritz)
//   R = S X - X diag(theta);   V := [V, S^-1 R], made orthonormal;  and again
//
// As S^-1 R adds the same directions as S^-1 X, this is block Lanczos on S^-1; beside pairs of a step before, one or two
// sweeps do. Rayleigh-Ritz is exact in its subspace, so what it returns is orthonormal however early it ends.
// Source: [Saad11, ch. 6, 8].
#pragma once

#include <Eigen/Core>

namespace rebound::sim {

/// A symmetric matrix and its inverse, several columns at a time.
class InvertedMatrix {
 public:
  virtual ~InvertedMatrix() = default;
  virtual int size() const = 0;
  /// to := S from.
  virtual void multiply(const Eigen::MatrixXd& from, Eigen::MatrixXd& to) = 0;
  /// x := S^-1 x; where S is indefinite, (S + mu)^-1 x with a mu that makes it positive definite: so the lowest pairs
  /// are those that it enlarges most.
  virtual void precondition(Eigen::MatrixXd& x) = 0;
  /// From now on x := (S - shift)^-1 x, if that is positive definite. May do nothing.
  virtual void sharpen(double shift) = 0;
  /// Sets to zero what is not to be looked at, in invariant subspaces of S.
  virtual void restrict(Eigen::MatrixXd& x) const = 0;
  /// The dimension of what is left.
  virtual int free() const = 0;
};

struct LowestPairs {
  Eigen::VectorXd theta;  ///< ascending; the first `count` are answers, the others guard them
  Eigen::MatrixXd X;      ///< orthonormal columns, as many as theta
  int count = 0;          ///< at least as many as were wanted: equal values are not cut apart
  double residual = 0;    ///< the largest |S x - theta x| / |theta| of the answers
  int sweeps = 0;
  bool converged = false;
};

struct PairsEffort {
  double tolerance = 1e-8;  ///< on LowestPairs::residual
  int sweeps = 60;          ///< at most
};

/// Values that differ by less than this share are taken for equal.
inline constexpr double kEqualShare = 1e-4;

/// wanted > 0 pairs, or all there are. start: columns to begin from, of S.size() rows, of any number; what is missing is
/// made up, the same every time. unit: theta of lambda = 0, from which the nearness of values is measured.
LowestPairs lowest_pairs(InvertedMatrix& S, int wanted, double unit, const PairsEffort& effort,
                         const Eigen::MatrixXd& start);

}  // namespace rebound::sim
