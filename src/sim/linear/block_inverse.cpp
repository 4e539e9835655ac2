#include "sim/linear/block_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <random>
#include <string>
#include <string_view>

#include "sim/base/memory.hpp"

namespace rebound::sim {
namespace {

// Above this error of a half-precision solve, floats are stored.
constexpr double kHalfError = 1e-3;
// Above this error of a single-precision solve, an iteration with it would be slow or wrong.
constexpr double kLargestError = 1e-2;
// What the double-precision factor itself may miss by; CHOLMOD reports success on hopeless conditioning.
constexpr double kLargestResidual = 1e-8;
// Above this share of what was added up to it, A times a column misses a unit vector by more than rounding: halves are
// good to 5e-4. Of a stiff A, whose terms cancel, the sum itself may be far from a unit vector.
constexpr double kLargestMiss = 0.01;
// Of fewer entries, a second thread is not woken and waited for.
constexpr std::size_t kSerialEntries = 60'000;

// Every vertex weighted by sqrt(A_ii): without unit, and alike for light and heavy bodies.
struct TestProblem {
  TestProblem(const SparseMatrix& A, NumericFactor& L) : weight(A.diagonal().cwiseSqrt()), b(A.rows()) {
    for (Eigen::Index i = 0; i < b.size(); ++i) b[i] = weight[i] * std::sin(0.37 * static_cast<double>(i + 1));
    x = L.solve(b);
    residual = (A.selfadjointView<Eigen::Lower>() * x - b).norm() / b.norm();
  }

  Vector weight, b, x;
  double residual;
};

/// What comes before the store's numbers in a cache.
struct Head {
  std::uint64_t half;
  double error;
};

/// |A| |x|, of the lower triangle A.
Vector sums_of_terms(const SparseMatrix& A, const Vector& x) {
  Vector sums = Vector::Zero(A.rows());
  for (Eigen::Index c = 0; c < A.outerSize(); ++c)
    for (SparseMatrix::InnerIterator entry(A, c); entry; ++entry) {
      sums[entry.row()] += std::abs(entry.value() * x[c]);
      if (entry.row() != c) sums[c] += std::abs(entry.value() * x[entry.row()]);
    }
  return sums;
}

// x, y and z are multiples of the same right-hand side.
constexpr double kMultiple[3] = {1, -0.5, 0.25};

}  // namespace

BlockInverse::BlockInverse(const EliminationPlan& plan, const InverseKernel& kernel)
    : kernel_(&kernel),
      store_(plan),
      tree_(&plan.tree()),
      top_right_hand_side_(std::size_t(kQuad) * static_cast<std::size_t>(plan.top().size())) {
  int quads = 0;
  for (const InverseStore::Part& part : store_.parts())
    for (const InverseBlock& block : part.blocks) quads = std::max(quads, block.quads());
  block_of_slot_.resize(static_cast<std::size_t>(plan.top().begin));
  for (int part = 0; part < tree_->top_index(); ++part)
    for (std::size_t i = 0; i < store_.part(part).blocks.size(); ++i) {
      const InverseBlock& block = store_.part(part).blocks[i];
      std::fill_n(block_of_slot_.begin() + block.first, block.own_rows, static_cast<int>(i));
    }
  sums_stride_ = sums_size(quads);
  const std::size_t at_once = std::max<std::size_t>(static_cast<std::size_t>(tree_->count()), store_.top().blocks.size());
  sums_ = AlignedBuffer<float>(at_once * sums_stride_);
}

BlockInverse::BlockInverse(const EliminationPlan& plan, const SparseMatrix& A, Workers* workers, Precision precision,
                           const InverseKernel& kernel)
    : BlockInverse(plan, kernel) {
  make(plan, A, workers, precision);
}

BlockInverse::BlockInverse(const EliminationPlan& plan, const SparseMatrix& A, Workers& workers, FactorCache* cache)
    : BlockInverse(plan, inverse_kernel()) {
  if (cache == nullptr || plan.vertices() < FactorCache::kFewestRows) {
    make(plan, A, &workers, Precision::automatic);
    return;
  }
  const std::string_view instructions = kernel_->instruction_set;
  std::vector<int> ends;  // of the parts, by which numbers are laid out
  for (int part = 0; part < tree_->count(); ++part) ends.push_back(tree_->part(part).end);
  const std::string name = "inverse-" + Fingerprint()
                                            .add(std::span(instructions))
                                            .add(plan.order())
                                            .add(std::span<const int>(ends))
                                            .add(std::span(A.outerIndexPtr(), static_cast<std::size_t>(A.cols()) + 1))
                                            .add(std::span(A.innerIndexPtr(), A.nonZeros()))
                                            .add(std::span(A.valuePtr(), A.nonZeros()))
                                            .name();
  if (take_over(cache->find(name)) && inverts(plan, A, workers)) return;
  make(plan, A, &workers, Precision::automatic);
  if (ok_) keep_in(*cache, name);
}

void BlockInverse::keep_in(FactorCache& cache, const std::string& name) const {
  try {
    std::vector<std::byte> bytes(sizeof(Head));
    const Head head{half_, error_};
    std::memcpy(bytes.data(), &head, sizeof head);
    store_.append_to(bytes);
    cache.keep(name, bytes);
  } catch (const std::bad_alloc&) {
    // It is made again, then.
  }
}

// A times a column of the inverse is a unit vector: three columns, chosen anew every time, and every vertex weighted as
// in the test problem. What is kept under the right name may still be of no use.
bool BlockInverse::inverts(const EliminationPlan& plan, const SparseMatrix& A, Workers& workers) const {
  const Vector weight = A.diagonal().cwiseSqrt();
  AlignedBuffer<float> x(std::size_t(kQuad) * static_cast<std::size_t>(slots()));
  std::random_device random;
  std::uniform_int_distribution<int> any(0, plan.vertices() - 1);
  int column[3];
  for (int k = 0; k < 3; ++k) {
    column[k] = any(random);
    x[kQuad * column[k] + k] = static_cast<float>(weight[plan.order()[column[k]]]);
  }
  solve_with(x.data(), &workers);
  Vector inverse(plan.vertices());
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < plan.vertices(); ++i) inverse[plan.order()[i]] = x[kQuad * i + k];
    Vector unit = (A.selfadjointView<Eigen::Lower>() * inverse).cwiseQuotient(weight);
    unit[plan.order()[column[k]]] -= 1;
    const double terms = sums_of_terms(A, inverse).cwiseQuotient(weight).norm();
    if (!(unit.norm() < kLargestMiss * (1 + terms))) return false;
  }
  return true;
}

bool BlockInverse::take_over(std::span<const std::byte> kept) {
  Head head;
  if (kept.size() < sizeof head) return false;
  std::memcpy(&head, kept.data(), sizeof head);
  if (head.half && kernel_->half.store_tile == nullptr) return false;
  if (head.half > 1 || !(head.error >= 0 && head.error < kLargestError)) return false;
  half_ = head.half != 0;
  error_ = head.error;
  ok_ = store_.read_from(kept.subspan(sizeof head), *kernel_, half_);
  return ok_;
}

void BlockInverse::make(const EliminationPlan& plan, const SparseMatrix& A, Workers* workers, Precision precision) {
  ok_ = false;
  const BlasRoom room;
  require_memory(plan.factor_bytes() + store_.conversion_bytes(),
                 "the factor, with its block inverse, of a system with " + std::to_string(plan.vertices()) + " vertices");
  NumericFactor L(plan, A);
  if (!L.ok()) return;
  const TestProblem test(A, L);
  if (!(test.residual < kLargestResidual)) return;

  AlignedBuffer<float> x(std::size_t(kQuad) * static_cast<std::size_t>(slots()));
  const auto measure_error = [&] {
    for (int i = 0; i < plan.vertices(); ++i)
      for (int k = 0; k < 3; ++k) x[kQuad * i + k] = static_cast<float>(kMultiple[k] * test.b[plan.order()[i]]);
    solve_with(x.data(), workers);
    double wrong = 0, all = 0;
    for (int i = 0; i < plan.vertices(); ++i)
      for (int k = 0; k < 3; ++k) {
        const int vertex = plan.order()[i];
        const double expected = test.weight[vertex] * kMultiple[k] * test.x[vertex];
        const double error = test.weight[vertex] * x[kQuad * i + k] - expected;
        wrong += error * error;
        all += expected * expected;
      }
    return std::sqrt(wrong / all);
  };
  half_ = precision == Precision::automatic && kernel_->half.store_tile != nullptr;
  if (half_) {
    half_ = store_.convert(plan, L, *kernel_, true, workers);
    if (half_) error_ = measure_error();
    half_ = half_ && error_ < kHalfError;
  }
  if (half_) {
    ok_ = true;
  } else if (store_.convert(plan, L, *kernel_, false, workers)) {
    error_ = measure_error();
    ok_ = error_ < kLargestError;
  }
}

std::size_t BlockInverse::nonzeros() const {
  std::size_t sum = 0;
  for (const InverseStore::Part& part : store_.parts()) sum += part.entries + part.root_entries;
  return sum;
}

std::size_t BlockInverse::bytes() const {
  std::size_t sum = 0;
  for (const InverseStore::Part& part : store_.parts()) sum += part.bytes();
  return sum;
}

std::size_t BlockInverse::forward_bytes(int part) const { return store_.part(part).bytes(); }

std::size_t BlockInverse::backward_bytes(int part) const {
  const InverseStore::Part& own = store_.part(part);
  std::size_t sum = 0;
  for (const InverseBlock& block : own.blocks)
    sum += std::size_t(kQuad) * static_cast<std::size_t>(block.coupling_quads * block.columns) * own.entry_size();
  return sum;
}

std::size_t BlockInverse::bytes_moved() const {
  std::size_t sum = 0;
  for (int part = 0; part < tree_->count(); ++part) sum += forward_bytes(part) + backward_bytes(part);
  constexpr std::size_t kReadAndWritten = 2, kDirections = 2;
  return sum + kReadAndWritten * kDirections * sizeof(float) * kQuad * static_cast<std::size_t>(slots());
}

InverseBlocks BlockInverse::view(const InverseStore::Part& part, float* sums) const {
  return {part.blocks.data(), static_cast<int>(part.blocks.size()),
          part.matrix.data(), part.roots.data(),
          part.rows.data(),   sums};
}

InverseBlocks BlockInverse::view(int part) const {
  return view(store_.part(part), sums_.data() + static_cast<std::size_t>(part) * sums_stride_);
}

void BlockInverse::forward(int part, float* b, float* before) const { loops().forward(view(part), b, before); }

void BlockInverse::backward(int part, float* b) const { loops().backward(view(part), b); }

InversePaths BlockInverse::paths(std::span<const int> slots) const {
  std::vector<std::vector<char>> reached(static_cast<std::size_t>(tree_->top_index()));
  for (int slot : slots)
    while (slot < tree_->top().begin) {
      const int part = tree_->owner(slot);
      const InverseStore::Part& own = store_.part(part);
      auto& seen = reached[static_cast<std::size_t>(part)];
      seen.resize(own.blocks.size());
      const auto i = static_cast<std::size_t>(block_of_slot_[static_cast<std::size_t>(slot)]);
      if (seen[i]) break;
      seen[i] = 1;
      const InverseBlock& block = own.blocks[i];
      if (block.coupling_quads == 0) break;
      // The first of the rows below a block is of its parent.
      slot = tree_->vertex(part, own.rows[static_cast<std::size_t>(block.row_begin)]);
    }
  InversePaths paths;
  for (int part = 0; part < tree_->top_index(); ++part) {
    const auto& seen = reached[static_cast<std::size_t>(part)];
    if (seen.empty()) continue;
    InversePaths::Part path{part, {}};
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (!seen[i]) continue;
      const InverseBlock& block = store_.part(part).blocks[i];
      path.blocks.push_back(block);
      paths.ranges.emplace_back(block.first, block.first + block.own_rows);
    }
    const PartTree::Part& own = tree_->part(part);
    paths.ranges.emplace_back(own.halo_slot, own.halo_slot + static_cast<int>(own.halo.size()));
    paths.parts.push_back(std::move(path));
  }
  paths.ranges.emplace_back(tree_->top().begin, tree_->top().end);
  return paths;
}

InverseBlocks BlockInverse::view(const InversePaths::Part& path) const {
  InverseBlocks blocks = view(path.index);
  blocks.blocks = path.blocks.data();
  blocks.count = static_cast<int>(path.blocks.size());
  return blocks;
}

void BlockInverse::forward(const InversePaths& paths, float* b) const {
  for (const InversePaths::Part& path : paths.parts) {
    tree_->collect(path.index, b);
    loops().forward(view(path), b, nullptr);
  }
  tree_->collect(tree_->top_index(), b);
}

void BlockInverse::backward(const InversePaths& paths, float* b) const {
  for (auto path = paths.parts.rbegin(); path != paths.parts.rend(); ++path) {
    tree_->take(path->index, b);
    loops().backward(view(*path), b);
  }
}

void BlockInverse::solve_top(float* b, Workers* workers) const {
  const int size = tree_->top().size();
  if (size == 0) return;
  float* right = top_right_hand_side_.data();
  std::memcpy(right, b + std::size_t(kQuad) * static_cast<std::size_t>(tree_->top().begin),
              sizeof(float) * kQuad * static_cast<std::size_t>(size));
  const auto apply = [&](int task) {
    const InverseBlocks all = view(store_.top(), sums_.data() + static_cast<std::size_t>(task) * sums_stride_);
    kernel_->apply(all, all.blocks[task], right, b);
  };
  const int tasks = static_cast<int>(store_.top().blocks.size());
  if (workers != nullptr) {
    workers->run(tasks, apply);
  } else {
    for (int task = 0; task < tasks; ++task) apply(task);
  }
}

void BlockInverse::solve_with(float* b, Workers* workers) const {
  const auto up = [&](int part) {
    tree_->clear_halo(part, b);
    tree_->collect(part, b);
    forward(part, b);
  };
  const auto down = [&](int part) {
    tree_->take(part, b);
    backward(part, b);
  };
  // Small ones are sooner done by one thread than a second one is woken and waited for.
  Workers alone(1);
  Workers& helping = workers == nullptr || nonzeros() < kSerialEntries ? alone : *workers;
  tree_->upward(helping, up);
  tree_->collect(tree_->top_index(), b);
  solve_top(b, &helping);
  tree_->downward(helping, down);
}

void BlockInverse::solve(float* b, Workers& workers) const { solve_with(b, &workers); }

}  // namespace rebound::sim
