#include "sim/linear/elimination_plan.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <stdexcept>
#include <utility>

#include "sim/linear/elimination_plan_symbolic.hpp"

namespace rebound::sim {
namespace {

// Wide supernodes are cut: the inverse of a diagonal block is stored in full, so two narrow blocks with half of the
// coupling between them are less to read than one wide one.
constexpr int kWidest = 64;
constexpr int kWidthStep = 8;

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

EliminationPlan::Symbolic::Symbolic(const SparseMatrix& of, FactorCache* cache) : pattern(of) {
  cholmod_common& common = workspace.common;
  common.supernodal = CHOLMOD_SUPERNODAL;
  if (cache == nullptr || of.rows() < FactorCache::kFewestRows) {
    factor = analyze(of, nullptr, workspace);
    return;
  }
  const auto n = static_cast<std::size_t>(of.rows());
  const std::string name =
      "order-" +
      Fingerprint().add(std::span(of.outerIndexPtr(), n + 1)).add(std::span(of.innerIndexPtr(), of.nonZeros())).name();
  std::vector<int> order = known_order(*cache, name, n);
  if (!order.empty()) {
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_GIVEN;
    common.postorder = false;  // it is one already
  }
  factor = analyze(of, order.empty() ? nullptr : order.data(), workspace);
  if (order.empty()) cache->keep(name, std::as_bytes(std::span(static_cast<const int*>(factor->Perm), n)));
}

EliminationPlan::Symbolic::~Symbolic() { cholmod_free_factor(&factor, &workspace.common); }

const SupernodalPlan& EliminationPlan::Symbolic::plan(const SparseMatrix& A) const {
  if (!pattern.is_of(A))
    throw std::invalid_argument("a matrix to be factored has another pattern than the one that was analysed");
  std::call_once(planned_, [&] { plan_.emplace(*factor, A); });
  return *plan_;
}

std::span<const int> EliminationPlan::Symbolic::rows(int supernode) const {
  const int* begin = static_cast<const int*>(factor->pi) + supernode;
  return {static_cast<const int*>(factor->s) + begin[0], static_cast<std::size_t>(begin[1] - begin[0])};
}

EliminationPlan::EliminationPlan(const SparseMatrix& pattern, FactorCache* cache)
    : symbolic_(std::make_shared<Symbolic>(pattern, cache)) {
  const std::vector<Supernode> pieces = find_pieces();
  cut_ = rebound::sim::cut(tree_);
  lay_out(pieces);
  find_areas();
}

bool EliminationPlan::is_of(const SparseMatrix& A) const { return symbolic_->pattern.is_of(A); }

double EliminationPlan::factor_bytes() const {
  return static_cast<double>(symbolic_->factor->xsize + symbolic_->factor->maxcsize) * sizeof(double);
}

// CHOLMOD joins a separator with one of those below it where that costs it no entry. Cut into pieces they are apart
// again: each piece hangs where its own rows begin.
std::vector<Supernode> EliminationPlan::find_pieces() {
  const auto super = symbolic_->super();
  const int count = static_cast<int>(super.size()) - 1;
  std::vector<Supernode> pieces;
  std::vector<int> piece_of(static_cast<std::size_t>(super[count]));
  for (int s = 0; s < count; ++s) {
    const int width = super[s + 1] - super[s], pieces_here = (width + kWidest - 1) / kWidest;
    const int widest = ((width + pieces_here - 1) / pieces_here + kWidthStep - 1) / kWidthStep * kWidthStep;
    for (int first = 0; first < width; first += widest) {
      Supernode piece;
      piece.first = super[s] + first;
      piece.width = std::min(widest, width - first);
      piece.source = s;
      piece.source_column = first;
      piece.row_count = static_cast<int>(rows_below(piece).size());
      std::fill_n(piece_of.begin() + piece.first, piece.width, static_cast<int>(pieces.size()));
      pieces.push_back(piece);
    }
  }
  for (const Supernode& piece : pieces) {
    const auto rows = rows_below(piece);
    tree_.parent.push_back(rows.empty() ? -1 : piece_of[static_cast<std::size_t>(rows.front())]);
    tree_.width.push_back(piece.width);
    tree_.cost.push_back(solve_cost(piece.width, piece.row_count));
  }
  return pieces;
}

// In CHOLMOD's columns.
std::span<const int> EliminationPlan::rows_below(const Supernode& piece) const {
  return symbolic_->rows(piece.source).subspan(static_cast<std::size_t>(piece.source_column + piece.width));
}

void EliminationPlan::lay_out(const std::vector<Supernode>& pieces) {
  const int n = symbolic_->super().back();
  const int* vertex_of = static_cast<const int*>(symbolic_->factor->Perm);
  parts_.resize(cut_.parts.size());
  const auto part_of = [&](std::size_t piece) -> Part& {
    return cut_.owner[piece] < part_count() ? parts_[cut_.owner[piece]] : top_;
  };
  std::vector<int> index_of(n);  // CHOLMOD's column -> solver index
  for (std::size_t i = 0; i < pieces.size(); ++i) part_of(i).end += pieces[i].width;
  int next = 0;
  for (int p = 0; p <= part_count(); ++p) {
    Part& part = p < part_count() ? parts_[p] : top_;
    part.begin = std::exchange(next, next + part.end);
    part.end = part.begin;
  }
  order_.resize(n);
  position_.resize(n);
  for (std::size_t i = 0; i < pieces.size(); ++i)
    for (int column = pieces[i].first; column < pieces[i].first + pieces[i].width; ++column) {
      const int index = part_of(i).end++;
      index_of[column] = index;
      order_[index] = vertex_of[column];
      position_[vertex_of[column]] = index;
    }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    Supernode node = pieces[i];
    node.row_begin = static_cast<int>(rows_.size());
    // Ancestors keep their order, and a part comes before those above it, so the rows stay ascending.
    for (const int column : rows_below(node)) rows_.push_back(index_of[column]);
    node.first = index_of[node.first];
    part_of(i).supernodes.push_back(node);
  }
}

// A part touches what its supernodes touch and what the parts below it do.
void EliminationPlan::find_areas() {
  slots_ = vertices();
  for (int p = 0; p < part_count(); ++p) {
    Part& part = parts_[p];
    part.stage = cut_.parts[p].stage;
    part.parent = cut_.parts[p].parent;
    (part.parent < 0 ? top_ : parts_[part.parent]).children.push_back(p);
    std::vector<int>& above = part.above;
    const auto touch = [&](std::span<const int> rows) {
      std::copy_if(rows.begin(), rows.end(), std::back_inserter(above), [&](int row) { return row >= part.end; });
    };
    for (const Supernode& node : part.supernodes) touch(rows().subspan(node.row_begin, node.row_count));
    for (const int child : part.children) touch(parts_[child].above);
    std::sort(above.begin(), above.end());
    above.erase(std::unique(above.begin(), above.end()), above.end());
    part.area = slots_;
    slots_ += part.area_size();
  }
  for (Part& part : parts_) {
    const Part& parent = part.parent < 0 ? top_ : parts_[part.parent];
    for (const int vertex : part.above) part.up.push_back(parent.slot(vertex));
  }
}

int EliminationPlan::Place::slot(int vertex) const {
  if (begin <= vertex && vertex < end) return vertex;
  return area + static_cast<int>(std::lower_bound(above.begin(), above.end(), vertex) - above.begin());
}

}  // namespace rebound::sim
