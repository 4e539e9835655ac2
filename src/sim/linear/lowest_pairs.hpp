// The lowest eigenpairs of a large symmetric S whose inverse is at hand: a block method that goes on from what is
// known.
//
//   basis V, V^T V = I;   V^T S V = Y diag(theta) Y^T,  X = V Y     (Rayleigh-Ritz)
//   R = S X - X diag(theta);   V := [V, S^-1 R], made orthonormal;  and again
//
// As S^-1 R adds the same directions as S^-1 X, this is block Lanczos on S^-1; beside pairs of a step before, one or
// two sweeps do. Rayleigh-Ritz is exact in its subspace, so what it returns is orthonormal however early it ends.
// Source: [Saad11, ch. 6, 8].
#pragma once

#include <Eigen/Core>
#include <algorithm>

#include "sim/base/workers.hpp"

namespace rebound::sim {

/// A symmetric matrix and its inverse, several columns at a time.
class InvertedMatrix {
 public:
  virtual ~InvertedMatrix() = default;
  virtual int size() const = 0;
  /// to := S from.
  virtual void multiply(const Eigen::MatrixXd& from, Eigen::MatrixXd& to) = 0;
  /// x := (S + mu)^-1 x, mu = offset(): 0, or where S is indefinite one that makes it positive definite, so that the
  /// lowest pairs are those that it enlarges most.
  virtual void precondition(Eigen::Ref<Eigen::MatrixXd> x) = 0;
  virtual double offset() const = 0;
  /// From now on x := (S - shift)^-1 x, if that is positive definite. May do nothing.
  virtual void sharpen(double shift) = 0;
  /// Sets to zero what is not to be looked at, in invariant subspaces of S.
  virtual void restrict(Eigen::MatrixXd& x) const = 0;
  /// The dimension of what is left.
  virtual int free() const = 0;
  virtual Workers& workers() = 0;
};

struct LowestPairs {
  Eigen::VectorXd theta;  ///< ascending; the first `count` are answers, the others guard them
  Eigen::MatrixXd X;      ///< orthonormal columns, as many as theta
  int count = 0;          ///< at least as many as were wanted: equal values are not cut apart
  /// The largest |S x - theta x| / |theta| of the answers. Of a stiff S it may be large where X is right: what x has of
  /// the highest pairs counts there by their theta. As a stop it is on the safe side.
  double residual = 0;
  /// Sine of the largest angle by which the last sweep turned an answer out of the space that was there before: no
  /// bound, but about what is still wrong with X, or more, and it knows no stiffness. 0 where no sweep was needed.
  double turn = 0;
  int sweeps = 0;
  bool converged = false;
};

struct PairsEffort {
  double tolerance = 1e-8;  ///< on LowestPairs::residual
  int sweeps = 60;          ///< at most
};

/// Values that differ by less than this share are taken for equal.
inline constexpr double kEqualShare = 1e-4;

/// Pairs beside those that are wanted, which keep what is next from hiding among them.
inline int guards_of(int wanted) { return std::max(3, wanted / 8); }
/// How many of the lowest pairs, at least as many as are wanted, until the next value is not the same as the last one;
/// or all of them. theta: ascending. unit: theta of lambda = 0, from which the nearness of values is measured.
int uncut(const Eigen::VectorXd& theta, int wanted, double unit);

/// wanted > 0 pairs, or all there are. start: columns to begin from, of S.size() rows, of any number; what is missing
/// is made up, the same every time. unit: as for uncut().
LowestPairs lowest_pairs(InvertedMatrix& S, int wanted, double unit, const PairsEffort& effort,
                         const Eigen::MatrixXd& start);

}  // namespace rebound::sim
