// Contacts on top of a matrix that can be solved already, as in contact_rows.hpp, where they are so many that dense
// rows would be dearer than another factor: a cloth that lies on the floor.
//   (A + U N W N^T U^T)^-1 b = z - A^-1 U N lambda,   S lambda = N^T U^T z,   S = W^-1 + N^T G N,   G = U^T A^-1 U
// with lambda found by conjugate gradients, a solve with A each.
//
// Were every vertex a contact, and were G's inverse to be had, S^-1 would be W - W (G^-1 + W)^-1 W. So S is
// preconditioned by
//   W - W T K^-1 T^T W,   K = [A_ij n_i . n_j] + T^T W T,
// with n_i the normal of the contacts at vertex i and T what they have of a step along these: a sparse matrix of A's
// pattern, factored when contacts come or go. Its product with the normals' Gram matrix leaves A positive definite.
#pragma once

#include <memory>

#include "sim/model/model.hpp"
#include "sim/linear/cholesky.hpp"
#include "sim/contact/contact_response.hpp"

namespace rebound::sim {

class CrowdedSystem {
 public:
  /// Brings the contacts in line with the model's. A = M + coefficient L (s^2), lower triangle, of the analysed pattern.
  /// False if K cannot be factored.
  bool update(const Model& model, const SparseMatrix& A, double coefficient, const CholeskyAnalysis& analysis);

  /// b := (A + contacts)^-1 b, as far as the objective of a step notices. A: as it answers without them.
  void solve(Points& b, ContactResponse& A, Workers& workers) const;

 private:
  struct Row {
    BodyRow U;      ///< without fixed vertices
    Vec3 n;         ///< unit
    double weight;  ///< W, kg
    bool operator==(const Row&) const = default;
  };

  SparseMatrix preconditioner(const SparseMatrix& A) const;
  Vector precondition(const Vector& r) const;
  /// N^T U^T x, m.
  Vector heights(const Points& x) const;
  /// U N lambda.
  Points forces(const Vector& lambda) const;

  std::vector<Row> rows_;
  std::vector<std::uint8_t> fixed_;
  Points normals_;  ///< n x 3, unit, of vertices that contacts hold; else 0
  std::unique_ptr<const Cholesky> K_;
};

}  // namespace rebound::sim
