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
  const auto rank = static_cast<std::size_t>(held_.rank());
  Z_.resize(n * rank);
  for (std::size_t c = 0; c < rank; ++c)
    for (std::size_t s = 0; s < n; ++s)
      Z_[rank * s + c] = static_cast<float>(held_.Z(static_cast<int>(c))[plan_.order()[s]]);
  weights_ = AlignedBuffer<float>(4 * rank);
  pins_.clear();
  for (const int v : held_.pins()) pins_.push_back(plan_.position()[v]);
  follow();
}

void FloatSystem::weigh_held(const float* d) {
  if (held_.rank() == 0) return;
  const auto& weights = held_.weights([&](int vertex) {
    return Eigen::Map<const Eigen::RowVector3f>(d + 4 * static_cast<std::size_t>(plan_.position()[vertex]));
  });
  for (int c = 0; c < held_.rank(); ++c)
    for (int k = 0; k < 3; ++k) weights_[static_cast<std::size_t>(4 * c + k)] = static_cast<float>(weights(c, k));
}

void FloatSystem::subtract(int part, const float* d, float* left) const {
  const auto rank = static_cast<std::size_t>(held_.rank());
  const PartTree::Part& own = plan_.tree().part(part);
  const auto* weights = reinterpret_cast<const Quad*>(weights_.data());
  for (int s = own.begin; s < own.end; ++s) {
    const float* Z = Z_.data() + rank * static_cast<std::size_t>(s);
    Quad at = reinterpret_cast<const Quad*>(d)[s];
    for (std::size_t c = 0; c < rank; ++c) at -= Z[c] * weights[c];
    reinterpret_cast<Quad*>(left)[s] = at;
  }
  for (const int s : pins_)
    if (own.begin <= s && s < own.end) reinterpret_cast<Quad*>(left)[s] = Quad{};
}

// What subtract() will leave of d at a vertex.
Eigen::RowVector3f FloatSystem::held_at(const float* d, int vertex) const {
  Eigen::RowVector3f row = Eigen::Map<const Eigen::RowVector3f>(d + place(vertex));
  const auto rank = static_cast<std::size_t>(held_.rank());
  const float* Z = Z_.data() + rank * (place(vertex) / 4);
  for (std::size_t c = 0; c < rank; ++c) row -= Z[c] * Eigen::Map<const Eigen::RowVector3f>(weights_.data() + 4 * c);
  return row;
}

void FloatSystem::set_contacts(const Model& model, Workers& workers) {
  if (model.contacts.items.empty() && contacts_.rank() == 0) return;
  if (pushed_.size() == 0) pushed_ = AlignedBuffer<float>(4 * static_cast<std::size_t>(inverse_.slots()));
  const auto entries = [&](auto of, auto at, auto columns) { find_entries(of, at, columns, workers); };
  contacts_.update(model, coefficient_, entries, workers);
  follow();
}

void FloatSystem::follow() {
  std::vector<int> ends = held_.vertices();
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
  each_rows(workers, plan_.vertices(), [&](Eigen::Index first, Eigen::Index rows) {
    for (Eigen::Index s = first; s < first + rows; ++s)
      for (int k = 0; k < 3; ++k) b(plan_.order()[s], k) = pushed_[4 * s + k];
  });
  std::memset(pushed_.data(), 0, pushed_.size() * sizeof(float));
}

// A^-1 b at the ends of the paths, in pushed_, where d is what the forward pass and the top made of b.
void FloatSystem::look_ahead(const float* d) {
  for (const auto& [begin, end] : paths_.ranges)
    std::memcpy(pushed_.data() + 4 * begin, d + 4 * begin, sizeof(Quad) * static_cast<std::size_t>(end - begin));
  inverse_.backward(paths_, pushed_.data());
}

void FloatSystem::clear_paths() {
  for (const auto& [begin, end] : paths_.ranges)
    std::memset(pushed_.data() + 4 * begin, 0, sizeof(Quad) * static_cast<std::size_t>(end - begin));
}

// A^-1 = B F with the forward pass F and the backward pass B, and d = F b: with p = F U N lambda, B (d - p) is what
// A^-1 (b - U N lambda) is. U^T B d, which lambda wants first, and p need no more than the paths. What is held is weighed
// first, as contacts feel it, and again when they have been taken off.
void FloatSystem::push(float* d, Workers& workers) {
  if (contacts_.rank() == 0 && held_.rank() == 0) return;
  if (pushed_.size() == 0) pushed_ = AlignedBuffer<float>(4 * static_cast<std::size_t>(inverse_.slots()));
  float* p = pushed_.data();
  look_ahead(d);
  weigh_held(p);
  if (contacts_.rank() > 0) {
    const Points& weights = contacts_.weights([&](int vertex) { return held_at(p, vertex); });
    clear_paths();
    scatter_contacts(weights);
    inverse_.forward(paths_, p);
    inverse_.solve_top(p, workers);
    for (const auto& [begin, end] : paths_.ranges)
      for (int s = begin; s < end; ++s) reinterpret_cast<Quad*>(d)[s] -= reinterpret_cast<const Quad*>(p)[s];
    if (held_.rank() > 0) {
      look_ahead(d);
      weigh_held(p);
    }
  }
  clear_paths();
}

void FloatSystem::solve(float* b, Workers& workers) {
  const PartTree& tree = plan_.tree();
  tree.upward(workers, [&](int part) {
    tree.clear_halo(part, b);
    tree.collect(part, b);
    inverse_.forward(part, b);
  });
  tree.collect(tree.top_index(), b);
  inverse_.solve_top(b, workers);
  push(b, workers);
  tree.downward(workers, [&](int part) {
    tree.take(part, b);
    inverse_.backward(part, b);
  });
  subtract_all(b, workers);
}

// Contacts apart.
void FloatSystem::solve_held(float* b, Workers& workers) {
  inverse_.solve(b, workers);
  weigh_held(b);
  subtract_all(b, workers);
}

void FloatSystem::subtract_all(float* d, Workers& workers) const {
  if (!holds()) return;
  workers.run(plan_.tree().count(), [&](int part) { subtract(part, d, d); });
}

}  // namespace rebound::sim
