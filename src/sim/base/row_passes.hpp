// Passes over the rows of n x 3 arrays on all workers. Where they are summed, rows are cut into pieces that depend on n
// alone and the sums are added piece by piece in order: the same bytes come out whatever the number of threads.
#pragma once

#include <algorithm>
#include <array>

#include "sim/base/types.hpp"
#include "sim/base/workers.hpp"

namespace rebound::sim {

// A few microseconds' work, so that bodies of some thousand rows keep all threads busy.
inline constexpr Eigen::Index kRowsAPiece = 1024;

inline int row_pieces(Eigen::Index rows) { return static_cast<int>((rows + kRowsAPiece - 1) / kRowsAPiece); }

/// Calls visit(first row, rows) for pieces that together are all rows, each once.
template <class Visit>
void each_rows(Workers& workers, Eigen::Index rows, const Visit& visit) {
  workers.run(row_pieces(rows), [&](int piece) {
    const Eigen::Index first = piece * kRowsAPiece;
    visit(first, std::min(kRowsAPiece, rows - first));
  });
}

/// to := from.
inline void copy_rows(Workers& workers, const Points& from, Points& to) {
  to.resize(from.rows(), 3);
  each_rows(workers, from.rows(),
            [&](Eigen::Index first, Eigen::Index rows) { to.middleRows(first, rows) = from.middleRows(first, rows); });
}

/// The sums of what visit(first row, rows, sums) adds to its N sums, which begin at zero in each piece.
template <std::size_t N, class Visit>
std::array<double, N> sum_rows(Workers& workers, Eigen::Index rows, const Visit& visit) {
  // So many pieces at a time: no step asks for memory.
  constexpr int kAtOnce = 64;
  std::array<double, N> total{};
  const int all = row_pieces(rows);
  for (int begin = 0; begin < all; begin += kAtOnce) {
    std::array<std::array<double, N>, kAtOnce> pieces;
    const int count = std::min(kAtOnce, all - begin);
    workers.run(count, [&](int piece) {
      const Eigen::Index first = (begin + piece) * kRowsAPiece;
      std::array<double, N> sums{};  // its own, so that it can stay in registers
      visit(first, std::min(kRowsAPiece, rows - first), sums);
      pieces[static_cast<std::size_t>(piece)] = sums;
    });
    for (int piece = 0; piece < count; ++piece)
      for (std::size_t i = 0; i < N; ++i) total[i] += pieces[static_cast<std::size_t>(piece)][i];
  }
  return total;
}

}  // namespace rebound::sim
