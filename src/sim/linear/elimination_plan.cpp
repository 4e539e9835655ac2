#include "sim/linear/elimination_plan.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "sim/linear/elimination_plan_symbolic.hpp"

namespace rebound::sim {
namespace {

// Wide supernodes are cut: the inverse of a diagonal block is stored in full, so two narrow blocks with half of the
// coupling between them are less to read than one wide one.
constexpr int kWidest = 64;
constexpr int kWidthStep = 8;

// A leaf costs no more than this share of all: eight of them, as separators take some. Below kLeastLeaf, about a megabyte
// with its elements, waiting for one another costs more than is gained; kLargestLeaf is about three megabytes.
constexpr double kLeafShare = 1.0 / 6;
constexpr double kLeastLeaf = 1e6;
constexpr double kLargestLeaf = 4e6;

// Entries that could have been read while the other work of a row, a column, a supernode is done.
double solve_cost(int width, int rows) {
  return 2.0 * width * rows + double(width) * width + 30.0 * rows + 60.0 * width + 600.0;
}

// Empty if it is not known; what is not a permutation is none.
std::vector<int> known_order(FactorCache& cache, const std::string& name, std::size_t n) {
  const std::vector<std::byte> bytes = cache.find(name);
  if (bytes.size() != n * sizeof(int)) return {};
  std::vector<int> order(n);
  std::memcpy(order.data(), bytes.data(), bytes.size());
  std::vector<char> met(n, 0);
  for (const int v : order) {
    if (v < 0 || static_cast<std::size_t>(v) >= n || met[static_cast<std::size_t>(v)]) return {};
    met[static_cast<std::size_t>(v)] = 1;
  }
  return order;
}

}  // namespace

EliminationPlan::Symbolic::Symbolic(const SparseMatrix& pattern, FactorCache* cache) {
  cholmod_common& common = workspace.common;
  common.supernodal = CHOLMOD_SUPERNODAL;
  if (cache == nullptr || pattern.rows() < FactorCache::kFewestRows) {
    factor = analyze(pattern, nullptr, workspace);
    return;
  }
  const auto n = static_cast<std::size_t>(pattern.rows());
  const std::string name = "order-" + Fingerprint()
                                          .add(std::span(pattern.outerIndexPtr(), n + 1))
                                          .add(std::span(pattern.innerIndexPtr(), pattern.nonZeros()))
                                          .name();
  std::vector<int> order = known_order(*cache, name, n);
  if (!order.empty()) {
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_GIVEN;
    common.postorder = false;  // it is one already
  }
  factor = analyze(pattern, order.empty() ? nullptr : order.data(), workspace);
  if (order.empty()) cache->keep(name, std::as_bytes(std::span(static_cast<const int*>(factor->Perm), n)));
}

EliminationPlan::Symbolic::~Symbolic() { cholmod_free_factor(&factor, &workspace.common); }

std::span<const int> EliminationPlan::Symbolic::rows(int supernode) const {
  const int* begin = static_cast<const int*>(factor->pi) + supernode;
  return {static_cast<const int*>(factor->s) + begin[0], static_cast<std::size_t>(begin[1] - begin[0])};
}

EliminationPlan::EliminationPlan(const SparseMatrix& pattern, FactorCache* cache, std::optional<double> leaf_cost)
    : symbolic_(std::make_shared<Symbolic>(pattern, cache)) {
  const auto super = symbolic_->super();
  const int count = static_cast<int>(super.size()) - 1;
  std::vector<int> supernode_of(pattern.rows());
  for (int s = 0; s < count; ++s)
    std::fill(&supernode_of[super[s]], &supernode_of[super[s]] + (super[s + 1] - super[s]), s);
  EliminationTree tree;
  for (int s = 0; s < count; ++s) {
    const int width = super[s + 1] - super[s];
    const auto rows = symbolic_->rows(s);
    const int below = static_cast<int>(rows.size()) - width;
    tree.parent.push_back(below > 0 ? supernode_of[rows[width]] : -1);
    tree.width.push_back(width);
    tree.cost.push_back(solve_cost(width, below));
  }
  const double all = std::accumulate(tree.cost.begin(), tree.cost.end(), 0.0);
  lay_out(cut_into_parts(tree, leaf_cost.value_or(std::clamp(all * kLeafShare, kLeastLeaf, kLargestLeaf))));
}

double EliminationPlan::factor_bytes() const {
  return static_cast<double>(symbolic_->factor->xsize + symbolic_->factor->maxcsize) * sizeof(double);
}

void EliminationPlan::lay_out(const TreeCut& cut) {
  const auto super = symbolic_->super();
  const int count = static_cast<int>(cut.part.size());
  const int n = super[count];
  const int* vertex_of = static_cast<const int*>(symbolic_->factor->Perm);
  std::vector<std::vector<int>> members(cut.above.size());
  for (int s = 0; s < count; ++s) members[cut.part[s]].push_back(s);
  std::vector<int> index_of(n);  // CHOLMOD's column -> solver index
  std::vector<int> sizes;        // columns of each part
  int next = 0;
  for (const auto& part : members) {
    const int begin = next;
    for (const int s : part)
      for (int column = super[s]; column < super[s + 1]; ++column) index_of[column] = next++;
    sizes.push_back(next - begin);
  }
  order_.resize(n);
  position_.resize(n);
  for (int column = 0; column < n; ++column) {
    order_[index_of[column]] = vertex_of[column];
    position_[vertex_of[column]] = index_of[column];
  }
  supernodes_.resize(members.size());
  for (int s = 0; s < count; ++s) {
    const int width = super[s + 1] - super[s];
    const int pieces = (width + kWidest - 1) / kWidest;
    const int piece = ((width + pieces - 1) / pieces + kWidthStep - 1) / kWidthStep * kWidthStep;
    const auto rows = symbolic_->rows(s);
    for (int first = 0; first < width; first += piece) {
      Supernode node;
      node.first = index_of[super[s] + first];
      node.width = std::min(piece, width - first);
      node.row_begin = static_cast<int>(rows_.size());
      node.source = s;
      node.source_column = first;
      // Ancestors keep their order, and a part stands before those above it, so the rows stay ascending.
      for (std::size_t r = first + node.width; r < rows.size(); ++r) rows_.push_back(index_of[rows[r]]);
      node.row_count = static_cast<int>(rows_.size()) - node.row_begin;
      supernodes_[cut.part[s]].push_back(node);
    }
  }
  make_tree(cut, sizes);
}

void EliminationPlan::make_tree(const TreeCut& cut, const std::vector<int>& sizes) {
  std::vector<PartTree::Part> parts(sizes.size());
  int next = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    PartTree::Part& part = parts[p];
    part.begin = next;
    part.end = next += sizes[p];
    part.above = cut.above[p];
    for (const Supernode& node : supernodes_[p])
      for (int i = 0; i < node.row_count; ++i)
        if (const int row = rows_[node.row_begin + i]; row >= part.end) part.halo.push_back(row);
    std::sort(part.halo.begin(), part.halo.end());
    part.halo.erase(std::unique(part.halo.begin(), part.halo.end()), part.halo.end());
  }
  tree_ = PartTree(std::move(parts));
}

}  // namespace rebound::sim
