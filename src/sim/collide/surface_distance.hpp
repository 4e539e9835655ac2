// The signed distance of a point from a closed surface of triangles, exact to rounding.
//
// The sign comes from the pseudonormal of the face, edge or vertex on which the nearest point lies: normals weighted by
// the angle that each face has there [Baerentzen05]. Triangles without an area, as they come with T-shaped joints,
// enclose nothing and are left out; next to one of them the pseudonormal is that of all faces that meet in the place.
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "sim/collide/outside_cells.hpp"
#include "sim/collide/shape.hpp"
#include "sim/collide/triangle_tree.hpp"

namespace rebound::sim {

class SurfaceDistance {
 public:
  /// points: n x 3, m; triangles counter-clockwise seen from outside, each edge between two of them. Null where the
  /// surface encloses nothing; `reason` then says why, in a few words. A surface that passes through itself is not
  /// noticed: within what is enclosed twice, a point may count as outside.
  static std::shared_ptr<const SurfaceDistance> make(const Points& points,
                                                     const std::vector<std::array<int, 3>>& triangles,
                                                     std::string& reason);

  /// p: finite. From any number of threads.
  Nearest nearest(const Vec3& p) const;
  /// The second derivative of the distance at p, 1/m: that from the nearest face (0), edge or vertex. 0 on the surface.
  Eigen::Matrix3d curvature(const Vec3& p) const;
  /// Is p known to be outside, without a search? No answer but `true` means anything.
  bool clearly_outside(const Vec3& p) const { return outside_->contain(p); }
  /// Where a straight way crosses a triangle.
  struct Crossing {
    double share;  ///< of the way
    int triangle;  ///< of triangles()
    bool inwards;
    Vec3 normal;  ///< unit, of the triangle
  };
  /// In the order of the way (m, finite). Through an edge, both of its triangles are crossed. From any
  /// number of threads.
  std::vector<Crossing> crossings(const StraightWay& way) const;
  const Eigen::AlignedBox3d& bounds() const { return tree_->bounds(); }
  /// What it is made of, triangles without an area left out.
  const Points& points() const { return points_; }
  const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }

 private:
  using Triangle = std::array<int, 3>;
  /// A triangle's side from its corner, between the vertices `low` < `high`.
  struct HalfEdge {
    int low, high;
    bool forward;  ///< from low to high
    int triangle, corner;
    auto operator<=>(const HalfEdge&) const = default;
  };
  /// What is nearest so far: a point of a triangle, and on which of its features it lies.
  struct Candidate {
    double squared;
    Vec3 point;
    int triangle = 0;
    int feature = 0;  ///< 0-2: vertex; 3-5: edge from vertex feature - 3; 6: the face
  };

  SurfaceDistance(const Points& points, const std::vector<Triangle>& triangles);
  std::vector<HalfEdge> sorted_edges() const;
  std::string weigh_edges();
  void weigh_corners();
  double volume() const;
  void leave_out_flat_triangles();
  std::optional<Crossing> crossing(int t, const StraightWay& way) const;
  Candidate closest(const Vec3& p) const;
  void try_triangle(int t, const Vec3& p, Candidate& best) const;
  Vec3 pseudonormal(const Candidate& at) const;
  Vec3 normal_around(const Vec3& q) const;
  double angle_at(int t, const Vec3& q, double near) const;
  Vec3 point(int t, int corner) const { return points_.row(triangles_[t][corner]).transpose(); }

  Points points_;
  std::vector<Triangle> triangles_;
  std::vector<Vec3> face_normals_, vertex_normals_;
  std::vector<std::array<Vec3, 3>> edge_normals_;  ///< a triangle, of the edge from its corner
  double size_ = 0;                                ///< m, the diagonal of bounds()
  std::unique_ptr<const TriangleTree> tree_;
  std::unique_ptr<const OutsideCells> outside_;
};

}  // namespace rebound::sim
