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
// Entries that are read sooner by one thread than a second one is woken and waited for.
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
      slots_(plan.vertices() + plan.top().size()),
      top_begin_(plan.top().begin),
      top_size_(plan.top().size()),
      second_begin_(plan.part(1).begin),
      top_right_hand_side_(std::size_t(kQuad) * plan.top().size()) {
  std::size_t tasks = EliminationPlan::kParts;
  int quads = 0;
  for (const InverseStore::Part& part : store_.parts())
    for (const InverseBlock& block : part.blocks) quads = std::max(quads, block.quads());
  tasks = std::max(tasks, store_.top().blocks.size());
  block_of_slot_.resize(static_cast<std::size_t>(top_begin_));
  for (int part = 0; part < EliminationPlan::kParts; ++part)
    for (std::size_t i = 0; i < store_.part(part).blocks.size(); ++i) {
      const InverseBlock& block = store_.part(part).blocks[i];
      std::fill_n(block_of_slot_.begin() + block.first, block.own_rows, static_cast<int>(i));
    }
  sums_stride_ = sums_size(quads);
  sums_ = AlignedBuffer<float>(tasks * sums_stride_);
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
  const std::string name = "inverse-" + Fingerprint()
                                            .add(std::span(instructions))
                                            .add(plan.order())
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
  AlignedBuffer<float> x(std::size_t(kQuad) * slots_);
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

  AlignedBuffer<float> x(std::size_t(kQuad) * slots_);
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

std::size_t BlockInverse::bytes_moved() const {
  std::size_t sum = bytes();
  for (const InverseStore::Part& part : store_.parts())
    for (const InverseBlock& block : part.blocks)
      sum += std::size_t(kQuad) * block.coupling_quads * block.columns * part.entry_size();
  constexpr std::size_t kReadAndWritten = 2, kDirections = 2;
  return sum + kReadAndWritten * kDirections * sizeof(float) * kQuad * static_cast<std::size_t>(slots_);
}

InverseBlocks BlockInverse::view(const InverseStore::Part& part, float* sums) const {
  return {part.blocks.data(), static_cast<int>(part.blocks.size()),
          part.matrix.data(), part.roots.data(),
          part.rows.data(),   sums};
}

void BlockInverse::forward(int part, float* b) const {
  loops().forward(view(store_.part(part), sums_.data() + part * sums_stride_), b);
}

void BlockInverse::backward(int part, float* b) const {
  loops().backward(view(store_.part(part), sums_.data() + part * sums_stride_), b);
}

InversePaths BlockInverse::paths(std::span<const int> slots) const {
  std::vector<char> reached[EliminationPlan::kParts];
  for (int part = 0; part < EliminationPlan::kParts; ++part) reached[part].resize(store_.part(part).blocks.size());
  for (int slot : slots) {
    const int part = slot < second_begin_ ? 0 : 1;
    const InverseStore::Part& own = store_.part(part);
    while (slot < top_begin_) {
      const int i = block_of_slot_[static_cast<std::size_t>(slot)];
      if (reached[part][i]) break;
      reached[part][i] = true;
      const InverseBlock& block = own.blocks[i];
      if (block.coupling_quads == 0) break;
      // The first of the rows below a block is of its parent.
      slot = own.rows[block.row_begin];
    }
  }
  InversePaths paths;
  for (int part = 0; part < EliminationPlan::kParts; ++part)
    for (std::size_t i = 0; i < reached[part].size(); ++i) {
      if (!reached[part][i]) continue;
      const InverseBlock& block = store_.part(part).blocks[i];
      paths.blocks[part].push_back(block);
      paths.ranges.emplace_back(block.first, block.first + block.own_rows);
    }
  paths.ranges.emplace_back(top_begin_, slots_);
  return paths;
}

InverseBlocks BlockInverse::view(const InversePaths& paths, int part) const {
  InverseBlocks blocks = view(store_.part(part), sums_.data() + part * sums_stride_);
  blocks.blocks = paths.blocks[part].data();
  blocks.count = static_cast<int>(paths.blocks[part].size());
  return blocks;
}

void BlockInverse::forward(const InversePaths& paths, float* b) const {
  for (int part = 0; part < EliminationPlan::kParts; ++part) loops().forward(view(paths, part), b);
}

void BlockInverse::backward(const InversePaths& paths, float* b) const {
  for (int part = 0; part < EliminationPlan::kParts; ++part) loops().backward(view(paths, part), b);
}

void BlockInverse::solve_top(float* b, Workers* workers) const {
  if (top_size_ == 0) return;
  float* top = b + std::size_t(kQuad) * top_begin_;
  float* spare = top + std::size_t(kQuad) * top_size_;
  float* sum = top_right_hand_side_.data();
  for (int i = 0; i < kQuad * top_size_; ++i) sum[i] = top[i] + spare[i];
  const auto apply = [&](int task) {
    const InverseBlocks all = view(store_.top(), sums_.data() + task * sums_stride_);
    kernel_->apply(all, all.blocks[task], sum, b);
  };
  const int tasks = static_cast<int>(store_.top().blocks.size());
  if (workers != nullptr) {
    workers->run(tasks, apply);
  } else {
    for (int task = 0; task < tasks; ++task) apply(task);
  }
  std::memcpy(spare, top, sizeof(float) * kQuad * top_size_);
}

void BlockInverse::solve_with(float* b, Workers* workers) const {
  std::fill_n(b + std::size_t(kQuad) * (top_begin_ + top_size_), kQuad * top_size_, 0.0f);
  if (workers == nullptr || nonzeros() < kSerialEntries) {
    forward(0, b);
    forward(1, b);
    solve_top(b, nullptr);
    backward(0, b);
    backward(1, b);
    return;
  }
  workers->run(EliminationPlan::kParts, [&](int part) { forward(part, b); });
  solve_top(b, workers);
  workers->run(EliminationPlan::kParts, [&](int part) { backward(part, b); });
}

void BlockInverse::solve(float* b, Workers& workers) const { solve_with(b, &workers); }

}  // namespace rebound::sim
