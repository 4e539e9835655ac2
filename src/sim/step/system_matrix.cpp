#include "sim/step/system_matrix.hpp"

namespace rebound::sim {

SparseMatrix system_matrix(const Vector& M, const std::vector<std::uint8_t>& fixed, const SparseMatrix& L,
                           double coefficient) {
  SparseMatrix A = coefficient * L;
  for (int column = 0; column < A.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(A, column); it; ++it) {
      const bool held = fixed[it.row()] || fixed[column];
      if (it.row() == column) {
        it.valueRef() = held ? M[column] : M[column] + it.value();
      } else if (held) {
        it.valueRef() = 0;
      }
    }
  return A;
}

void SystemMatrix::set_held(const Model& model, const std::vector<std::uint8_t>& factored, Workers&) {
  if (held_.update(model, factored, coefficient_, [this](Points& B) { factor_.solve(B); })) contacts_.forget();
}

void SystemMatrix::set_contacts(const Model& model, Workers& workers) {
  const auto entries = [&](std::span<const int> of, std::span<const int> at, auto columns) {
    pushed_.setZero(model.vertices(), 3);
    for (std::size_t k = 0; k < of.size(); ++k) pushed_(of[k], static_cast<Eigen::Index>(k)) = 1;
    solve_held(pushed_);
    for (std::size_t i = 0; i < at.size(); ++i)
      columns.row(static_cast<Eigen::Index>(i)) = pushed_.row(at[i]).head(columns.cols());
  };
  contacts_.update(model, coefficient_, entries, workers);
}

void SystemMatrix::solve(Points& b, std::span<const double> heights) const {
  solve_held(b);
  if (contacts_.rank() == 0) return;
  const Points& weights = contacts_.weights([&b](int v) { return b.row(v); }, heights);
  pushed_.setZero(b.rows(), 3);
  contacts_.scatter(weights, [this](int v, const auto& row) { pushed_.row(v) += row; });
  solve_held(pushed_);
  b -= pushed_;
}

void SystemMatrix::solve_held(Points& b) const {
  factor_.solve(b);
  if (held_.rank() == 0) return;
  const auto& weights = held_.weights([&b](int v) { return b.row(v); });
  for (int c = 0; c < held_.rank(); ++c) b.noalias() -= held_.Z(c) * weights.row(c);
  for (const int v : held_.pins()) b.row(v).setZero();
}

}  // namespace rebound::sim
