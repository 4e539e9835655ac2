#include "sim/linear/block_inverse_store.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/base/run_tasks.hpp"
#include "sim/linear/cholmod_support.hpp"
#include "sim/linear/dense_blas.hpp"

namespace rebound::sim {
namespace {

// IEEE half ends at 65,504.
constexpr double kLargestHalf = 6e4;
constexpr double kLargestFloat = 1e30;
// The largest entry of S is brought to between 2^13 and 2^14: 28 binary orders below it are normal halves.
constexpr int kScaledExponent = 14;
// Rows of the top's inverse a task: two tasks for a narrow top, and few enough that each b is read seldom.
constexpr int kMostTopRows = 256;
// Of the top's inverse a task, and of a part: a thread that works between frames is asked after each whether there is
// time for another.
constexpr int kTopColumns = 16;
constexpr std::size_t kEntriesATask = 20'000;

std::size_t whole_lines(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
int padded(int rows) { return (rows + kQuad - 1) / kQuad * kQuad; }

}  // namespace

InverseStore::InverseStore(const EliminationPlan& plan) : parts_(static_cast<std::size_t>(plan.part_count()) + 1) {
  for (int p = 0; p < plan.part_count(); ++p) lay_out_part(plan, plan.part(p), parts_[p]);
  lay_out_top(plan);
}

void InverseStore::lay_out_part(const EliminationPlan& plan, const EliminationPlan::Part& from, Part& part) {
  for (const Supernode& node : from.supernodes) {
    InverseBlock block;
    block.matrix = node.row_count > 0 ? part.entries : part.root_entries;
    block.row_begin = static_cast<int>(part.rows.size());
    block.coupling_quads = padded(node.row_count) / kQuad;
    block.own_rows = block.columns = node.width;
    block.first = node.first;
    for (int i = 0; i < padded(node.row_count); ++i)
      part.rows.push_back(from.slot(plan.rows()[node.row_begin + i % node.row_count]));
    (node.row_count > 0 ? part.entries : part.root_entries) += block.entries();
    part.blocks.push_back(block);
  }
}

void InverseStore::lay_out_top(const EliminationPlan& plan) {
  const int size = plan.top().size();
  Part& top = parts_.back();
  const int tasks = 2 * ((size + 2 * kMostTopRows - 1) / (2 * kMostTopRows));
  const int rows = tasks == 0 ? 0 : ((size + tasks - 1) / tasks + kPanel - 1) / kPanel * kPanel;
  for (int first = 0; first < size; first += rows) {
    InverseBlock block;
    block.matrix = top.root_entries;
    block.own_rows = std::min(rows, size - first);
    block.first = plan.top().begin + first;
    block.columns = size;
    top.root_entries += block.entries();
    top.blocks.push_back(block);
  }
}

void InverseStore::allocate(const InverseKernel& kernel, bool half) {
  kernel_ = &kernel;
  std::size_t bytes = 0, roots = 0;
  const auto room = [&](std::size_t entries, std::size_t size) { return whole_lines((entries + kSlack) * size); };
  for (Part& part : parts_) {
    part.half = half;
    bytes += room(part.entries, part.entry_size());
    roots += room(part.root_entries, sizeof(float)) / sizeof(float);
  }
  matrices_ = AlignedBuffer<std::byte>(bytes, Unset{});
  roots_ = AlignedBuffer<float>(roots, Unset{});
  bytes = roots = 0;
  for (Part& part : parts_) {
    part.matrix = matrices_.data() + bytes;
    part.roots = roots_.data() + roots;
    bytes += room(part.entries, part.entry_size());
    roots += room(part.root_entries, sizeof(float)) / sizeof(float);
    // What loops read past the last entry, and make no use of.
    std::fill(part.matrix + part.entries * part.entry_size(), matrices_.data() + bytes, std::byte{0});
    std::fill(part.roots + part.root_entries, roots_.data() + roots, 0.0f);
  }
}

double InverseStore::conversion_bytes() const {
  double entries = 0;
  for (const Part& part : parts_) entries += static_cast<double>(part.entries + part.root_entries);
  // The top's triangle and its inverse, in double precision.
  const double size = top().blocks.empty() ? 0 : top().blocks.front().columns;
  return entries * sizeof(float) + 2 * size * size * sizeof(double);
}

void InverseStore::append_to(std::vector<std::byte>& bytes) const {
  const auto append = [&](auto values) {
    const auto from = std::as_bytes(values);
    bytes.insert(bytes.end(), from.begin(), from.end());
  };
  for (const Part& part : parts_) {
    for (const InverseBlock& block : part.blocks) append(std::span(&block.scale, 1));
    append(std::span(part.matrix, part.entries * part.entry_size()));
    append(std::span(part.roots, part.root_entries));
  }
}

bool InverseStore::read_from(std::span<const std::byte> bytes, const InverseKernel& kernel, bool half) {
  allocate(kernel, half);
  const auto read = [&](void* to, std::size_t size) {
    if (bytes.size() < size) return false;
    if (size > 0) std::memcpy(to, bytes.data(), size);
    bytes = bytes.subspan(size);
    return true;
  };
  for (Part& part : parts_) {
    for (InverseBlock& block : part.blocks)
      if (!read(&block.scale, sizeof block.scale)) return false;
    if (!read(part.matrix, part.entries * part.entry_size())) return false;
    if (!read(part.roots, part.root_entries * sizeof(float))) return false;
  }
  return bytes.empty();
}

bool InverseStore::convert(const EliminationPlan& plan, const NumericFactor& L, const InverseKernel& kernel, bool half,
                           Workers* workers) {
  allocate(kernel, half);
  const BlasRoom room(workers != nullptr ? workers->threads() : 1);
  if (workers != nullptr && room.threads() < workers->threads()) workers = nullptr;
  struct Task {
    int part;
    std::size_t begin, end;  ///< blocks
    bool good = true;
  };
  std::vector<Task> tasks;
  for (int p = 0; p < plan.part_count(); ++p) {
    const auto& blocks = parts_[static_cast<std::size_t>(p)].blocks;
    for (std::size_t b = 0, entries = 0; b < blocks.size(); entries += blocks[b].entries(), ++b) {
      if (b == 0 || entries >= kEntriesATask) tasks.push_back({p, b, b}), entries = 0;
      tasks.back().end = b + 1;
    }
  }
  run_tasks(workers, static_cast<int>(tasks.size()), [&](int i) {
    Task& task = tasks[static_cast<std::size_t>(i)];
    Part& part = parts_[static_cast<std::size_t>(task.part)];
    for (std::size_t b = task.begin; b < task.end && task.good; ++b)
      task.good = convert_block(L, plan.part(task.part).supernodes[b], part, part.blocks[b]);
  });
  if (!std::ranges::all_of(tasks, &Task::good)) return false;
  convert_top(plan, L, workers);
  return true;
}

bool InverseStore::convert_block(const NumericFactor& L, const Supernode& node, Part& part, InverseBlock& block) {
  const auto diagonal = L.diagonal(node);
  const int width = node.width, stride = static_cast<int>(diagonal.outerStride());
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(width, width), S(width, width);
  divide_left(Transposed::no, width, width, 1, diagonal.data(), stride, inverse.data(), width);
  square(Transposed::yes, width, width, 1, inverse.data(), width, 0, S.data(), width);
  S.triangularView<Eigen::StrictlyUpper>() = S.transpose();
  Eigen::MatrixXd H = L.below(node);
  divide_right(Transposed::no, node.row_count, width, -1, diagonal.data(), stride, H.data(), node.row_count);
  const double largest = H.size() > 0 ? H.cwiseAbs().maxCoeff() : 0.0;
  if (!(largest <= (part.half ? kLargestHalf : kLargestFloat))) return false;
  store(H, S, part, block);
  return true;
}

// The top's rows are dense below the diagonal as far as the inverse goes, so its supernodes are put into one triangle.
// Column block by column block: L^-T L^-1 E, of which only the rows from the diagonal on are computed.
void InverseStore::convert_top(const EliminationPlan& plan, const NumericFactor& L, Workers* workers) {
  const int size = plan.top().size(), begin = plan.top().begin;
  Eigen::MatrixXd triangle = Eigen::MatrixXd::Zero(size, size), inverse(size, size);
  for (const Supernode& node : plan.top().supernodes) {
    const auto below = L.below(node);
    const int first = node.first - begin;
    triangle.block(first, first, node.width, node.width) = L.diagonal(node).triangularView<Eigen::Lower>();
    for (int r = 0; r < node.row_count; ++r)
      triangle.row(plan.rows()[node.row_begin + r] - begin).segment(first, node.width) = below.row(r);
  }
  run_tasks(workers, (size + kTopColumns - 1) / kTopColumns, [&](int task) {
    const int first = task * kTopColumns, rest = size - first, columns = std::min(kTopColumns, rest);
    Eigen::MatrixXd X = Eigen::MatrixXd::Identity(rest, columns);
    for (const Transposed by : {Transposed::no, Transposed::yes})
      divide_left(by, rest, columns, 1, triangle.data() + first * (std::ptrdiff_t{size} + 1), size, X.data(), rest);
    inverse.block(first, first, rest, columns) = X;
    inverse.block(first, first + columns, columns, rest - columns) = X.bottomRows(rest - columns).transpose();
  });
  Part& top = parts_.back();
  run_tasks(workers, static_cast<int>(top.blocks.size()), [&](int task) {
    InverseBlock& block = top.blocks[static_cast<std::size_t>(task)];
    store({}, inverse.middleRows(block.first - begin, block.own_rows), top, block);
  });
}

void InverseStore::store(const Eigen::MatrixXd& coupling, const Eigen::MatrixXd& own, Part& part, InverseBlock& block) {
  const bool root = block.coupling_quads == 0;
  const bool half = part.half && !root;
  int exponent = kScaledExponent;
  if (half) std::frexp(own.cwiseAbs().maxCoeff(), &exponent);
  const double scale = std::ldexp(1.0, kScaledExponent - exponent);
  block.scale = static_cast<float>(1 / scale);
  Eigen::Matrix<float, Eigen::Dynamic, kTile, Eigen::RowMajor> rows(block.quads() * kQuad, kTile);
  rows.setZero();
  const InverseStoreTile store_tile = (half ? kernel_->half : kernel_->single).store_tile;
  const std::size_t entry_size = root ? sizeof(float) : part.entry_size();
  std::byte* to = (root ? reinterpret_cast<std::byte*>(part.roots) : part.matrix) + block.matrix * entry_size;
  for (int first = 0; first < block.columns; first += kTile) {
    const int columns = std::min(kTile, block.columns - first);
    if (coupling.size() > 0)
      rows.topLeftCorner(coupling.rows(), columns) = coupling.middleCols(first, columns).cast<float>();
    rows.block(block.coupling_quads * kQuad, 0, block.own_rows, columns) =
        (scale * own.middleCols(first, columns)).cast<float>();
    store_tile(rows.data(), block.coupling_quads, block.quads(), columns, to);
    to += rows.rows() * columns * entry_size;
  }
}

}  // namespace rebound::sim
