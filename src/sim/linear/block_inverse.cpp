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
// The same of one direction on paths, within a step, where the second one is awake.
constexpr std::size_t kSerialPath = 20'000;

// Every vertex weighted by sqrt(A_ii): without unit, and alike for light and heavy bodies.
struct TestProblem {
  TestProblem(const SparseMatrix& A, const NumericFactor& L, Workers* workers)
      : weight(A.diagonal().cwiseSqrt()), b(A.rows()) {
    for (Eigen::Index i = 0; i < b.size(); ++i) b[i] = weight[i] * std::sin(0.37 * static_cast<double>(i + 1));
    x = L.solve(b, workers);
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

void add_slot(float* to, const float* from) {
  for (int k = 0; k < kQuad; ++k) to[k] += from[k];
}

// x, y and z are multiples of the same right-hand side.
constexpr double kMultiple[3] = {1, -0.5, 0.25};

}  // namespace

BlockInverse::BlockInverse(const EliminationPlan& plan, const InverseKernel& kernel)
    : kernel_(&kernel),
      store_(plan),
      slots_(plan.slots()),
      block_of_slot_(static_cast<std::size_t>(plan.top().begin)),
      top_right_hand_side_(std::size_t(kQuad) * plan.top().size()) {
  int quads = 0;
  for (int p = 0; p < plan.part_count(); ++p) {
    places_.push_back(plan.part(p));
    if (p == 0 || plan.part(p).stage != plan.part(p - 1).stage) stages_.emplace_back(p, p);
    stages_.back().second = p + 1;
    const auto& blocks = store_.part(p).blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i)
      std::fill_n(block_of_slot_.begin() + blocks[i].first, blocks[i].own_rows, static_cast<int>(i));
  }
  places_.push_back(plan.top());
  for (const InverseStore::Part& part : store_.parts())
    for (const InverseBlock& block : part.blocks) quads = std::max(quads, block.quads());
  sums_stride_ = sums_size(quads);
  sums_ = AlignedBuffer<float>(std::max(store_.parts().size(), store_.top().blocks.size()) * sums_stride_);
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
  // The order is the plan's, which lies otherwise where it is cut otherwise.
  const std::string name = "inverse-" + Fingerprint()
                                            .add(std::span(instructions))
                                            .add(plan.order())
                                            .add(std::span(plan.cut().owner))
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
  require_memory(
      plan.factor_bytes() + store_.conversion_bytes(),
      "the factor, with its block inverse, of a system with " + std::to_string(plan.vertices()) + " vertices");
  const auto pause = [&] {
    if (workers != nullptr) workers->pause();
  };
  pause();
  const NumericFactor L(plan, A, workers);
  if (!L.ok()) return;
  pause();
  const TestProblem test(A, L, workers);
  if (!(test.residual < kLargestResidual)) return;
  pause();

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
  return {part.blocks.data(), static_cast<int>(part.blocks.size()), part.matrix, part.roots, part.rows.data(), sums};
}

void BlockInverse::add_children(int part, float* b) const {
  for (const int child : places_[part].children) {
    const Place& from = places_[child];
    for (std::size_t i = 0; i < from.up.size(); ++i)
      add_slot(b + kQuad * static_cast<std::size_t>(from.up[i]), b + kQuad * (from.area + i));
  }
}

void BlockInverse::fill_children(int part, float* b) const {
  for (const int child : places_[part].children) {
    const Place& to = places_[child];
    for (std::size_t i = 0; i < to.up.size(); ++i)
      std::memcpy(b + kQuad * (to.area + i), b + kQuad * static_cast<std::size_t>(to.up[i]), kQuad * sizeof(float));
  }
}

void BlockInverse::forward(int part, float* b) const {
  add_children(part, b);
  loops().forward(view(part), b);
}

void BlockInverse::backward(int part, float* b) const {
  loops().backward(view(part), b);
  fill_children(part, b);
}

void BlockInverse::forward(float* b, Workers& workers) const {
  each_upwards(workers, [&](int part) { forward(part, b); });
}

void BlockInverse::forward_joints(float* b, Workers& workers) const {
  each_upwards(
      workers, [&](int part) { forward(part, b); }, 1);
}

void BlockInverse::backward(float* b, Workers& workers) const {
  each_downwards(workers, [&](int part) { backward(part, b); });
}

InversePaths BlockInverse::paths(std::span<const int> slots) const {
  std::vector<std::vector<char>> reached(places_.size());
  for (int slot : slots) {
    while (slot < top().begin) {
      const auto part = static_cast<std::size_t>(part_of(slot));
      const InverseStore::Part& own = store_.part(static_cast<int>(part));
      // What leaves a part goes by the areas of all above it.
      for (int p = static_cast<int>(part); p >= 0; p = places_[p].parent)
        reached[p].resize(store_.part(p).blocks.size());
      const int i = block_of_slot_[static_cast<std::size_t>(slot)];
      if (reached[part][i]) break;
      reached[part][i] = true;
      const InverseBlock& block = own.blocks[i];
      if (block.coupling_quads == 0) break;
      // The first of the rows below a block is of its parent.
      slot = own.rows[block.row_begin];
      if (slot >= places_[part].area) slot = places_[part].above[slot - places_[part].area];
    }
  }
  InversePaths paths;
  for (const auto& [begin, end] : stages_) {
    const int before = static_cast<int>(paths.parts.size());
    for (int part = begin; part < end; ++part) {
      if (reached[part].empty()) continue;
      paths.parts.push_back(part);
      auto& blocks = paths.blocks.emplace_back();
      for (std::size_t i = 0; i < reached[part].size(); ++i) {
        if (!reached[part][i]) continue;
        const InverseBlock& block = blocks.emplace_back(store_.part(part).blocks[i]);
        paths.ranges.emplace_back(block.first, block.first + block.own_rows);
        paths.entries += block.entries();
      }
      add_areas(part, paths);
    }
    if (const int after = static_cast<int>(paths.parts.size()); after > before)
      paths.stages.emplace_back(before, after);
  }
  add_areas(part_count(), paths);
  paths.ranges.emplace_back(top().begin, top().end);
  return paths;
}

// Of all children: those off the paths are filled too, and must be cleared.
void BlockInverse::add_areas(int part, InversePaths& paths) const {
  for (const int child : places_[part].children) {
    const Place& place = places_[child];
    paths.ranges.emplace_back(place.area, place.area + place.area_size());
  }
}

int BlockInverse::part_of(int slot) const {
  const auto after =
      std::upper_bound(places_.begin(), places_.end(), slot, [](int s, const Place& place) { return s < place.begin; });
  return static_cast<int>(after - places_.begin()) - 1;
}

InverseBlocks BlockInverse::view(const InversePaths& paths, std::size_t k) const {
  InverseBlocks blocks = view(paths.parts[k]);
  blocks.blocks = paths.blocks[k].data();
  blocks.count = static_cast<int>(paths.blocks[k].size());
  return blocks;
}

void BlockInverse::forward(const InversePaths& paths, float* b, Workers& workers) const {
  const auto visit = [&](std::size_t k) {
    add_children(paths.parts[k], b);
    loops().forward(view(paths, k), b);
  };
  if (paths.entries < kSerialPath) {
    for (std::size_t k = 0; k < paths.parts.size(); ++k) visit(k);
    return;
  }
  for (const auto& [begin, end] : paths.stages)
    workers.run(end - begin, [&, first = begin](int i) { visit(static_cast<std::size_t>(first + i)); });
}

void BlockInverse::backward(const InversePaths& paths, float* b, Workers& workers) const {
  const auto visit = [&](std::size_t k) {
    loops().backward(view(paths, k), b);
    fill_children(paths.parts[k], b);
  };
  if (paths.entries < kSerialPath) {
    for (std::size_t k = paths.parts.size(); k-- > 0;) visit(k);
    return;
  }
  for (std::size_t stage = paths.stages.size(); stage-- > 0;) {
    const auto [begin, end] = paths.stages[stage];
    workers.run(end - begin, [&, first = begin](int i) { visit(static_cast<std::size_t>(first + i)); });
  }
}

void BlockInverse::solve_top(float* b, Workers* workers) const {
  const int top_part = part_count(), size = top().size();
  if (size == 0) return;
  add_children(top_part, b);
  float* sum = top_right_hand_side_.data();
  std::memcpy(sum, b + std::size_t(kQuad) * top().begin, sizeof(float) * kQuad * size);
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
  fill_children(top_part, b);
}

void BlockInverse::solve_with(float* b, Workers* workers) const {
  std::fill(b + std::size_t(kQuad) * top().end, b + std::size_t(kQuad) * slots_, 0.0f);
  if (workers == nullptr || nonzeros() < kSerialEntries) {
    for (int part = 0; part < part_count(); ++part) forward(part, b);
    solve_top(b, nullptr);
    for (int part = part_count(); part-- > 0;) backward(part, b);
    return;
  }
  forward(b, *workers);
  solve_top(b, workers);
  backward(b, *workers);
}

void BlockInverse::solve(float* b, Workers& workers) const { solve_with(b, &workers); }

}  // namespace rebound::sim
