// The system matrices of a model, M + coefficient L, prefactored once each [Dinev18 Sec. 4.2], with the grabs of the
// moment added by the Woodbury identity: a grab costs one solve when it begins and nothing when it moves.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/model.hpp"
#include "sim/solve/cholesky.hpp"
#include "sim/solve/low_rank.hpp"

namespace rebound::sim {

/// One matrix M + coefficient (L + sum k b b^T), ready to solve.
class SystemMatrix {
 public:
  SystemMatrix(const CholeskyAnalysis& analysis, const SparseMatrix& A, double coefficient);

  bool ok() const { return factor_.ok(); }
  double nonzeros() const { return factor_.nonzeros(); }
  /// Brings the low-rank part in line with the model's grabs.
  void set_grabs(const Model& model);
  /// b := (A + U W U^T)^-1 b.
  void solve(Points& b) const;

 private:
  Cholesky factor_;
  double coefficient_;
  LowRank grabs_;
};

/// M + coefficient L, lower triangle. Fixed vertices keep their row, as an identity scaled like a mass: pinning changes
/// numbers, never the pattern.
SparseMatrix system_matrix(const Model& model, const SparseMatrix& L, double coefficient);

class Factors {
 public:
  /// Analyses the model's pattern. The model must outlive this; after its masses, energies or pins change, call
  /// refresh().
  explicit Factors(const Model& model);

  /// Forgets the numbers, keeps the analysis: for other stiffness, masses or pins on the same elements.
  void refresh();

  /// The matrix for `coefficient` = c gamma^2 h^2 (s^2), factored on first use; null if it cannot be factored.
  const SystemMatrix* find(double coefficient);

  /// Brings the grabs of every matrix up to date with the model.
  void update_grabs();

  /// Non-zeros of the factors so far.
  double nonzeros() const;

 private:
  const Model& model_;
  SparseMatrix L_;
  CholeskyAnalysis analysis_;
  std::map<double, SystemMatrix> matrices_;
};

}  // namespace rebound::sim
