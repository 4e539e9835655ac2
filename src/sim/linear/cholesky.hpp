// CHOLMOD behind three calls: analyse a pattern once, factor matrices of that pattern, solve for x, y, z at once.
#pragma once

#include <memory>

#include "sim/base/types.hpp"
#include "sim/base/workers.hpp"

namespace rebound::sim {

struct CholmodFactor;
struct SingleFactor;

/// Ordering and symbolic factorisation of one pattern, shared by every factor of it; factors may be made on several
/// threads at once.
class CholeskyAnalysis {
 public:
  /// Lower triangle, n x n.
  explicit CholeskyAnalysis(const SparseMatrix& pattern);
  /// Of a pattern of blocks, 3 x 3 for each entry of `vertices`: these are ordered, a tenth of the work, and each
  /// brings its coordinates along. Both lower triangles.
  CholeskyAnalysis(const SparseMatrix& pattern, const SparseMatrix& vertices);
  /// The same in a given order of the vertices, but for what is alike in it: the search for one is most of the work.
  CholeskyAnalysis(const SparseMatrix& pattern, const SparseMatrix& vertices, std::vector<int> order);
  ~CholeskyAnalysis();

  /// Has the matrix the entries of the pattern, and no others? Of a pattern of blocks it is not known: false.
  bool is_of(const SparseMatrix& A) const;
  /// Of the vertices; the pattern must be one of blocks.
  std::vector<int> vertex_order() const;

 private:
  friend class Cholesky;
  friend class RepeatedCholesky;
  struct Symbolic;
  std::shared_ptr<const Symbolic> symbolic_;
};

/// A P^T L L^T P factor. Numerical failure is an outcome, not an exception: see ok().
class Cholesky {
 public:
  /// A: lower triangle, of the analysed pattern.
  Cholesky(const CholeskyAnalysis& analysis, const SparseMatrix& A);
  ~Cholesky();
  Cholesky(const Cholesky&) = delete;
  Cholesky& operator=(const Cholesky&) = delete;

  /// False if A is not finite, not positive definite, or so badly conditioned that a test solve misses by 1e-8.
  /// CHOLMOD itself reports success on NaN and on hopeless conditioning.
  bool ok() const { return ok_; }
  /// Non-zeros of L, for reports.
  double nonzeros() const { return nonzeros_; }

  /// b := A^-1 b, n x 3.
  void solve(Points& b) const;
  /// b := A^-1 b for one column.
  void solve(Vector& b) const;

 private:
  double test_residual(const SparseMatrix& A) const;

  std::unique_ptr<CholmodFactor> factor_;
  mutable std::vector<double> columns_;
  double nonzeros_ = 0;
  bool ok_ = false;
};

/// A factor that is made anew and anew, for matrices of one pattern that change all the time: in the same memory. What
/// it is good for shows where it is used: there is no test solve.
class RepeatedCholesky {
 public:
  explicit RepeatedCholesky(std::shared_ptr<const CholeskyAnalysis> analysis);
  ~RepeatedCholesky();

  // Workers share what there is to do; null: this thread alone. The same bytes either way.
  /// A: lower triangle, of the analysed pattern. False if it is not finite or not positive definite.
  bool factor(const SparseMatrix& A, Workers* workers = nullptr);
  /// The same in single precision, in about half the time: solve() then misses by rounding times A's condition. Of a
  /// matrix with so little in its factor that it takes no supernodes, it is made in double.
  bool factor_single(const SparseMatrix& A, Workers* workers = nullptr);
  /// b := A^-1 b, one column or more, by the factor that was made last.
  void solve(Eigen::Ref<Eigen::MatrixXd> b, Workers* workers = nullptr);
  /// L D L^T without pivoting, for an A that may be indefinite; kept beside the other factor. False if it is not
  /// finite, or a pivot is zero.
  bool factor_indefinite(const SparseMatrix& A);
  void solve_indefinite(Eigen::Ref<Eigen::MatrixXd> b);
  /// Of L, for reports.
  double nonzeros() const;

 private:
  CholmodFactor& fresh(std::unique_ptr<CholmodFactor>& factor);
  void solve_single(Eigen::Ref<Eigen::MatrixXd> b, Workers* workers);

  std::shared_ptr<const CholeskyAnalysis> analysis_;
  std::unique_ptr<CholmodFactor> factor_;
  std::unique_ptr<CholmodFactor> indefinite_;  ///< made when first wanted
  std::unique_ptr<SingleFactor> single_;       ///< made when first wanted
  bool is_single_ = false;                     ///< the factor that was made last
};

}  // namespace rebound::sim
