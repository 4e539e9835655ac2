#include "sim/linear/numeric_factor.hpp"

#include "sim/linear/elimination_plan_symbolic.hpp"
#include "sim/linear/supernodal_factor.hpp"
#include "sim/linear/supernodal_solve.hpp"

namespace rebound::sim {

NumericFactor::NumericFactor(const EliminationPlan& plan, const SparseMatrix& A, Workers* workers)
    : plan_(plan), numbers_(plan.symbolic_->plan(A)) {
  if (!all_finite(A)) return;
  L_ = AlignedBuffer<double>(numbers_.values(), Unset{});
  ok_ = SupernodalFactoring<double>(numbers_).run(A, L_.data(), workers);
}

NumericFactor::Block NumericFactor::diagonal(const Supernode& node) const {
  const Eigen::Index stride = numbers_.row_count(node.source);
  const double* block = L_.data() + numbers_.values_begin(node.source);
  return {block + node.source_column * (stride + 1), node.width, node.width, Eigen::OuterStride<>(stride)};
}

NumericFactor::Block NumericFactor::below(const Supernode& node) const {
  const Block own = diagonal(node);
  return {own.data() + node.width, node.row_count, node.width, Eigen::OuterStride<>(own.outerStride())};
}

Vector NumericFactor::solve(const Vector& b, Workers* workers) const {
  const std::span order(static_cast<const int*>(plan_.symbolic_->factor->Perm), static_cast<std::size_t>(b.size()));
  Vector ordered(b.size()), x(b.size());
  for (Eigen::Index k = 0; k < b.size(); ++k) ordered[k] = b[order[static_cast<std::size_t>(k)]];
  SupernodalSolve<double>(numbers_).run(L_.data(), ordered.data(), workers);
  for (Eigen::Index k = 0; k < b.size(); ++k) x[order[static_cast<std::size_t>(k)]] = ordered[k];
  return x;
}

}  // namespace rebound::sim
