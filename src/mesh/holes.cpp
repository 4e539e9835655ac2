#include "mesh/holes.hpp"

#include <algorithm>

#include "mesh/geometry.hpp"
#include "mesh/inspect.hpp"
#include "mesh/polygon.hpp"

namespace rebound::mesh {
namespace {

/// Longer rims get a fan around their middle: cutting ears takes the cube of their length.
constexpr std::size_t kLongestEarCut = 96;

/// The rim must span some area, as a share of its extent squared.
constexpr double kCollapsed = 1e-9;

class HoleCloser {
 public:
  HoleCloser(Surface& surface, double largest) : surface_(surface), largest_(largest), topology_(topology_of(surface)) {
    part_box_.resize(static_cast<std::size_t>(topology_.components));
    part_of_vertex_.assign(static_cast<std::size_t>(surface.points.rows()), -1);
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
      for (const int v : surface.triangles[t]) {
        part_of_vertex_[v] = topology_.component_of[t];
        part_box_[topology_.component_of[t]].extend(point(surface.points, v));
      }
  }

  ClosedHoles run(const Progress& progress) {
    ClosedHoles result;
    for (const auto& rim : topology_.holes) {
      progress.check();
      if (!close(rim, result)) ++result.left_open;
    }
    Points all(surface_.points.rows() + static_cast<Eigen::Index>(middles_.size()), 3);
    all.topRows(surface_.points.rows()) = surface_.points;
    for (std::size_t i = 0; i < middles_.size(); ++i)
      all.row(surface_.points.rows() + static_cast<Eigen::Index>(i)) = middles_[i].transpose();
    surface_.points = std::move(all);
    return result;
  }

 private:
  bool close(const std::vector<int>& rim, ClosedHoles& result) {
    if (rim.size() < 3) return false;
    Eigen::AlignedBox3d box;
    std::vector<Eigen::Vector3d> corners;
    for (const int v : rim) {
      corners.push_back(point(surface_.points, v));
      box.extend(corners.back());
    }
    const double extent = box.diagonal().norm();
    if (extent > largest_ * part_box_[part_of_vertex_[rim[0]]].diagonal().norm()) return false;
    if (polygon_normal(corners).norm() <= kCollapsed * extent * extent) return false;
    if (!cut_ears(rim, corners)) fan(rim, corners);
    ++result.closed;
    result.edges += static_cast<int>(rim.size());
    result.widest = std::max(result.widest, extent);
    return true;
  }

  bool cut_ears(const std::vector<int>& rim, const std::vector<Eigen::Vector3d>& corners) {
    if (rim.size() > kLongestEarCut) return false;
    bool simple = true;
    const auto triangles = triangulate_polygon(corners, &simple);
    if (!simple && rim.size() > 3) return false;
    for (const Triangle& t : triangles) surface_.triangles.push_back({rim[t[0]], rim[t[1]], rim[t[2]]});
    return true;
  }

  void fan(const std::vector<int>& rim, const std::vector<Eigen::Vector3d>& corners) {
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const auto& corner : corners) middle += corner / static_cast<double>(corners.size());
    const int index = static_cast<int>(surface_.points.rows()) + static_cast<int>(middles_.size());
    middles_.push_back(middle);
    for (std::size_t i = 0; i < rim.size(); ++i)
      surface_.triangles.push_back({rim[i], rim[(i + 1) % rim.size()], index});
  }

  Surface& surface_;
  double largest_;
  Topology topology_;
  std::vector<Eigen::AlignedBox3d> part_box_;
  std::vector<int> part_of_vertex_;
  std::vector<Eigen::Vector3d> middles_;
};

}  // namespace

ClosedHoles close_holes(Surface& surface, double largest, const Progress& progress) {
  return HoleCloser(surface, largest).run(progress);
}

}  // namespace rebound::mesh
