#include "sim/linear/hessian.hpp"

#include <algorithm>
#include <cassert>

#include "sim/linear/hessian_multiply_kernel.hpp"

namespace rebound::sim {

HessianBlocks::HessianBlocks(const SparseMatrix& pattern)
    : begin_(pattern.outerIndexPtr(), pattern.outerIndexPtr() + pattern.cols() + 1),
      rows_(pattern.innerIndexPtr(), pattern.innerIndexPtr() + pattern.nonZeros()),
      matrix_(3 * pattern.rows(), 3 * pattern.cols()) {
  // Of a column's own block, which comes first, the half below the diagonal.
  matrix_.resizeNonZeros(9 * static_cast<Eigen::Index>(rows_.size()) - 3 * pattern.cols());
  int* at = matrix_.innerIndexPtr();
  for (int j = 0; j < pattern.cols(); ++j)
    for (int c = 0; c < 3; ++c) {
      for (int k = begin_[j]; k < begin_[j + 1]; ++k)
        for (int r = rows_[k] == j ? c : 0; r < 3; ++r) *at++ = 3 * rows_[k] + r;
      matrix_.outerIndexPtr()[3 * j + c + 1] = static_cast<int>(at - matrix_.innerIndexPtr());
    }
  set_zero();

  row_begin_.assign(begin_.size(), 0);
  for (int j = 0; j < pattern.cols(); ++j)
    for (int k = begin_[j] + 1; k < begin_[j + 1]; ++k) ++row_begin_[rows_[k] + 1];
  for (std::size_t i = 1; i < row_begin_.size(); ++i) row_begin_[i] += row_begin_[i - 1];
  left_column_.resize(static_cast<std::size_t>(row_begin_.back()));
  left_entry_.resize(left_column_.size());
  std::vector<int> next(row_begin_.begin(), row_begin_.end() - 1);
  for (int j = 0; j < pattern.cols(); ++j)
    for (int k = begin_[j] + 1; k < begin_[j + 1]; ++k) {
      const auto place = static_cast<std::size_t>(next[rows_[k]]++);
      left_column_[place] = j;
      left_entry_[place] = k;
    }
}

// Entries are numbered by columns and rows in every pattern, so their sources stay in one order; what is between two of
// them has none.
HessianBlocks::HessianBlocks(const SparseMatrix& pattern, const HessianBlocks& before) : HessianBlocks(pattern) {
  for (const Elements& known : before.elements_) {
    Elements elements = known;
    const int first = begin_[known.first_column];
    elements.begin.assign(static_cast<std::size_t>(begin_[known.end_column] - first) + 1, 0);
    const int first_known = before.begin_[known.first_column];
    for (int j = known.first_column; j < known.end_column; ++j) {
      int at = begin_[j];
      for (int k = before.begin_[j]; k < before.begin_[j + 1]; ++k) {
        const int sources = known.begin[k - first_known + 1] - known.begin[k - first_known];
        if (sources == 0) continue;
        while (rows_[at] != before.rows_[k]) ++at;
        elements.begin[at - first + 1] = sources;
      }
    }
    for (std::size_t e = 1; e < elements.begin.size(); ++e) elements.begin[e] += elements.begin[e - 1];
    elements_.push_back(std::move(elements));
  }
}

SparseMatrix HessianBlocks::pattern() const {
  const auto n = static_cast<Eigen::Index>(begin_.size()) - 1;
  const std::vector<double> ones(rows_.size(), 1);
  return Eigen::Map<const SparseMatrix>(n, n, begin_.back(), begin_.data(), rows_.data(), ones.data());
}

Eigen::Matrix3d HessianBlocks::diagonal_block(int i) const {
  Eigen::Matrix3d block;
  for (int c = 0; c < 3; ++c) {
    const double* column = matrix_.valuePtr() + matrix_.outerIndexPtr()[3 * i + c];
    for (int r = c; r < 3; ++r) block(r, c) = block(c, r) = column[r - c];
  }
  return block;
}

HessianRows HessianBlocks::rows() const {
  return {matrix_.valuePtr(), matrix_.outerIndexPtr(), begin_.data(),     rows_.data(),
          row_begin_.data(),  left_column_.data(),     left_entry_.data()};
}

// A row a vertex: every sum is one thread's, in one order.
void HessianBlocks::multiply(const Points& x, Points& out, Workers& workers) const {
  constexpr int kRowsATask = 256;
  out.resize(x.rows(), 3);
  const int n = static_cast<int>(x.rows());
  const HessianRows H = rows();
  workers.run((n + kRowsATask - 1) / kRowsATask, [&](int task) {
    const int first = task * kRowsATask, end = std::min(n, first + kRowsATask);
    hessian_multiply_kernel().multiply_one(H, first, end, n, x.data(), out.data());
  });
}

void HessianBlocks::multiply(const Eigen::Ref<const Panel>& x, Eigen::Ref<Panel> out, Workers& workers) const {
  constexpr int kRowsATask = 64;
  assert(x.cols() % kVectorsAtOnce == 0 && x.outerStride() == x.cols() && out.outerStride() == x.cols());
  const int n = static_cast<int>(matrix_.cols() / 3);
  const HessianRows H = rows();
  workers.run((n + kRowsATask - 1) / kRowsATask, [&](int task) {
    const int first = task * kRowsATask, end = std::min(n, first + kRowsATask);
    hessian_multiply_kernel().multiply(H, first, end, static_cast<int>(x.cols()), x.data(), out.data());
  });
}

bool HessianBlocks::has(int i, int j) const {
  const auto first = rows_.begin() + begin_[std::min(i, j)], last = rows_.begin() + begin_[std::min(i, j) + 1];
  return std::binary_search(first, last, std::max(i, j));
}

void HessianBlocks::set_zero() { std::fill_n(matrix_.valuePtr(), matrix_.nonZeros(), 0.0); }

// Returns the end. What is not a number is gone, too, where the factor is 0.
static double* scaled(double* numbers, int count, double factor) {
  for (int k = 0; k < count; ++k) numbers[k] = factor == 0 ? 0 : factor * numbers[k];
  return numbers + count;
}

template <class Factor, class Added>
void HessianBlocks::scale_blocks(const Factor& factor_of, const Added& added, Workers& workers) {
  constexpr int kColumnsATask = 64;
  const int n = static_cast<int>(matrix_.cols() / 3);
  workers.run((n + kColumnsATask - 1) / kColumnsATask, [&](int task) {
    const int end = std::min(n, (task + 1) * kColumnsATask);
    for (int j = task * kColumnsATask; j < end; ++j)
      for (int c = 0; c < 3; ++c) {
        double* column = matrix_.valuePtr() + matrix_.outerIndexPtr()[3 * j + c];
        column = scaled(column, 3 - c, factor_of(j, j));
        column[c - 3] += added(j);
        for (int k = begin_[j] + 1; k < begin_[j + 1]; ++k) column = scaled(column, 3, factor_of(rows_[k], j));
      }
  });
}

void HessianBlocks::scale_and_add(double factor, const Vector& M, const std::vector<std::uint8_t>& fixed,
                                  Workers& workers) {
  scale_blocks(
      [&](int i, int j) {
        return fixed[static_cast<std::size_t>(i)] || fixed[static_cast<std::size_t>(j)] ? 0 : factor;
      },
      [&](int j) { return M[j]; }, workers);
}

void HessianBlocks::scale_and_add(double factor, const Vector& M, const Vector& D,
                                  const std::vector<std::uint8_t>& fixed, Workers& workers) {
  scale_blocks(
      [&](int i, int j) {
        return fixed[static_cast<std::size_t>(i)] || fixed[static_cast<std::size_t>(j)] ? 0 : factor * D[i] * D[j];
      },
      [&](int j) { return D[j] * M[j] * D[j]; }, workers);
}

// The number of the entry (i, j), i >= j, of the pattern.
int HessianBlocks::entry(int i, int j) const {
  const auto first = rows_.begin() + begin_[j], last = rows_.begin() + begin_[j + 1];
  const auto place = std::lower_bound(first, last, i);
  assert(place != last && *place == i);
  return static_cast<int>(place - rows_.begin());
}

// Column 3 j + c holds the 3 - c lower rows of its diagonal block, then three rows of every block below.
void HessianBlocks::add_to_entry(int entry, int j, const Eigen::Matrix3d& block) {
  const int k = entry - begin_[j];
  for (int c = 0; c < 3; ++c) {
    double* column = matrix_.valuePtr() + matrix_.outerIndexPtr()[3 * j + c];
    if (k == 0) {
      for (int r = c; r < 3; ++r) column[r - c] += block(r, c);
    } else {
      for (int r = 0; r < 3; ++r) column[3 - c + 3 * (k - 1) + r] += block(r, c);
    }
  }
}

void HessianBlocks::add(int i, int j, const Eigen::Matrix3d& block) {
  if (i >= j) add_to_entry(entry(i, j), j, block);
}

const HessianBlocks::Elements* HessianBlocks::find(const void* owner) const {
  for (const Elements& elements : elements_)
    if (elements.owner == owner) return &elements;
  return nullptr;
}

void HessianBlocks::learn(const void* owner, std::span<const int> vertices, int corners) {
  const std::size_t count = vertices.size() / static_cast<std::size_t>(corners);
  const std::size_t blocks = count * static_cast<std::size_t>(corners * (corners + 1) / 2);
  std::vector<int> sources(blocks);
  Elements elements{owner, 0, 0, {}, nullptr, std::make_shared<std::vector<double>>(9 * blocks)};
  // Visits the pairs of corners as their blocks are numbered: visit(vertex of j, vertex of k).
  const auto each_block = [&](const auto& visit) {
    for (std::size_t e = 0; e < count; ++e) {
      const int* v = vertices.data() + e * static_cast<std::size_t>(corners);
      for (int j = 0; j < corners; ++j)
        for (int k = 0; k <= j; ++k) visit(v[j], v[k]);
    }
  };
  std::vector<int> entries;
  entries.reserve(blocks);
  each_block([&](int j, int k) { entries.push_back(entry(std::max(j, k), std::min(j, k))); });
  if (const auto [least, most] = std::minmax_element(vertices.begin(), vertices.end()); least != vertices.end()) {
    elements.first_column = *least;
    elements.end_column = *most + 1;
  }
  const int first = begin_[elements.first_column], count_of_entries = begin_[elements.end_column] - first;
  elements.begin.assign(static_cast<std::size_t>(count_of_entries) + 1, 0);
  for (int& e : entries) e -= first;
  for (const int e : entries) ++elements.begin[static_cast<std::size_t>(e) + 1];
  for (std::size_t e = 1; e < elements.begin.size(); ++e) elements.begin[e] += elements.begin[e - 1];
  std::vector<int> next(elements.begin.begin(), elements.begin.end() - 1);
  std::size_t at = 0;
  each_block([&](int j, int k) {
    sources[static_cast<std::size_t>(next[static_cast<std::size_t>(entries[at])]++)] =
        2 * static_cast<int>(at) + (j < k ? 1 : 0);
    ++at;
  });
  elements.sources = std::make_shared<const std::vector<int>>(std::move(sources));
  elements_.push_back(std::move(elements));
}

void HessianBlocks::add_element_blocks(const void* owner, Workers& workers) {
  constexpr int kColumnsATask = 64;
  const Elements& of = *find(owner);
  const int n = of.end_column - of.first_column, first_entry = begin_[of.first_column];
  const double* blocks = of.blocks->data();
  const int* sources = of.sources->data();
  workers.run((n + kColumnsATask - 1) / kColumnsATask, [&](int task) {
    const int end = of.first_column + std::min(n, (task + 1) * kColumnsATask);
    for (int j = of.first_column + task * kColumnsATask; j < end; ++j) {
      if (!wants(j)) continue;
      for (int e = begin_[j]; e < begin_[j + 1]; ++e) {
        Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
        for (int s = of.begin[e - first_entry]; s < of.begin[e - first_entry + 1]; ++s) {
          const Eigen::Map<const Eigen::Matrix3d> block(blocks + 9 * static_cast<std::size_t>(sources[s] / 2));
          if (sources[s] % 2 == 0)
            sum += block;
          else
            sum += block.transpose();
        }
        add_to_entry(e, j, sum);
      }
    }
  });
}

}  // namespace rebound::sim
