// What solvers have worked out about the pattern of a model's elements. It outlives masses, stiffness, pins and time
// steps, and is handed from solver to solver: ordering a large body takes longer than factoring it.
#pragma once

#include <memory>

#include "sim/linear/component_cholesky.hpp"
#include "sim/linear/elimination_plan.hpp"

namespace rebound::sim {

/// Null: not worked out yet. May be read from several threads at once.
struct Analysis {
  std::shared_ptr<const EliminationPlan> plan;           ///< n x n, for single precision
  std::shared_ptr<const CholeskyAnalysis> vertices;      ///< n x n
  std::shared_ptr<const ComponentAnalysis> coordinates;  ///< 3n x 3n
  // Of use while a solver is being made.
  std::shared_ptr<const SparseMatrix> L;  ///< Model::laplacian() of its very model
  FactorCache* cache = nullptr;           ///< where what is not known may be found, and is kept otherwise
};

}  // namespace rebound::sim
