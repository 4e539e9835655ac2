// Which triangles are near a point, by Embree's tree of boxes.
//
// The tree is in single precision: it is asked for a little more than what is wanted, and whoever asks looks at each
// triangle in double precision. What comes out is then exact, and the same on every processor, as long as it does not
// depend on the order in which triangles are seen.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <vector>

#include "sim/base/types.hpp"

namespace rebound::sim {

class TriangleTree {
 public:
  /// points: n x 3, m, finite; triangles: one or more.
  TriangleTree(const Points& points, const std::vector<std::array<int, 3>>& triangles);
  ~TriangleTree();
  TriangleTree(const TriangleTree&) = delete;
  TriangleTree& operator=(const TriangleTree&) = delete;

  /// The box around the points of all triangles, m.
  const Eigen::AlignedBox3d& bounds() const { return bounds_; }

  /// Calls look(t) for every triangle within `reach` (m, may be infinite) of p, and for some others; look returns the
  /// reach from then on, never more than before. From any number of threads.
  template <class Look>
  void visit(const Vec3& p, double reach, const Look& look) const {
    visit_erased(p, reach, &look, [](const void* l, int t) { return (*static_cast<const Look*>(l))(t); });
  }

 private:
  struct Scene;
  using Call = double (*)(const void*, int);
  void visit_erased(const Vec3& p, double reach, const void* look, Call call) const;

  Eigen::AlignedBox3d bounds_;
  Vec3 centre_;
  double unit_ = 1;  ///< m: the tree's coordinates are from -1 to 1
  int count_ = 0;
  std::unique_ptr<Scene> scene_;
};

}  // namespace rebound::sim
