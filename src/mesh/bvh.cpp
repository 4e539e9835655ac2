#include "mesh/bvh.hpp"

#include <algorithm>
#include <numeric>

#include "mesh/geometry.hpp"

namespace rebound::mesh {

namespace {
constexpr int kLeafSize = 4;
}

Bvh::Bvh(const Surface& surface) : surface_(&surface), order_(surface.triangles.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Eigen::Vector3d> centres(order_.size());
  for (std::size_t t = 0; t < order_.size(); ++t) {
    const Triangle& triangle = surface.triangles[t];
    centres[t] =
        point(surface.points, triangle[0]) + point(surface.points, triangle[1]) + point(surface.points, triangle[2]);
  }
  nodes_.reserve(order_.size());
  if (!order_.empty()) build(0, static_cast<int>(order_.size()), centres);
}

Eigen::AlignedBox3d Bvh::box_of(int triangle) const {
  const Triangle& t = surface_->triangles[triangle];
  Eigen::AlignedBox3d box(point(surface_->points, t[0]));
  box.extend(point(surface_->points, t[1]));
  box.extend(point(surface_->points, t[2]));
  return box;
}

int Bvh::build(int begin, int end, std::vector<Eigen::Vector3d>& centres) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  Eigen::AlignedBox3d box, spread;
  for (int i = begin; i < end; ++i) {
    box.extend(box_of(order_[i]));
    spread.extend(centres[order_[i]]);
  }
  nodes_[index].box = box;
  nodes_[index].begin = begin;
  nodes_[index].end = end;
  if (end - begin <= kLeafSize) return index;
  int axis = 0;
  spread.sizes().maxCoeff(&axis);
  const int middle = begin + (end - begin) / 2;
  // Ties fall to the number, so that the tree depends on nothing but the surface.
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
    return centres[a][axis] != centres[b][axis] ? centres[a][axis] < centres[b][axis] : a < b;
  });
  build(begin, middle, centres);
  const int right = build(middle, end, centres);
  nodes_[index].right = right;
  return index;
}

}  // namespace rebound::mesh
