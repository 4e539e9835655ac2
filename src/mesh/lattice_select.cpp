#include "mesh/lattice_select.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/geometry.hpp"

namespace rebound::mesh {
namespace {

using Eigen::Vector3d;

/// Walls of a body along the axes should not fall on faces of the lattice, where they would touch tets on both sides:
/// the lowest point lies at no round coordinate.
const Vector3d kLowest(1.37, 1.43, 1.31);

constexpr int kPairsBetweenChecks = 1024;
constexpr int kBlocksBetweenChecks = 4096;

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

}  // namespace

LatticeSelector::LatticeSelector(const Surface& shown, const Winding& inside, std::vector<Eigen::AlignedBox3d> regions)
    : shown_(&shown), inside_(&inside), regions_(std::move(regions)), box_(bounding_box(shown)) {
  for (const auto& region : regions_) box_.extend(region);
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
  // Many triangles may meet one tet, so the list is made unique whenever it has grown.
  std::vector<BccKey>& keys = selection.tets;
  std::size_t compact_at = 1 << 16;
  int seen = 0;
  for (const Triangle& t : shown_->triangles) {
    if (++seen % kPairsBetweenChecks == 0) progress.check();
    std::array<Vector3d, 3> triangle;
    for (int k = 0; k < 3; ++k) {
      triangle[k] = selection.place.to_lattice(point(shown_->points, t[k]));
      // Whatever rounding says elsewhere, the tet that holds a vertex is there.
      keys.push_back(key_of(locate(triangle[k])));
    }
    const Vector3d sizes = triangle[0].cwiseMax(triangle[1]).cwiseMax(triangle[2]) -
                           triangle[0].cwiseMin(triangle[1]).cwiseMin(triangle[2]);
    if ((sizes.array() + 1).prod() > 100.0 * static_cast<double>(limit)) return false;
    visit_tets(triangle, [&](BccKey key) { keys.push_back(key); });
    if (keys.size() > compact_at) {
      sort_unique(keys);
      if (static_cast<std::int64_t>(keys.size()) > limit) return false;
      compact_at = 2 * keys.size() + (1 << 16);
    }
  }
  sort_unique(keys);
  selection.touched.assign(keys.size(), 1);
  return static_cast<std::int64_t>(keys.size()) <= limit;
}

std::vector<BccKey> LatticeSelector::blocks_inside_regions(const LatticePlace& place, std::int64_t limit) const {
  double cells = 0;
  for (const auto& region : regions_) cells += (region.sizes() / place.cell).array().ceil().max(1).prod();
  const double whole = (box_.sizes() / place.cell).array().ceil().max(1).prod();
  // Each far part has a box of its own; boxes that overlap much are taken as one.
  const std::vector<Eigen::AlignedBox3d> all{box_};
  const auto& boxes = cells < whole ? regions_ : all;
  if (std::min(cells, whole) > 20.0 * static_cast<double>(limit)) return {};

  std::vector<BccKey> blocks;
  for (const auto& box : boxes)
    for (int axis = 0; axis < 3; ++axis) {
      const BccRange range = faces_near(axis, place.to_lattice(box.min()), place.to_lattice(box.max()));
      BccTet tet{{}, axis, 0};
      for (tet.cell[2] = range.begin[2]; tet.cell[2] <= range.end[2]; ++tet.cell[2])
        for (tet.cell[1] = range.begin[1]; tet.cell[1] <= range.end[1]; ++tet.cell[1])
          for (tet.cell[0] = range.begin[0]; tet.cell[0] <= range.end[0]; ++tet.cell[0]) blocks.push_back(key_of(tet));
    }
  if (boxes.size() > 1)
    sort_unique(blocks);
  else
    std::sort(blocks.begin(), blocks.end());
  return blocks;
}

bool LatticeSelector::add_inside(LatticeSelection& selection, std::int64_t limit, const Progress& progress) const {
  if (regions_.empty()) return true;
  const std::vector<BccKey> blocks = blocks_inside_regions(selection.place, limit);
  if (blocks.empty()) return false;
  const std::vector<BccKey> touched = selection.tets;
  std::vector<BccKey> inner;
  int seen = 0;
  for (const BccKey block : blocks) {
    if (++seen % kBlocksBetweenChecks == 0) progress.check();
    const auto begin = std::lower_bound(touched.begin(), touched.end(), block);
    const auto end = std::find_if(begin, touched.end(), [&](BccKey key) { return key > block + 3; });
    if (end - begin == 4) continue;
    BccTet tet = tet_of(block);
    if (begin == end) {
      // No triangle passes through the block: its four tets share one side of the surface.
      if (inside_->at(selection.place.to_world(block_middle(tet))) > 0.5)
        for (BccKey edge = 0; edge < 4; ++edge) inner.push_back(block + edge);
      continue;
    }
    for (tet.edge = 0; tet.edge < 4; ++tet.edge) {
      const BccKey key = block + static_cast<BccKey>(tet.edge);
      if (std::find(begin, end, key) == end && inside_->at(selection.place.to_world(tet_middle(tet))) > 0.5)
        inner.push_back(key);
    }
  }
  if (static_cast<std::int64_t>(touched.size() + inner.size()) > limit) return false;
  selection.tets.insert(selection.tets.end(), inner.begin(), inner.end());
  std::sort(selection.tets.begin(), selection.tets.end());
  selection.touched.clear();
  for (const BccKey key : selection.tets)
    selection.touched.push_back(std::binary_search(touched.begin(), touched.end(), key));
  return true;
}

}  // namespace rebound::mesh
