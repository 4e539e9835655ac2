#include "sim/step/float_system.hpp"

#include <cstring>

#include "sim/base/row_passes.hpp"

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
  contacts_.forget();
  if (pushed_.size() > 0) std::memset(pushed_.data(), 0, pushed_.size() * sizeof(float));
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

void FloatSystem::set_contacts(const Model& model, Workers& workers) {
  if (model.contacts.items.empty() && contacts_.rank() == 0) return;
  if (pushed_.size() == 0) {
    pushed_ = AlignedBuffer<float>(4 * static_cast<std::size_t>(inverse_.slots()));
    std::memset(pushed_.data(), 0, pushed_.size() * sizeof(float));
  } else if (held_.rank() > 0) {
    // weigh() has left in it what the last solve subtracted.
    std::memset(pushed_.data(), 0, pushed_.size() * sizeof(float));
  }
  const auto entries = [&](auto of, auto at, auto columns) { find_entries(of, at, columns, workers); };
  if (!contacts_.update(model, coefficient_, entries, workers) || held_.rank() > 0) return;
  if (unpushed_.size() == 0) {
    unpushed_ = AlignedBuffer<float>(pushed_.size());
    std::memset(unpushed_.data(), 0, unpushed_.size() * sizeof(float));
  }
  follow_contacts();
}

void FloatSystem::follow_contacts() {
  std::vector<int> ends;
  for (int c = 0; c < contacts_.rank(); ++c)
    for (int j = 0; j < contacts_.row(c).count; ++j) ends.push_back(contacts_.row(c).vertices[j]);
  if (ends == path_ends_ && !paths_.ranges.empty()) return;
  path_ends_ = std::move(ends);
  std::vector<int> slots;
  for (const int v : path_ends_) slots.push_back(plan_.position()[v]);
  paths_ = inverse_.paths(slots);
}

void FloatSystem::find_entries(std::span<const int> of, std::span<const int> at, Eigen::Ref<Eigen::MatrixXd> columns,
                               Workers& workers) {
  for (std::size_t k = 0; k < of.size(); ++k) pushed_[place(of[k]) + k] = 1;
  if (held_.rank() > 0) {
    solve_held(pushed_.data(), workers);
  } else {
    inverse_.solve(pushed_.data(), workers);
  }
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t k = 0; k < of.size(); ++k)
      columns(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = pushed_[place(at[i]) + k];
  std::memset(pushed_.data(), 0, pushed_.size() * sizeof(float));
}

void FloatSystem::scatter_contacts(const Points& weights) {
  contacts_.scatter(weights, [&](int vertex, const auto& row) {
    Eigen::Map<Eigen::RowVector3f>(pushed_.data() + place(vertex)) += row.template cast<float>();
  });
}

void FloatSystem::respond(Points& b, Workers& workers) {
  if (pushed_.size() == 0) pushed_ = AlignedBuffer<float>(4 * static_cast<std::size_t>(inverse_.slots()));
  each_rows(workers, plan_.vertices(), [&](Eigen::Index first, Eigen::Index rows) {
    for (Eigen::Index s = first; s < first + rows; ++s)
      for (int k = 0; k < 3; ++k) pushed_[4 * s + k] = static_cast<float>(b(plan_.order()[s], k));
  });
  solve_held(pushed_.data(), workers);
  take_pushed(b, workers);
}

void FloatSystem::respond_at_contacts(Points& b, Workers& workers) {
  if (held_.rank() > 0 || contacts_.rank() == 0) return respond(b, workers);
  float* p = pushed_.data();
  for (const int v : path_ends_)
    for (int k = 0; k < 3; ++k) p[place(v) + k] = static_cast<float>(b(v, k));
  inverse_.forward(paths_, p, workers);
  inverse_.solve_top(p, workers);
  inverse_.backward(p, workers);
  take_pushed(b, workers);
}

void FloatSystem::take_pushed(Points& b, Workers& workers) {
  each_rows(workers, plan_.vertices(), [&](Eigen::Index first, Eigen::Index rows) {
    for (Eigen::Index s = first; s < first + rows; ++s)
      for (int k = 0; k < 3; ++k) b(plan_.order()[s], k) = pushed_[4 * s + k];
    std::memset(&pushed_[4 * first], 0, sizeof(Quad) * static_cast<std::size_t>(rows));
  });
  const auto areas = 4 * static_cast<std::size_t>(plan_.vertices());
  std::memset(pushed_.data() + areas, 0, (pushed_.size() - areas) * sizeof(float));
}

// A^-1 = B F with the forward pass F and the backward pass B, and d = F b: with p = F U N lambda, B (d - p) is what
// A^-1 (b - U N lambda) is. U^T B d, which lambda wants first, and p need no more than the paths.
void FloatSystem::push_contacts(float* d, std::span<const double> heights, Workers& workers) {
  if (contacts_.rank() == 0 || held_.rank() > 0) return;
  float *p = pushed_.data(), *Bd = unpushed_.data();
  for (const auto& [begin, end] : paths_.ranges)
    std::memcpy(Bd + 4 * begin, d + 4 * begin, sizeof(Quad) * static_cast<std::size_t>(end - begin));
  inverse_.backward(paths_, Bd, workers);
  const Points& weights =
      contacts_.weights([&](int vertex) { return Eigen::Map<const Eigen::RowVector3f>(Bd + place(vertex)); }, heights);
  scatter_contacts(weights);
  inverse_.forward(paths_, p, workers);
  inverse_.solve_top(p, workers);
  for (const auto& [begin, end] : paths_.ranges)
    for (int s = begin; s < end; ++s) {
      reinterpret_cast<Quad*>(d)[s] -= reinterpret_cast<const Quad*>(p)[s];
      reinterpret_cast<Quad*>(p)[s] = Quad{};
    }
}

void FloatSystem::weigh(float* d, std::span<const double> heights, Workers& workers) {
  weigh_held(d);
  if (contacts_.rank() == 0 || held_.rank() == 0) return;
  subtract_held(0, plan_.vertices(), d);
  const Points& weights =
      contacts_.weights([&](int vertex) { return Eigen::Map<const Eigen::RowVector3f>(d + place(vertex)); }, heights);
  std::memset(pushed_.data(), 0, pushed_.size() * sizeof(float));
  scatter_contacts(weights);
  solve_held(pushed_.data(), workers);
}

void FloatSystem::subtract(int begin, int end, float* d) const {
  if (held_.rank() == 0) return;
  if (contacts_.rank() == 0) return subtract_held(begin, end, d);
  const auto* pushed = reinterpret_cast<const Quad*>(pushed_.data());
  auto* at = reinterpret_cast<Quad*>(d);
  for (int s = begin; s < end; ++s) at[s] -= pushed[s];
}

void FloatSystem::solve(float* b, std::span<const double> heights, Workers& workers) {
  std::memset(b + 4 * static_cast<std::size_t>(plan_.vertices()), 0,
              sizeof(Quad) * static_cast<std::size_t>(plan_.slots() - plan_.vertices()));
  inverse_.forward(b, workers);
  inverse_.solve_top(b, workers);
  push_contacts(b, heights, workers);
  inverse_.backward(b, workers);
  weigh(b, heights, workers);
  subtract(0, plan_.vertices(), b);
}

void FloatSystem::solve_held(float* b, Workers& workers) {
  inverse_.solve(b, workers);
  weigh_held(b);
  subtract_held(0, plan_.vertices(), b);
}

}  // namespace rebound::sim
