// The part of an elimination plan that only CHOLMOD understands.
#pragma once

#include <mutex>
#include <optional>

#include "sim/linear/cholmod_support.hpp"
#include "sim/linear/elimination_plan.hpp"
#include "sim/linear/sparse_pattern.hpp"
#include "sim/linear/supernodal_plan.hpp"

namespace rebound::sim {

struct EliminationPlan::Symbolic {
  Symbolic(const SparseMatrix& of, FactorCache* cache);
  ~Symbolic();

  std::span<const int> super() const { return {static_cast<const int*>(factor->super), factor->nsuper + 1}; }
  /// Rows of a supernode, its own columns first.
  std::span<const int> rows(int supernode) const;

  /// Made when first wanted, of any matrix of the pattern. Throws std::invalid_argument if A is of another.
  const SupernodalPlan& plan(const SparseMatrix& A) const;

  CholmodWorkspace workspace;
  cholmod_factor* factor = nullptr;
  SparsePattern pattern;

 private:
  mutable std::once_flag planned_;
  mutable std::optional<SupernodalPlan> plan_;
};

}  // namespace rebound::sim
