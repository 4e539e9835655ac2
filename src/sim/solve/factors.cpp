#include "sim/solve/factors.hpp"

namespace rebound::sim {

namespace {
constexpr std::size_t kMostMatrices = 6;
}

SystemMatrix::SystemMatrix(const CholeskyAnalysis& analysis, const SparseMatrix& A, double coefficient)
    : factor_(analysis, A), coefficient_(coefficient) {}

void SystemMatrix::set_grabs(const Model& model) {
  grabs_.update(model, coefficient_, [this](Vector& column) { factor_.solve(column); });
}

void SystemMatrix::solve(Points& b) const {
  factor_.solve(b);
  if (grabs_.rank() > 0) b.noalias() -= grabs_.Z() * grabs_.weights([&b](int v) { return b.row(v); });
}

Factors::Factors(const Model& model) : model_(model), L_(model.laplacian()), analysis_(L_) {}

void Factors::refresh() {
  L_ = model_.laplacian();
  matrices_.clear();
}

SparseMatrix system_matrix(const Model& model, const SparseMatrix& L, double coefficient) {
  SparseMatrix A = coefficient * L;
  for (int column = 0; column < A.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(A, column); it; ++it) {
      const bool held = model.fixed[it.row()] || model.fixed[column];
      if (it.row() == column) {
        it.valueRef() = held ? model.M[column] : model.M[column] + it.value();
      } else if (held) {
        it.valueRef() = 0;
      }
    }
  return A;
}

const SystemMatrix* Factors::find(double coefficient) {
  auto it = matrices_.find(coefficient);
  if (it == matrices_.end()) {
    // Other coefficients come from other time steps; a slider that is dragged must not pile them up.
    if (matrices_.size() >= kMostMatrices) matrices_.clear();
    it = matrices_.try_emplace(coefficient, analysis_, system_matrix(model_, L_, coefficient), coefficient).first;
    if (it->second.ok()) it->second.set_grabs(model_);
  }
  return it->second.ok() ? &it->second : nullptr;
}

void Factors::update_grabs() {
  for (auto& [coefficient, matrix] : matrices_)
    if (matrix.ok()) matrix.set_grabs(model_);
}

double Factors::nonzeros() const {
  double total = 0;
  for (const auto& [coefficient, matrix] : matrices_) total += matrix.nonzeros();
  return total;
}

}  // namespace rebound::sim
