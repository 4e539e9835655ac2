#include "sim/energy/incidence.hpp"

#include <algorithm>
#include <numeric>

namespace rebound::sim {
namespace {
constexpr int kVerticesATask = 512;
}

Incidence::Incidence(const std::vector<int>& vertex_of) {
  slots_.reserve(vertex_of.size());
  for (std::size_t s = 0; s < vertex_of.size(); ++s)
    if (vertex_of[s] >= 0) slots_.push_back(static_cast<int>(s));
  std::stable_sort(slots_.begin(), slots_.end(), [&](int a, int b) { return vertex_of[a] < vertex_of[b]; });
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const int v = vertex_of[slots_[i]];
    if (vertices_.empty() || vertices_.back() != v) {
      vertices_.push_back(v);
      begin_.push_back(static_cast<int>(i));
    }
  }
  begin_.push_back(static_cast<int>(slots_.size()));
}

template <class Add>
void Incidence::for_each_vertex(Workers& workers, const Add& add) const {
  const int n = static_cast<int>(vertices_.size());
  workers.run((n + kVerticesATask - 1) / kVerticesATask, [&](int task) {
    const int end = std::min(n, (task + 1) * kVerticesATask);
    for (int i = task * kVerticesATask; i < end; ++i) {
      double sum[3] = {0, 0, 0};
      for (int k = begin_[i]; k < begin_[i + 1]; ++k) add(slots_[k], sum);
      add.store(vertices_[i], sum);
    }
  });
}

namespace {

struct RowSum {
  const double* slots;
  double* gradient;
  void operator()(int slot, double* sum) const {
    for (int c = 0; c < 3; ++c) sum[c] += slots[3 * static_cast<std::size_t>(slot) + c];
  }
  void store(int vertex, const double* sum) const {
    for (int c = 0; c < 3; ++c) gradient[3 * static_cast<std::size_t>(vertex) + c] += sum[c];
  }
};

struct SignedSum : RowSum {
  void operator()(int entry, double* sum) const {
    const double sign = entry % 2 == 0 ? 1.0 : -1.0;
    for (int c = 0; c < 3; ++c) sum[c] += sign * slots[3 * static_cast<std::size_t>(entry / 2) + c];
  }
};

}  // namespace

void Incidence::gather(std::span<const double> slots, Points& gradient, Workers& workers) const {
  for_each_vertex(workers, RowSum{slots.data(), gradient.data()});
}

void Incidence::gather_pairs(std::span<const double> slots, Points& gradient, Workers& workers) const {
  for_each_vertex(workers, SignedSum{{slots.data(), gradient.data()}});
}

}  // namespace rebound::sim
