#include "mesh/weld.hpp"

#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace rebound::mesh {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellHash {
  std::size_t operator()(const Cell& cell) const {
    std::uint64_t hash = 0;
    for (const std::int64_t k : cell) {
      hash = (hash ^ static_cast<std::uint64_t>(k)) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

/// Cells are so much wider than the distance that few points look into more than their own.
constexpr double kCellsPerDistance = 16;

}  // namespace

std::vector<int> weld(const Points& points, double distance) {
  const double width = kCellsPerDistance * distance;
  const Eigen::RowVector3d low = points.rows() > 0 ? points.colwise().minCoeff().eval() : Eigen::RowVector3d::Zero();
  std::unordered_multimap<Cell, int, CellHash> kept;
  kept.reserve(static_cast<std::size_t>(points.rows()));
  std::vector<int> first(static_cast<std::size_t>(points.rows()));
  for (int i = 0; i < static_cast<int>(first.size()); ++i) {
    const Eigen::RowVector3d p = points.row(i);
    Cell begin, end;
    for (int k = 0; k < 3; ++k) {
      begin[k] = static_cast<std::int64_t>(std::floor((p[k] - low[k] - distance) / width));
      end[k] = static_cast<std::int64_t>(std::floor((p[k] - low[k] + distance) / width));
    }
    int found = i;
    Cell cell;
    for (cell[0] = begin[0]; cell[0] <= end[0]; ++cell[0])
      for (cell[1] = begin[1]; cell[1] <= end[1]; ++cell[1])
        for (cell[2] = begin[2]; cell[2] <= end[2]; ++cell[2]) {
          const auto [from, to] = kept.equal_range(cell);
          for (auto it = from; it != to; ++it)
            if (it->second < found && (points.row(it->second) - p).norm() <= distance) found = it->second;
        }
    first[i] = found;
    if (found != i) continue;
    for (int k = 0; k < 3; ++k) cell[k] = static_cast<std::int64_t>(std::floor((p[k] - low[k]) / width));
    kept.emplace(cell, i);
  }
  return first;
}

}  // namespace rebound::mesh
