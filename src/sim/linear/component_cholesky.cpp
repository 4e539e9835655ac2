#include "sim/linear/component_cholesky.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rebound::sim {
namespace {

// Vertices from which a component has a factor of its own.
constexpr std::size_t kFewest = 200;

// Of each vertex: the lowest one that it is linked with.
std::vector<int> lowest_linked(const SparseMatrix& graph) {
  std::vector<int> to(static_cast<std::size_t>(graph.cols()));
  std::iota(to.begin(), to.end(), 0);
  const auto lowest = [&](int v) {
    while (to[v] != v) v = to[v] = to[to[v]];
    return v;
  };
  for (int column = 0; column < graph.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(graph, column); it; ++it) {
      const int a = lowest(static_cast<int>(it.row())), b = lowest(column);
      to[std::max(a, b)] = std::min(a, b);
    }
  for (int v = 0; v < static_cast<int>(to.size()); ++v) to[v] = lowest(v);
  return to;
}

// The components, small ones together, each with its vertices ascending; the largest first, so that no thread is left
// with it at the end.
std::vector<std::vector<int>> split(const SparseMatrix& graph) {
  const std::vector<int> lowest = lowest_linked(graph);
  std::vector<std::vector<int>> connected(lowest.size());
  for (int v = 0; v < static_cast<int>(lowest.size()); ++v) connected[lowest[v]].push_back(v);
  std::vector<std::vector<int>> parts;
  std::vector<int> few;
  for (std::vector<int>& component : connected) {
    if (component.size() >= kFewest) {
      parts.push_back(std::move(component));
      continue;
    }
    few.insert(few.end(), component.begin(), component.end());
    if (few.size() >= kFewest) parts.push_back(std::exchange(few, {}));
  }
  if (!few.empty()) parts.push_back(std::move(few));
  for (std::vector<int>& part : parts) std::sort(part.begin(), part.end());
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return parts;
}

// The rows and columns of `chosen`, ascending; sources, if wanted: where each entry stands among the values
// of the whole.
SparseMatrix submatrix(const SparseMatrix& whole, const std::vector<int>& chosen, std::vector<int>* sources) {
  std::vector<int> place(static_cast<std::size_t>(whole.cols()), -1);
  for (std::size_t i = 0; i < chosen.size(); ++i) place[chosen[i]] = static_cast<int>(i);
  std::vector<int> begin{0}, rows;
  for (const int column : chosen) {
    for (int k = whole.outerIndexPtr()[column]; k < whole.outerIndexPtr()[column + 1]; ++k) {
      rows.push_back(place[whole.innerIndexPtr()[k]]);
      if (sources != nullptr) sources->push_back(k);
    }
    begin.push_back(static_cast<int>(rows.size()));
  }
  const std::vector<double> zeros(rows.size(), 0);
  const auto n = static_cast<Eigen::Index>(chosen.size());
  return Eigen::Map<const SparseMatrix>(n, n, begin.back(), begin.data(), rows.data(), zeros.data());
}

bool same_graph(const SparseMatrix& a, const SparseMatrix& b) {
  return a.cols() == b.cols() && a.nonZeros() == b.nonZeros() &&
         std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.cols() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr());
}

}  // namespace

void ComponentAnalysis::find_components(const SparseMatrix& pattern, const SparseMatrix& vertices) {
  const auto parts = split(vertices);
  for (const std::vector<int>& part : parts) {
    Component of{part, submatrix(vertices, part, nullptr), {}, {}, nullptr};
    std::vector<int> coordinates;
    for (const int v : part) coordinates.insert(coordinates.end(), {3 * v, 3 * v + 1, 3 * v + 2});
    const bool whole = parts.size() == 1;
    of.pattern = submatrix(pattern, coordinates, whole ? nullptr : &of.sources);
    components_.push_back(std::move(of));
  }
}

ComponentAnalysis::ComponentAnalysis(const SparseMatrix& pattern, const SparseMatrix& vertices) : links_(vertices) {
  find_components(pattern, vertices);
  for (Component& of : components_) of.analysis = std::make_shared<const CholeskyAnalysis>(of.pattern, of.graph);
}

ComponentAnalysis::ComponentAnalysis(const SparseMatrix& pattern, const SparseMatrix& vertices, const Linked& linked,
                                     const ComponentAnalysis* before)
    : links_(vertices) {
  // Each row of L that is eliminated last is all but full, so they have to be few.
  constexpr std::size_t kFew = 32;
  find_components(pattern, vertices);
  std::vector<int> order, place;
  for (Component& of : components_) {
    if (linked.bodies.take(of) || (before != nullptr && before->take(of))) continue;
    const auto is_last = [&](int v) { return linked.last[static_cast<std::size_t>(v)] != 0; };
    std::vector<int> own;
    if (static_cast<std::size_t>(std::count_if(of.vertices.begin(), of.vertices.end(), is_last)) <= kFew) {
      if (order.empty()) order = linked.bodies.vertex_order();
      place.assign(order.size(), -1);
      for (std::size_t i = 0; i < of.vertices.size(); ++i)
        place[static_cast<std::size_t>(of.vertices[i])] = static_cast<int>(i);
      for (const bool last : {false, true})
        for (const int v : order)
          if (place[static_cast<std::size_t>(v)] >= 0 && is_last(v) == last)
            own.push_back(place[static_cast<std::size_t>(v)]);
    }
    of.analysis = std::make_shared<const CholeskyAnalysis>(of.pattern, of.graph, std::move(own));
  }
}

bool ComponentAnalysis::take(Component& of) const {
  for (const Component& known : components_)
    if (known.vertices == of.vertices && same_graph(known.graph, of.graph)) {
      of.analysis = known.analysis;
      return true;
    }
  return false;
}

std::vector<int> ComponentAnalysis::vertex_order() const {
  std::vector<int> order;
  for (const Component& of : components_)
    for (const int v : of.analysis->vertex_order()) order.push_back(of.vertices[static_cast<std::size_t>(v)]);
  return order;
}

std::vector<int> ComponentAnalysis::component_of() const {
  std::size_t vertices = 0;
  for (const Component& component : components_) vertices += component.vertices.size();
  std::vector<int> of(vertices);
  for (std::size_t k = 0; k < components_.size(); ++k)
    for (const int v : components_[k].vertices) of[static_cast<std::size_t>(v)] = static_cast<int>(k);
  return of;
}

ComponentCholesky::ComponentCholesky(std::shared_ptr<const ComponentAnalysis> analysis)
    : analysis_(std::move(analysis)) {
  for (const auto& component : analysis_->components_) parts_.push_back(std::make_unique<Part>(component));
  good_.resize(parts_.size());
}

ComponentCholesky::ComponentCholesky(std::shared_ptr<const ComponentAnalysis> analysis, ComponentCholesky&& before)
    : analysis_(std::move(analysis)) {
  const bool whole = analysis_->components_.size() == 1;
  for (const auto& component : analysis_->components_) {
    const auto is_same = [&](const std::unique_ptr<Part>& part) {
      return part && part->component->analysis == component.analysis &&
             part->A.nonZeros() == component.pattern.nonZeros();
    };
    const auto same = std::find_if(before.parts_.begin(), before.parts_.end(), is_same);
    if (whole || same == before.parts_.end()) {
      parts_.push_back(std::make_unique<Part>(component));
    } else {
      parts_.push_back(std::move(*same));
      parts_.back()->component = &component;
    }
  }
  good_.resize(parts_.size());
}

static bool is_chosen(const ComponentCholesky::Choice& chosen, int i) {
  return chosen.empty() || chosen[static_cast<std::size_t>(i)] != 0;
}

// What is more than a thread's share is shared by all; of the others each thread has its own.
template <class Visit>
void ComponentCholesky::each_part(Workers& workers, const Choice& chosen, const Visit& visit) {
  const auto size = [&](int i) { return parts_[static_cast<std::size_t>(i)]->component->pattern.nonZeros(); };
  Eigen::Index all = 0;
  for (int i = 0; i < static_cast<int>(parts_.size()); ++i)
    if (is_chosen(chosen, i)) all += size(i);
  alone_.clear();
  for (int i = 0; i < static_cast<int>(parts_.size()); ++i) {
    if (!is_chosen(chosen, i)) continue;
    if (size(i) * workers.threads() > all) {
      visit(i, &workers);
    } else {
      alone_.push_back(i);
    }
  }
  workers.run(static_cast<int>(std::ssize(alone_)),
              [&](int k) { visit(alone_[static_cast<std::size_t>(k)], nullptr); });
}

template <class Factor>
bool ComponentCholesky::factor_each(const SparseMatrix& A, Workers& workers, const Choice& chosen,
                                    const Factor& factor) {
  const auto factor_one = [&](int i, Workers* own) {
    Part& part = *parts_[static_cast<std::size_t>(i)];
    const std::vector<int>& sources = part.component->sources;
    for (std::size_t k = 0; k < sources.size(); ++k) part.A.valuePtr()[k] = A.valuePtr()[sources[k]];
    good_[static_cast<std::size_t>(i)] = factor(part.factor, sources.empty() ? A : part.A, own);
  };
  std::fill(good_.begin(), good_.end(), std::uint8_t{1});
  each_part(workers, chosen, factor_one);
  return std::all_of(good_.begin(), good_.end(), [](std::uint8_t good) { return good != 0; });
}

template <class Solve>
void ComponentCholesky::solve_each(Eigen::Ref<Eigen::MatrixXd> b, Workers& workers, const Choice& chosen,
                                   const Solve& solve) {
  if (parts_.size() == 1 && is_chosen(chosen, 0)) return solve(parts_.front()->factor, b, &workers);
  for (int i = 0; i < static_cast<int>(parts_.size()); ++i)
    if (!is_chosen(chosen, i))
      for (const int v : parts_[static_cast<std::size_t>(i)]->component->vertices)
        b.middleRows<3>(3 * Eigen::Index{v}).setZero();
  each_part(workers, chosen, [&](int i, Workers* own) {
    Part& part = *parts_[static_cast<std::size_t>(i)];
    const std::vector<int>& vertices = part.component->vertices;
    part.b.resize(3 * static_cast<Eigen::Index>(vertices.size()), b.cols());
    for (std::size_t v = 0; v < vertices.size(); ++v)
      part.b.middleRows<3>(3 * static_cast<Eigen::Index>(v)) = b.middleRows<3>(3 * Eigen::Index{vertices[v]});
    solve(part.factor, part.b, own);
    for (std::size_t v = 0; v < vertices.size(); ++v)
      b.middleRows<3>(3 * Eigen::Index{vertices[v]}) = part.b.middleRows<3>(3 * static_cast<Eigen::Index>(v));
  });
}

bool ComponentCholesky::factor(const SparseMatrix& A, Workers& workers, const Choice& chosen) {
  return factor_each(A, workers, chosen, [](RepeatedCholesky& factor, const SparseMatrix& of, Workers* own) {
    return factor.factor(of, own);
  });
}

bool ComponentCholesky::factor_single(const SparseMatrix& A, Workers& workers, const Choice& chosen) {
  return factor_each(A, workers, chosen, [](RepeatedCholesky& factor, const SparseMatrix& of, Workers* own) {
    return factor.factor_single(of, own);
  });
}

void ComponentCholesky::solve(Eigen::Ref<Eigen::MatrixXd> b, Workers& workers, const Choice& chosen) {
  solve_each(b, workers, chosen,
             [](RepeatedCholesky& factor, Eigen::Ref<Eigen::MatrixXd> of, Workers* own) { factor.solve(of, own); });
}

bool ComponentCholesky::factor_indefinite(const SparseMatrix& A, Workers& workers) {
  return factor_each(A, workers, {}, [](RepeatedCholesky& factor, const SparseMatrix& of, Workers*) {
    return factor.factor_indefinite(of);
  });
}

void ComponentCholesky::solve_indefinite(Vector& b, Workers& workers) {
  solve_each(b, workers, {},
             [](RepeatedCholesky& factor, Eigen::Ref<Eigen::MatrixXd> of, Workers*) { factor.solve_indefinite(of); });
}

double ComponentCholesky::nonzeros() const {
  double sum = 0;
  for (const auto& part : parts_) sum += part->factor.nonzeros();
  return sum;
}

}  // namespace rebound::sim
