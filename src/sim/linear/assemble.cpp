#include "sim/linear/assemble.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "sim/base/aligned_buffer.hpp"
#include "sim/base/run_tasks.hpp"

namespace rebound::sim {
namespace {

constexpr int kColumnsATask = 1024;
constexpr std::size_t kEntriesATask = 1 << 16;

struct Entry {
  int row;
  double value;
};

constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Adds up what is of one row, in place and in order, and sorts by row. last: of each row the latest place among
/// `entries`; others' are out of date. Returns how many are left.
int add_up(Entry* begin, const Entry* end, std::vector<int>& last) {
  int kept = 0;
  for (const Entry* e = begin; e != end; ++e) {
    int& place = last[at(e->row)];
    if (place < kept && begin[place].row == e->row) {
      begin[place].value += e->value;
    } else {
      place = kept++;
      begin[place] = *e;
    }
  }
  std::sort(begin, begin + kept, [](const Entry& a, const Entry& b) { return a.row < b.row; });
  return kept;
}

}  // namespace

SparseMatrix assemble(int size, const Triplets& entries, Workers* workers) {
  const int chunks = static_cast<int>((entries.size() + kEntriesATask - 1) / kEntriesATask);
  const auto each_chunk = [&](const auto& visit) {
    run_tasks(workers, chunks, [&](int chunk) {
      const std::size_t first = at(chunk) * kEntriesATask;
      visit(chunk, std::span(entries).subspan(first, std::min(kEntriesATask, entries.size() - first)));
    });
  };
  const auto each_block = [&](const auto& visit) {
    run_tasks(workers, (size + kColumnsATask - 1) / kColumnsATask,
              [&](int task) { visit(task * kColumnsATask, std::min(size, (task + 1) * kColumnsATask)); });
  };

  // Entries by column; of one column, those of an earlier chunk before those of a later one.
  std::vector<std::vector<int>> next(at(chunks));
  each_chunk([&](int chunk, auto own) {
    next[at(chunk)].assign(at(size), 0);
    for (const auto& t : own) ++next[at(chunk)][at(t.col())];
  });
  std::vector<int> begin(at(size) + 1, 0);
  for (int c = 0, sum = 0; c < size; ++c) {
    for (auto& of_chunk : next) sum += std::exchange(of_chunk[at(c)], sum);
    begin[at(c) + 1] = sum;
  }
  AlignedBuffer<Entry> by_column(entries.size(), Unset{});
  each_chunk([&](int chunk, auto own) {
    for (const auto& t : own) by_column[at(next[at(chunk)][at(t.col())]++)] = {t.row(), t.value()};
  });

  std::vector<int> kept(at(size));
  each_block([&](int first, int end) {
    std::vector<int> last(at(size), 0);
    for (int c = first; c < end; ++c)
      kept[at(c)] = add_up(by_column.data() + begin[at(c)], by_column.data() + begin[at(c) + 1], last);
  });
  SparseMatrix A(size, size);
  std::partial_sum(kept.begin(), kept.end(), A.outerIndexPtr() + 1);
  A.resizeNonZeros(A.outerIndexPtr()[size]);
  each_block([&](int first, int end) {
    int to = A.outerIndexPtr()[first];
    for (int c = first; c < end; ++c)
      for (int k = 0; k < kept[at(c)]; ++k, ++to) {
        const Entry& e = by_column[at(begin[at(c)] + k)];
        A.innerIndexPtr()[to] = e.row;
        A.valuePtr()[to] = e.value;
      }
  });
  return A;
}

}  // namespace rebound::sim
