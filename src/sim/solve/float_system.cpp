#include "sim/solve/float_system.hpp"

namespace rebound::sim {
namespace {

using Quad = float __attribute__((vector_size(16), may_alias));

}  // namespace

FloatSystem::FloatSystem(const EliminationPlan& plan, const SparseMatrix& A, double coefficient, Workers& workers,
                         FactorCache* cache)
    : plan_(plan), coefficient_(coefficient), inverse_(plan, A, workers, cache) {}

void FloatSystem::set_held(const Model& model, const std::vector<std::uint8_t>& factored, Workers& workers) {
  const auto n = static_cast<std::size_t>(plan_.vertices());
  AlignedBuffer<float> b;
  const bool changed = held_.update(model, factored, coefficient_, [&](Points& B) {
    if (b.size() == 0) b = AlignedBuffer<float>(4 * static_cast<std::size_t>(inverse_.slots()));
    for (std::size_t s = 0; s < n; ++s)
      for (int k = 0; k < 3; ++k) b[4 * s + k] = static_cast<float>(B(plan_.order()[s], k));
    inverse_.solve(b.data(), workers);
    for (std::size_t s = 0; s < n; ++s)
      for (int k = 0; k < 3; ++k) B(plan_.order()[s], k) = b[4 * s + k];
  });
  if (!changed) return;
  const auto rank = static_cast<std::size_t>(held_.rank());
  Z_.resize(n * rank);
  for (std::size_t c = 0; c < rank; ++c)
    for (std::size_t s = 0; s < n; ++s)
      Z_[rank * s + c] = static_cast<float>(held_.Z(static_cast<int>(c))[plan_.order()[s]]);
  weights_ = AlignedBuffer<float>(4 * rank);
  pins_.clear();
  for (const int v : held_.pins()) pins_.push_back(plan_.position()[v]);
}

void FloatSystem::weigh_held(const float* d) {
  if (held_.rank() == 0) return;
  const auto& weights = held_.weights([&](int vertex) {
    return Eigen::Map<const Eigen::RowVector3f>(d + 4 * static_cast<std::size_t>(plan_.position()[vertex]));
  });
  for (int c = 0; c < held_.rank(); ++c)
    for (int k = 0; k < 3; ++k) weights_[static_cast<std::size_t>(4 * c + k)] = static_cast<float>(weights(c, k));
}

void FloatSystem::subtract_held(int begin, int end, float* d) const {
  const int rank = held_.rank();
  if (rank == 0) return;
  const auto* weights = reinterpret_cast<const Quad*>(weights_.data());
  for (int s = begin; s < end; ++s) {
    const float* Z = Z_.data() + static_cast<std::size_t>(rank) * static_cast<std::size_t>(s);
    auto* at = reinterpret_cast<Quad*>(d + 4 * static_cast<std::size_t>(s));
    Quad left = *at;
    for (int c = 0; c < rank; ++c) left -= Z[c] * weights[c];
    *at = left;
  }
  for (const int s : pins_)
    if (begin <= s && s < end) *reinterpret_cast<Quad*>(d + 4 * static_cast<std::size_t>(s)) = Quad{};
}

void FloatSystem::solve(float* b, Workers& workers) {
  inverse_.solve(b, workers);
  weigh_held(b);
  subtract_held(0, plan_.vertices(), b);
}

}  // namespace rebound::sim
