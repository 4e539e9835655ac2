#include "mesh/lattice_select.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/free_cubes.hpp"
#include "mesh/geometry.hpp"

namespace rebound::mesh {
namespace {

using Eigen::Vector3d;

/// Walls of a body along the axes should not fall on faces of the lattice, where they would touch tets on both sides:
/// the lowest point lies at no round coordinate.
const Vector3d kLowest(1.37, 1.43, 1.31);

constexpr int kPairsBetweenChecks = 1024;
constexpr int kBlocksBetweenChecks = 4096;
/// Of the box, for every tet that there may be: a body fills at least so little of its box, or has larger cells.
constexpr std::int64_t kMostCellsATet = 20, kMostCellsATetOneByOne = 2;
/// The bits of a key that tell the tets of one cell apart.
constexpr BccKey kTetOfCell = 15;

void sort_unique(std::vector<BccKey>& keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

Vector3d block_middle(const BccTet& tet) {
  Vector3d middle(tet.cell[0] + 0.5, tet.cell[1] + 0.5, tet.cell[2] + 0.5);
  middle[tet.axis] -= 0.5;
  return middle;
}

Vector3d tet_middle(const BccTet& tet) {
  Vector3d sum = Vector3d::Zero();
  for (const auto& corner : doubled_corners(tet)) sum += Vector3d(corner[0], corner[1], corner[2]);
  return sum / 8;
}

/// All blocks that may reach into a box.
struct BlocksOfBox {
  std::array<BccRange, 3> ranges;  ///< by axis
  CellBox cells{{kMostBccCells, kMostBccCells, kMostBccCells}, {0, 0, 0}};

  BlocksOfBox(const Eigen::AlignedBox3d& box, const LatticePlace& place) {
    for (int axis = 0; axis < 3; ++axis) {
      ranges[axis] = faces_near(axis, place.to_lattice(box.min()), place.to_lattice(box.max()));
      for (int k = 0; k < 3; ++k) {
        cells.begin[k] = std::min(cells.begin[k], ranges[axis].begin[k]);
        cells.end[k] = std::max(cells.end[k], ranges[axis].end[k] + 1);
      }
    }
  }

  /// Calls look(key) for those of them in these cells.
  template <class Look>
  void visit(const CellBox& some, const Look& look) const {
    for (int axis = 0; axis < 3; ++axis) {
      LatticeCell begin, end;
      for (int k = 0; k < 3; ++k) {
        begin[k] = std::max(some.begin[k], ranges[axis].begin[k]);
        end[k] = std::min(some.end[k], ranges[axis].end[k] + 1);
      }
      BccTet tet{{}, axis, 0};
      for (tet.cell[2] = begin[2]; tet.cell[2] < end[2]; ++tet.cell[2])
        for (tet.cell[1] = begin[1]; tet.cell[1] < end[1]; ++tet.cell[1])
          for (tet.cell[0] = begin[0]; tet.cell[0] < end[0]; ++tet.cell[0]) look(key_of(tet));
    }
  }
};

/// Adds the tets that a surface passes through, in order and once each; false if there are more than `limit`.
bool add_tets_along(const Surface& surface, const LatticePlace& place, std::int64_t limit, const Progress& progress,
                    std::vector<BccKey>& keys) {
  // Many triangles may meet one tet, so the list is made unique whenever it has grown.
  std::size_t compact_at = keys.size() + (1 << 16);
  const auto add = [&](BccKey key) {
    keys.push_back(key);
    if (keys.size() <= compact_at) return true;
    sort_unique(keys);
    compact_at = 2 * keys.size() + (1 << 16);
    return static_cast<std::int64_t>(keys.size()) <= limit;
  };
  int seen = 0;
  for (const Triangle& t : surface.triangles) {
    if (++seen % kPairsBetweenChecks == 0) progress.check();
    std::array<Vector3d, 3> triangle;
    for (int k = 0; k < 3; ++k) {
      triangle[k] = place.to_lattice(point(surface.points, t[k]));
      // Whatever rounding says elsewhere, the tet that holds a vertex is there.
      keys.push_back(key_of(locate(triangle[k])));
    }
    const Vector3d sizes = triangle[0].cwiseMax(triangle[1]).cwiseMax(triangle[2]) -
                           triangle[0].cwiseMin(triangle[1]).cwiseMin(triangle[2]);
    if ((sizes.array() + 1).prod() > 100.0 * static_cast<double>(limit)) return false;
    if (!visit_tets(triangle, add)) return false;
  }
  sort_unique(keys);
  return static_cast<std::int64_t>(keys.size()) <= limit;
}

bool same_triangles(const Surface& a, const Surface& b) {
  return a.points.rows() == b.points.rows() && a.points == b.points && a.triangles == b.triangles;
}

}  // namespace

LatticeSelector::LatticeSelector(const Surface& shown, LatticeInside inside)
    : shown_(&shown),
      inside_(std::move(inside)),
      skin_is_shown_(inside_.closed_skin && same_triangles(shown, *inside_.closed_skin)),
      box_(bounding_box(shown)) {
  for (const auto& region : inside_.regions) box_.extend(region);
}

LatticeSelection LatticeSelector::select(double cell, std::int64_t limit, const Progress& progress) const {
  LatticeSelection selection;
  selection.place = {box_.min() - cell * kLowest, cell};
  if (extent() / cell > kMostBccCells - 8 || !add_touched(selection, limit, progress) ||
      !add_inside(selection, limit, progress))
    selection.too_many = true;
  return selection;
}

bool LatticeSelector::add_touched(LatticeSelection& selection, std::int64_t limit, const Progress& progress) const {
  if (!add_tets_along(*shown_, selection.place, limit, progress, selection.tets)) return false;
  selection.touched.assign(selection.tets.size(), 1);
  return true;
}

// Each far part has a box of its own; boxes that overlap much are taken as one. None if they have more than `most`
// cells.
std::vector<Eigen::AlignedBox3d> LatticeSelector::boxes_to_search(double cell, std::int64_t most) const {
  const auto cells_of = [cell](const Eigen::AlignedBox3d& box) {
    return (box.sizes() / cell).array().ceil().max(1).prod();
  };
  double cells = 0;
  for (const auto& region : inside_.regions) cells += cells_of(region);
  const double whole = cells_of(box_);
  if (std::min(cells, whole) > static_cast<double>(most)) return {};
  return cells < whole ? inside_.regions : std::vector<Eigen::AlignedBox3d>{box_};
}

bool LatticeSelector::is_inside(const LatticePlace& place, const Vector3d& p) const {
  return inside_.winding.at(place.to_world(p)) > 0.5;
}

// Of the four tets of a block those that are inside and not touched.
void LatticeSelector::add_untouched(const LatticeSelection& selection, BccKey block, std::vector<BccKey>& inner) const {
  const std::vector<BccKey>& touched = selection.tets;
  const auto begin = std::lower_bound(touched.begin(), touched.end(), block);
  const auto end = std::find_if(begin, touched.end(), [&](BccKey key) { return key > block + 3; });
  if (end - begin == 4) return;
  BccTet tet = tet_of(block);
  if (begin == end) {
    // No triangle passes through the block: its four tets share one side of the surface.
    if (is_inside(selection.place, block_middle(tet)))
      for (BccKey edge = 0; edge < 4; ++edge) inner.push_back(block + edge);
    return;
  }
  for (tet.edge = 0; tet.edge < 4; ++tet.edge) {
    const BccKey key = block + static_cast<BccKey>(tet.edge);
    if (std::find(begin, end, key) == end && is_inside(selection.place, tet_middle(tet))) inner.push_back(key);
  }
}

// One by one, as they may be more or less inside.
std::vector<BccKey> LatticeSelector::inner_by_blocks(const LatticeSelection& selection,
                                                     const std::vector<Eigen::AlignedBox3d>& boxes,
                                                     const Progress& progress) const {
  std::vector<BccKey> blocks;
  for (const auto& box : boxes) {
    const BlocksOfBox all(box, selection.place);
    all.visit(all.cells, [&](BccKey block) { blocks.push_back(block); });
  }
  if (boxes.size() > 1) sort_unique(blocks);
  std::vector<BccKey> inner;
  int seen = 0;
  for (const BccKey block : blocks) {
    if (++seen % kBlocksBetweenChecks == 0) progress.check();
    add_untouched(selection, block, inner);
  }
  return inner;
}

// Cells that no triangle passes through, and that hang together, share one side of a surface without openings. The
// blocks of neighbouring cells have tets that share a face, so all of a cube's do hang together.
std::vector<BccKey> LatticeSelector::inner_by_cubes(const LatticeSelection& selection, std::vector<BccKey> walls,
                                                    const std::vector<Eigen::AlignedBox3d>& boxes, std::int64_t limit,
                                                    const Progress& progress) const {
  std::vector<BccKey> inner;
  for (BccKey& key : walls) key &= ~kTetOfCell;
  sort_unique(walls);
  int seen = 0;
  const auto may_go_on = [&] {
    if (++seen % kBlocksBetweenChecks == 0) progress.check();
    return static_cast<std::int64_t>(inner.size()) <= limit;
  };
  for (const auto& box : boxes) {
    const BlocksOfBox blocks(box, selection.place);
    FreeCubes cubes(blocks.cells);
    const auto above = [&](int z) { return std::lower_bound(walls.begin(), walls.end(), key_of({{0, 0, z}, 0, 0})); };
    for (auto wall = above(blocks.cells.begin[2]); wall != above(blocks.cells.end[2]); ++wall)
      cubes.mark(tet_of(*wall).cell);
    const auto free = [&](const CellBox& cube) {
      const Vector3d middle(cube.begin[0] + 0.5, cube.begin[1] + 0.5, cube.begin[2] + 0.5);
      if (!may_go_on() || !is_inside(selection.place, middle)) return;
      blocks.visit(cube, [&](BccKey block) {
        for (BccKey edge = 0; edge < 4; ++edge) inner.push_back(block + edge);
      });
    };
    const auto marked = [&](const LatticeCell& cell) {
      if (!may_go_on()) return;
      blocks.visit({cell, {cell[0] + 1, cell[1] + 1, cell[2] + 1}},
                   [&](BccKey block) { add_untouched(selection, block, inner); });
    };
    cubes.visit(free, marked);
  }
  if (boxes.size() > 1) sort_unique(inner);
  return inner;
}

bool LatticeSelector::add_inside(LatticeSelection& selection, std::int64_t limit, const Progress& progress) const {
  if (inside_.regions.empty()) return true;
  const bool closed = inside_.closed_skin != nullptr;
  const auto boxes = boxes_to_search(selection.place.cell, (closed ? kMostCellsATet : kMostCellsATetOneByOne) * limit);
  if (boxes.empty()) return false;
  std::vector<BccKey> inner;
  if (closed) {
    std::vector<BccKey> walls = selection.tets;
    if (!skin_is_shown_ && !add_tets_along(*inside_.closed_skin, selection.place, limit, progress, walls)) return false;
    inner = inner_by_cubes(selection, std::move(walls), boxes, limit, progress);
  } else {
    inner = inner_by_blocks(selection, boxes, progress);
  }
  const std::vector<BccKey> touched = selection.tets;
  if (static_cast<std::int64_t>(touched.size() + inner.size()) > limit) return false;
  selection.tets.insert(selection.tets.end(), inner.begin(), inner.end());
  std::sort(selection.tets.begin(), selection.tets.end());
  selection.touched.clear();
  for (const BccKey key : selection.tets)
    selection.touched.push_back(std::binary_search(touched.begin(), touched.end(), key));
  return true;
}

}  // namespace rebound::mesh
