#include "sim/linear/hessian_by_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace rebound::sim {
namespace {

using Eigen::Index;

// The columns of a vertex in the lower triangle, without the first three rows, which are its own block's.
struct ColumnsOfAVertex {
  ColumnsOfAVertex(const SparseMatrix& H, int vertex) : rows(H.innerIndexPtr() + H.outerIndexPtr()[3 * vertex] + 3) {
    const int* outer = H.outerIndexPtr() + 3 * vertex;
    for (int c = 0; c < 3; ++c) column[c] = H.valuePtr() + outer[c] + 3 - c;
    below = (outer[1] - outer[0]) / 3 - 1;
  }
  int row(int k) const { return rows[3 * k] / 3; }
  double entry(int k, int r, int c) const { return column[c][3 * k + r]; }
  // Of its own block each column begins at the diagonal.
  double own(int r, int c) const { return column[std::min(r, c)][std::max(r, c) - 3]; }

  int below;  ///< blocks
  const int* rows;
  const double* column[3];
};

// Lists of numbers, one behind the other.
struct Lists {
  std::vector<int> begin, all;
  std::span<const int> operator[](int i) const {
    const auto list = static_cast<std::size_t>(i);
    return std::span(all.data() + begin[list], all.data() + begin[list + 1]);
  }
};

// Which vertices share a block with each.
Lists neighbours(const SparseMatrix& H) {
  const auto n = static_cast<int>(H.cols() / 3);
  Lists lists;
  lists.begin.assign(static_cast<std::size_t>(n) + 1, 0);
  const auto each_pair = [&](const auto& visit) {
    for (int j = 0; j < n; ++j) {
      const ColumnsOfAVertex columns(H, j);
      for (int k = 0; k < columns.below; ++k) {
        visit(j, columns.row(k));
        visit(columns.row(k), j);
      }
    }
  };
  each_pair([&](int i, int) { ++lists.begin[static_cast<std::size_t>(i) + 1]; });
  for (std::size_t i = 1; i < lists.begin.size(); ++i) lists.begin[i] += lists.begin[i - 1];
  lists.all.resize(static_cast<std::size_t>(lists.begin.back()));
  std::vector<int> next(lists.begin.begin(), lists.begin.end() - 1);
  each_pair([&](int i, int j) { lists.all[static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++)] = j; });
  return lists;
}

// Appends all that hangs together with `start`, the nearest first. seen: the last visit of each vertex.
void append_by_distance(const Lists& near, int start, int visit, std::vector<int>& seen, std::vector<int>& order) {
  const auto meet = [&](int i) {
    if (seen[static_cast<std::size_t>(i)] == visit) return;
    seen[static_cast<std::size_t>(i)] = visit;
    order.push_back(i);
  };
  std::size_t at = order.size();
  meet(start);
  for (; at < order.size(); ++at)
    for (const int i : near[order[at]]) meet(i);
}

// From one end of each body to the other.
std::vector<int> from_end_to_end(const Lists& near) {
  constexpr int kUnseen = 0, kLooked = 1, kPlaced = 2;
  const std::size_t n = near.begin.size() - 1;
  std::vector<int> order, looked, seen(n, kUnseen);
  for (std::size_t i = 0; i < n; ++i) {
    if (seen[i] != kUnseen) continue;
    looked.clear();
    append_by_distance(near, static_cast<int>(i), kLooked, seen, looked);
    append_by_distance(near, looked.back(), kPlaced, seen, order);
  }
  return order;
}

}  // namespace

void HessianByRows::plan(const SparseMatrix& H) {
  outer_.assign(H.outerIndexPtr(), H.outerIndexPtr() + H.cols() + 1);
  inner_.assign(H.innerIndexPtr(), H.innerIndexPtr() + H.nonZeros());
  const Lists near = neighbours(H);
  vertex_ = from_end_to_end(near);
  std::vector<int> row(vertex_.size());
  for (std::size_t r = 0; r < vertex_.size(); ++r) row[static_cast<std::size_t>(vertex_[r])] = static_cast<int>(r);

  begin_.assign(1, 0);
  meets_.clear();
  source_.clear();
  for (const int i : vertex_) {
    meets_.push_back(kPairStride * row[static_cast<std::size_t>(i)]);
    source_.push_back({i, Source::kOwn});
    for (const int j : near[i]) {
      const ColumnsOfAVertex columns(H, std::min(i, j));
      int k = 0;
      while (columns.row(k) != std::max(i, j)) ++k;
      meets_.push_back(kPairStride * row[static_cast<std::size_t>(j)]);
      source_.push_back({std::min(i, j), k});
    }
    begin_.push_back(static_cast<int>(meets_.size()));
  }
  values_.assign(9 * meets_.size() + 1, 0);
}

void HessianByRows::take(const SparseMatrix& H, Workers& workers) {
  const auto same = [](const std::vector<int>& known, const int* now, Index count) {
    return std::ranges::equal(known, std::span(now, static_cast<std::size_t>(count)));
  };
  const bool planned = same(outer_, H.outerIndexPtr(), H.cols() + 1) && same(inner_, H.innerIndexPtr(), H.nonZeros());
  if (!planned) plan(H);
  constexpr int kRowsATask = 128;
  const auto n = static_cast<int>(vertex_.size());
  workers.run((n + kRowsATask - 1) / kRowsATask, [&](int task) {
    const int first = begin_[static_cast<std::size_t>(task) * kRowsATask];
    const int last = begin_[static_cast<std::size_t>(std::min(n, (task + 1) * kRowsATask))];
    int own = 0;
    for (int k = first; k < last; ++k) {
      const Source source = source_[static_cast<std::size_t>(k)];
      const ColumnsOfAVertex columns(H, source.vertex);
      if (source.below == Source::kOwn) own = source.vertex;
      double* block = values_.data() + 9L * k;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          if (source.below == Source::kOwn) {
            *block++ = columns.own(r, c);
          } else {
            // Right of the diagonal it is what is below it, turned over.
            *block++ = source.vertex == own ? columns.entry(source.below, c, r) : columns.entry(source.below, r, c);
          }
        }
    }
  });
}

std::pair<int, int> HessianByRows::reach(int first, int end) const {
  if (first == end) return {first, end};
  const int* meets = meets_.data();
  const auto [low, high] = std::ranges::minmax(
      std::span(meets + begin_[static_cast<std::size_t>(first)], meets + begin_[static_cast<std::size_t>(end)]));
  return {low / kPairStride, high / kPairStride + 1};
}

void HessianByRows::to_rows(const Vector& of_vertices, Vector& of_rows) const {
  of_rows.resize(of_vertices.size());
  for (std::size_t r = 0; r < vertex_.size(); ++r)
    of_rows.segment<3>(3 * static_cast<Index>(r)) = of_vertices.segment<3>(3 * vertex_[r]);
}

void HessianByRows::to_vertices(const Vector& of_rows, Vector& of_vertices) const {
  of_vertices.resize(of_rows.size());
  for (std::size_t r = 0; r < vertex_.size(); ++r)
    of_vertices.segment<3>(3 * vertex_[r]) = of_rows.segment<3>(3 * static_cast<Index>(r));
}

}  // namespace rebound::sim
