// A box of cells, some of them marked, as the few largest cubes that hold no mark, and the marked cells one by one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace rebound::mesh {

using LatticeCell = std::array<int, 3>;

/// From `begin` up to `end`, which is left out.
struct CellBox {
  LatticeCell begin{}, end{};

  bool contains(const LatticeCell& cell) const {
    for (int k = 0; k < 3; ++k)
      if (cell[k] < begin[k] || cell[k] >= end[k]) return false;
    return true;
  }
};

class FreeCubes {
 public:
  /// A byte a cell.
  explicit FreeCubes(const CellBox& box) : box_(box) {
    LatticeCell size;
    for (int k = 0; k < 3; ++k) size[k] = box.end[k] - box.begin[k];
    while (true) {
      levels_.push_back({size, {}});
      levels_.back().marked.assign(static_cast<std::size_t>(size[0]) * size[1] * size[2], 0);
      if (size == LatticeCell{1, 1, 1}) return;
      for (int& s : size) s = (s + 1) / 2;
    }
  }

  /// Cells outside the box are passed over.
  void mark(const LatticeCell& cell) {
    if (!box_.contains(cell)) return;
    LatticeCell at;
    for (int k = 0; k < 3; ++k) at[k] = cell[k] - box_.begin[k];
    for (Level& level : levels_) {
      std::uint8_t& marked = level.marked[level.index(at)];
      if (marked) return;
      marked = 1;
      for (int& a : at) a /= 2;
    }
  }

  /// free(CellBox) for each cube without a mark, cut off at the box; marked(LatticeCell) for each cell with one.
  template <class Free, class Marked>
  void visit(const Free& free, const Marked& marked) const {
    visit_cube(levels_.size() - 1, {0, 0, 0}, free, marked);
  }

 private:
  struct Level {
    LatticeCell size;
    std::vector<std::uint8_t> marked;
    std::size_t index(const LatticeCell& at) const {
      return (static_cast<std::size_t>(at[2]) * size[1] + at[1]) * size[0] + at[0];
    }
  };

  template <class Free, class Marked>
  void visit_cube(std::size_t level, const LatticeCell& at, const Free& free, const Marked& marked) const {
    if (!levels_[level].marked[levels_[level].index(at)]) {
      CellBox cube;
      for (int k = 0; k < 3; ++k) {
        cube.begin[k] = box_.begin[k] + (at[k] << level);
        cube.end[k] = std::min(box_.begin[k] + ((at[k] + 1) << level), box_.end[k]);
      }
      return free(cube);
    }
    if (level == 0) return marked({box_.begin[0] + at[0], box_.begin[1] + at[1], box_.begin[2] + at[2]});
    for (int part = 0; part < 8; ++part) {
      const LatticeCell child{2 * at[0] + (part & 1), 2 * at[1] + (part >> 1 & 1), 2 * at[2] + (part >> 2)};
      const LatticeCell& size = levels_[level - 1].size;
      if (child[0] < size[0] && child[1] < size[1] && child[2] < size[2]) visit_cube(level - 1, child, free, marked);
    }
  }

  CellBox box_;
  std::vector<Level> levels_;  ///< cells, then cubes of 2, 4, 8 ... cells
};

}  // namespace rebound::mesh
