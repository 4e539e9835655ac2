// A tree of boxes around the triangles of a surface.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "mesh/mesh.hpp"

namespace rebound::mesh {

/// Boxes over triangles, halved at the median of the longest side. Refers to the surface: keep it alive and unchanged.
class Bvh {
 public:
  struct Node {
    Eigen::AlignedBox3d box;
    int begin = 0, end = 0;  ///< its triangles are order()[begin, end)
    int right = -1;          ///< the second child; the first is the next node; -1: a leaf
    bool is_leaf() const { return right < 0; }
  };

  explicit Bvh(const Surface& surface);

  const Surface& surface() const { return *surface_; }
  const std::vector<Node>& nodes() const { return nodes_; }  ///< parents before children; the root is the first
  const std::vector<int>& order() const { return order_; }

  /// Calls visit(triangle) for each triangle whose box meets `box` (closed).
  template <typename Visit>
  void visit_box(const Eigen::AlignedBox3d& box, Visit&& visit) const;

  Eigen::AlignedBox3d box_of(int triangle) const;

 private:
  int build(int begin, int end, std::vector<Eigen::Vector3d>& centres);

  const Surface* surface_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

template <typename Visit>
void Bvh::visit_box(const Eigen::AlignedBox3d& box, Visit&& visit) const {
  if (nodes_.empty()) return;
  int stack[128];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const int index = stack[--size];
    const Node& node = nodes_[index];
    if (!node.box.intersects(box)) continue;
    if (node.is_leaf()) {
      for (int i = node.begin; i < node.end; ++i)
        if (box_of(order_[i]).intersects(box)) visit(order_[i]);
    } else {
      stack[size++] = node.right;
      stack[size++] = index + 1;
    }
  }
}

}  // namespace rebound::mesh
