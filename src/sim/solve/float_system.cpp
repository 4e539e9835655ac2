#include "sim/solve/float_system.hpp"

namespace rebound::sim {

FloatSystem::FloatSystem(const EliminationPlan& plan, const SparseMatrix& A, double coefficient, Workers& workers)
    : plan_(plan), coefficient_(coefficient), inverse_(plan, A, &workers) {}

void FloatSystem::set_grabs(const Model& model, Workers& workers) {
  const auto n = static_cast<std::size_t>(plan_.vertices());
  AlignedBuffer<float> b(4 * static_cast<std::size_t>(inverse_.slots()));
  const bool changed = grabs_.update(model, coefficient_, [&](Vector& column) {
    for (std::size_t s = 0; s < n; ++s) b[4 * s] = static_cast<float>(column[plan_.order()[s]]);
    inverse_.solve(b.data(), workers);
    for (std::size_t s = 0; s < n; ++s) column[plan_.order()[s]] = b[4 * s];
  });
  if (!changed) return;
  Z_.resize(n * static_cast<std::size_t>(grabs_.rank()));
  for (int c = 0; c < grabs_.rank(); ++c)
    for (std::size_t s = 0; s < n; ++s)
      Z_[n * static_cast<std::size_t>(c) + s] = static_cast<float>(grabs_.Z()(plan_.order()[s], c));
}

void FloatSystem::weigh_grabs(const float* d) {
  if (grabs_.rank() == 0) return;
  const auto& weights = grabs_.weights([&](int vertex) {
    return Eigen::Map<const Eigen::RowVector3f>(d + 4 * static_cast<std::size_t>(plan_.position()[vertex]));
  });
  weights_.resize(3 * static_cast<std::size_t>(grabs_.rank()));
  for (int c = 0; c < grabs_.rank(); ++c)
    for (int k = 0; k < 3; ++k) weights_[static_cast<std::size_t>(3 * c + k)] = static_cast<float>(weights(c, k));
}

void FloatSystem::subtract_grabs(int begin, int end, float* d) const {
  for (int c = 0; c < grabs_.rank(); ++c) {
    const float* Z = Z_.data() + static_cast<std::size_t>(c) * static_cast<std::size_t>(plan_.vertices());
    const float* t = weights_.data() + 3 * c;
    for (int s = begin; s < end; ++s)
      for (int k = 0; k < 3; ++k) d[4 * s + k] -= Z[s] * t[k];
  }
}

void FloatSystem::solve(float* b, Workers& workers) {
  inverse_.solve(b, workers);
  weigh_grabs(b);
  subtract_grabs(0, plan_.vertices(), b);
}

}  // namespace rebound::sim
