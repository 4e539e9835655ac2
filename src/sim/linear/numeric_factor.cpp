#include "sim/linear/numeric_factor.hpp"

#include <memory>
#include <new>

#include "sim/linear/elimination_plan_symbolic.hpp"

namespace rebound::sim {

NumericFactor::NumericFactor(const EliminationPlan& plan, const SparseMatrix& A) {
  if (!all_finite(A)) return;
  const BlasRoom room;
  cholmod_common& common = workspace_.common;
  common.supernodal = CHOLMOD_SUPERNODAL;
  L_ = cholmod_copy_factor(plan.symbolic_->factor, &common);
  auto matrix = cholmod_view(A);
  if (L_ != nullptr) cholmod_factorize(&matrix, L_, &common);
  try {
    check_memory(common);
  } catch (const std::bad_alloc&) {
    cholmod_free_factor(&L_, &common);
    throw;
  }
  ok_ = common.status == CHOLMOD_OK && L_->minor == L_->n;
}

NumericFactor::~NumericFactor() { cholmod_free_factor(&L_, &workspace_.common); }

NumericFactor::Block NumericFactor::diagonal(const Supernode& node) const {
  const int* begin = static_cast<const int*>(L_->pi) + node.source;
  const Eigen::Index stride = begin[1] - begin[0];
  const double* block = static_cast<const double*>(L_->x) + static_cast<const int*>(L_->px)[node.source];
  return {block + node.source_column * (stride + 1), node.width, node.width, Eigen::OuterStride<>(stride)};
}

NumericFactor::Block NumericFactor::below(const Supernode& node) const {
  const Block own = diagonal(node);
  return {own.data() + node.width, node.row_count, node.width, Eigen::OuterStride<>(own.outerStride())};
}

Vector NumericFactor::solve(const Vector& b) {
  cholmod_dense view{};
  view.nrow = view.d = view.nzmax = static_cast<std::size_t>(b.size());
  view.ncol = 1;
  view.x = const_cast<double*>(b.data());
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  cholmod_dense* x = cholmod_solve(CHOLMOD_A, L_, &view, &workspace_.common);
  check_memory(workspace_.common);
  const auto release = [this](cholmod_dense* dense) { cholmod_free_dense(&dense, &workspace_.common); };
  const std::unique_ptr<cholmod_dense, decltype(release)> owned(x, release);
  return Eigen::Map<const Vector>(static_cast<const double*>(x->x), b.size());
}

}  // namespace rebound::sim
