// The signed distance of a point from a closed surface of triangles, exact to rounding.
//
// The nearest triangle comes from a tree of boxes; the sign from the pseudonormal of the face, edge or vertex on which
// the nearest point lies, normals weighted by the angle that each face has there [Baerentzen05].
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <string>
#include <vector>

#include "sim/collide/shape.hpp"

namespace rebound::sim {

class SurfaceDistance {
 public:
  /// points: n x 3, m; triangles counter-clockwise seen from outside, each edge between two of them. Null where the
  /// surface encloses nothing; `reason` then says why, in a few words.
  static std::shared_ptr<const SurfaceDistance> make(const Points& points,
                                                     const std::vector<std::array<int, 3>>& triangles,
                                                     std::string& reason);

  Nearest nearest(const Vec3& p) const;
  const Eigen::AlignedBox3d& bounds() const { return nodes_.front().box; }

 private:
  using Triangle = std::array<int, 3>;
  struct Node {
    Eigen::AlignedBox3d box;
    int first = 0, count = 0;  ///< triangles, of a leaf
    int right = 0;             ///< the second child; the first is the next node
  };
  /// What is nearest so far: a point of a triangle, and on which of its features it lies.
  struct Candidate {
    double squared;
    Vec3 point;
    int triangle = -1;
    int feature = 0;  ///< 0-2: vertex; 3-5: edge from vertex feature - 3; 6: the face
  };

  SurfaceDistance(const Points& points, std::vector<Triangle> triangles);
  bool weigh_normals(std::string& reason);
  void build(int first, int count);
  void visit(int node, const Vec3& p, Candidate& best) const;
  void try_triangle(int t, const Vec3& p, Candidate& best) const;
  Vec3 point(int t, int corner) const { return points_.row(triangles_[t][corner]).transpose(); }

  Points points_;
  std::vector<Triangle> triangles_;  ///< in the order of the tree's leaves
  std::vector<Node> nodes_;
  std::vector<Vec3> face_normals_, vertex_normals_;
  std::vector<std::array<Vec3, 3>> edge_normals_;  ///< a triangle, of the edge from its corner
};

}  // namespace rebound::sim
