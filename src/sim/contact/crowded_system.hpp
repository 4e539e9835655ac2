// Contacts on top of a matrix that can be solved already, as in contact_rows.hpp, where they are so many that dense
// rows would be dearer than another factor: a cloth that lies on the floor.
//   (A + U N W N^T U^T)^-1 b = z - A^-1 U N lambda,   S lambda = N^T U^T z,   S = W^-1 + N^T G N,   G = U^T A^-1 U
// with lambda found by conjugate gradients, a solve with A each.
//
// Were every vertex a contact, and were G's inverse to be had, S^-1 would be W - W (G^-1 + W)^-1 W. So S is
// preconditioned by
//   P = W - W T K^-1 T^T W,   K = B + T^T W T,   B = [A_ij n_i . n_j],
// with n_i the normal of the contacts at vertex i and T what they have of a step along these: K is a sparse matrix of
// A's pattern, factored when contacts come or go. Its product with the normals' Gram matrix leaves A positive definite.
//
// On a light body W is a million times A, and what is left of such differences is rounding. None is taken:
//   P r = W T K^-1 B y  where r = T y,
// and lambda starts from W T K^-1 [n_i . b_i], so that the large forces of contacts cancel in b - U N lambda, before
// A^-1 makes displacements of them.
#pragma once

#include <memory>
#include <span>

#include "sim/contact/contact_response.hpp"
#include "sim/linear/block_inverse.hpp"
#include "sim/linear/cholesky.hpp"
#include "sim/model/model.hpp"

namespace rebound::sim {

class CrowdedSystem {
 public:
  /// Brings the contacts in line with the model's. A = M + coefficient L (s^2), lower triangle, of the analysed
  /// pattern. plan: of the same pattern, where K may be inverted in single precision; may be null. False if K cannot be
  /// factored.
  bool update(const Model& model, const SparseMatrix& A, double coefficient, const CholeskyAnalysis& analysis,
              std::shared_ptr<const EliminationPlan> plan, Workers& workers);

  /// Of what a step gains: the share that a solve may miss. The iteration around it mends the rest on its way. At ten
  /// times as much a sheet that friction holds on a slope creeps half as far again.
  static constexpr double kMiss = 1e-4;
  /// b := (A + contacts)^-1 b, but for about `miss` of what the step gains. A: as it answers without contacts. heights:
  /// as in ContactRows::weights.
  void solve(Points& b, std::span<const double> heights, ContactResponse& A, Workers& workers,
             double miss = kMiss) const;

 private:
  struct Row {
    BodyRow U;      ///< without fixed vertices
    Vec3 n;         ///< unit
    double weight;  ///< W, kg
    bool operator==(const Row&) const = default;
  };

  class Springs;
  void descend(const Points& b, const Springs& springs, ContactResponse& A, Workers& workers, double miss,
               Vector& lambda, Points& d) const;
  void set_rows(std::vector<Row> rows, Eigen::Index vertices);
  /// B.
  SparseMatrix along_normals(const SparseMatrix& A) const;
  /// K, given B.
  SparseMatrix with_contacts(SparseMatrix B) const;
  bool factor(SparseMatrix K, const CholeskyAnalysis& analysis, Workers& workers);
  /// b := K^-1 b.
  void solve_along_normals(Vector& b, Workers& workers) const;
  struct Preconditioned {
    Vector P_r;
    Vector y;  ///< -K^-1 T^T W r, a vertex
  };
  Preconditioned precondition(const Vector& r, Workers& workers) const;
  Vector first_lambda(const Points& b, Workers& workers) const;
  /// The entry of T for the j-th vertex of a row.
  double T(const Row& row, int j) const;
  /// T y.
  Vector along_contacts(const Vector& y) const;
  /// T^T W r.
  Vector pushed_along_normals(const Vector& r) const;
  /// N^T U^T x, m.
  Vector heights(const Points& x) const;
  /// U N lambda.
  Points forces(const Vector& lambda) const;

  std::vector<Row> rows_;
  std::vector<std::uint8_t> fixed_;
  Points normals_;  ///< n x 3, unit, of vertices that contacts hold; else 0
  Vector W_;        ///< of the rows, kg
  Vector shares_;   ///< row sums of |T|^T W |T|, kg
  SparseMatrix B_;  ///< lower triangle
  Vector scale_;    ///< 1 / sqrt(K_ii): what is factored has ones on its diagonal
  std::shared_ptr<const EliminationPlan> plan_;
  std::unique_ptr<const BlockInverse> K_single_;  ///< one of these two
  std::unique_ptr<const Cholesky> K_;             ///< else
  bool ok_ = false;
  mutable AlignedBuffer<float> slots_;  ///< of K_single_
};

}  // namespace rebound::sim
