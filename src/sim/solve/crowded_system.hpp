// The system matrix of a model with so many contacts that dense rows (contact_rows.hpp) would be dearer than another
// factor, as when a cloth lies on the floor. In double precision, with the grabs and pins in it, factored anew when
// contacts come or go.
//
// A contact's Hessian k_c (U^T n)(U^T n)^T couples vertices and axes. The diagonal matrix that has
//   k_c |b_i| sum_j |b_j| |n_a| sum_b |n_b|   at vertex i and axis a, with b the weights of U,
// is never less, so one scalar system an axis is safe. Where n is along an axis and the point is a vertex it is the
// Hessian itself; elsewhere points go along slopes a little more slowly from one iteration to the next.
#pragma once

#include <array>
#include <memory>

#include "sim/model.hpp"
#include "sim/solve/cholesky.hpp"
#include "sim/workers.hpp"

namespace rebound::sim {

class CrowdedSystem {
 public:
  /// Brings M + coefficient (L + grabs + contacts) in line with the model; L: Model::laplacian(), whose pattern was
  /// analysed. coefficient: s^2. False if it cannot be factored.
  bool update(const Model& model, const SparseMatrix& L, double coefficient,
              const std::shared_ptr<const CholeskyAnalysis>& analysis, Workers& workers);

  /// b := A^-1 b.
  void solve(Points& b, Workers& workers) const;

 private:
  /// What the factors are of, the masses and L aside.
  struct Made {
    double coefficient = 0;
    std::vector<std::uint8_t> fixed;
    std::vector<Attachment> grabs;
    std::array<Vector, 3> weights;  ///< an axis: what contacts add to the diagonal, N/m
  };

  Made made_;
  std::array<std::shared_ptr<const Cholesky>, 3> axes_;  ///< the same one where the weights are the same
};

}  // namespace rebound::sim
