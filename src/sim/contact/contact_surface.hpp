// All surfaces that may touch: those of the bodies, carried by their vertices, and those of the obstacles, which go
// their own way. Planes apart, everything is points, edges and triangles, so that two kinds of pairs cover all
// contacts: a point with a triangle, and an edge with an edge.
//
// A box and a mesh are their triangles. A sphere is a point with an offset, its radius; a capsule an edge with one; a
// torus a ring of such edges. A sheet is thick: half of its thickness is the offset of all that it consists of. So is a
// rope, which is its points and edges.
#pragma once

#include <memory>
#include <optional>

#include "sim/base/elements_around.hpp"
#include "sim/collide/box_tree.hpp"
#include "sim/collide/feature_distance.hpp"
#include "sim/model/model.hpp"

namespace rebound::sim {

/// A body, or an obstacle, as a surface.
struct ContactObject {
  int body = -1;      ///< of the model; -1: an obstacle
  int obstacle = -1;  ///< of the model; -1: a body
  int first_point = 0, points = 0, first_edge = 0, edges = 0, first_face = 0, faces = 0;
  double offset = 0;   ///< m
  bool round = false;  ///< an obstacle of points or edges alone
  bool rigid = false;  ///< an affine body, whose parts never meet
  bool moves = true;   ///< a body of which not all is fixed
  BoxTree edge_tree, face_tree;

  bool is_obstacle() const { return obstacle >= 0; }
  /// Points and edges, with no triangles around them.
  bool is_bare() const { return faces == 0; }
  /// It is a body whose distance to this obstacle may change in the model's step.
  bool may_meet_obstacle(const Model& model, int other) const {
    return !is_obstacle() && (moves || model.obstacles[static_cast<std::size_t>(other)].moves());
  }
};

class ContactSurface {
 public:
  /// Of the model's contact_bodies and obstacles; must have one of the former per body.
  explicit ContactSurface(const Model& model);
  /// Is it that of these obstacles?
  bool has_shapes_of(const Model& model) const;
  /// Is it that of bodies as thick, where ropes have strips as wide?
  bool has_widths_of(const Model& model) const;

  const std::vector<ContactObject>& objects() const { return objects_; }
  Eigen::Index points() const { return static_cast<Eigen::Index>(carriers_.size() + locals_.size()); }
  const std::vector<std::array<int, 2>>& edges() const { return edges_; }
  const std::vector<std::array<int, 3>>& faces() const { return faces_; }
  /// The obstacles that are planes.
  const std::vector<int>& planes() const { return planes_; }

  int object_of_point(int point) const { return object_of_point_[static_cast<std::size_t>(point)]; }
  bool is_carried(int point) const { return point < static_cast<int>(carriers_.size()); }
  /// Whose place decides that of a point; must be carried.
  const BodyPoint& carrier(int point) const { return carriers_[static_cast<std::size_t>(point)]; }
  /// The obstacle of a point that is not.
  int obstacle_of(int point) const { return locals_[static_cast<std::size_t>(point) - carriers_.size()].obstacle; }

  /// A third of the triangles around a point, m^2; of obstacles at most as much as the largest of the bodies. Of a rope
  /// half of the strips around it, which are as wide as the rope and the barrier on both of its sides.
  double area(int point) const { return area_[static_cast<std::size_t>(point)]; }
  /// Area over length of the strip of an edge, m; the same.
  double width(int edge) const { return width_[static_cast<std::size_t>(edge)]; }
  double edge_area(int edge) const { return edge_area_[static_cast<std::size_t>(edge)]; }
  double face_area(int face) const { return face_area_[static_cast<std::size_t>(face)]; }
  /// At rest, m^2.
  double squared_length(int edge) const { return squared_length_[static_cast<std::size_t>(edge)]; }

  /// The triangles on both sides of an edge; -1 for none, or where there are more than two.
  const std::array<int, 2>& sides(int edge) const { return sides_[static_cast<std::size_t>(edge)]; }
  /// The edges of a triangle that are counted with it, and its corners: each once in all triangles; those alone that
  /// have triangles all around.
  std::span<const int> own_edges(int face) const { return own(own_edges_, face, 0); }
  std::span<const int> own_corners(int face) const { return own(own_corners_, face, 1); }
  /// The triangles around a point.
  std::span<const int> around(int point) const { return faces_around_.of(point); }

  /// p := where all points are: those of bodies at x, those of obstacles `progress` of their way in the step (0 to 1).
  void place(const Model& model, const Points& x, double progress, Points& p) const;
  /// Of a point of an obstacle, from the beginning of the step to its end, m.
  Vec3 way(const Model& model, int point) const;

 private:
  /// A point of an obstacle, in its own frame.
  struct Local {
    int obstacle;
    Vec3 at;  ///< m
  };
  std::span<const int> own(const std::vector<int>& all, int face, std::size_t kind) const {
    const auto f = static_cast<std::size_t>(face);
    return {all.data() + 3 * f, static_cast<std::size_t>(own_[f][kind])};
  }
  /// Points, edges and triangles from where they are now; completes `object`.
  void add_object(ContactObject object, const Points& rest, const std::vector<std::array<int, 3>>& faces);
  void add_edges(int first_point, const std::vector<std::array<int, 2>>& edges);
  void add_strips(const ContactObject& rope);
  void add_body(const Model& model, int body);
  void add_obstacle(int obstacle, const Shape& shape);
  void add_triangles(int first_point, const std::vector<std::array<int, 3>>& faces);
  void add_areas(const Points& rest, int first_edge, int first_face);
  void add_owners();

  std::vector<ContactObject> objects_;
  double thickness_ = 0;         ///< of bodies that are not solid, m
  std::optional<double> strip_;  ///< the width of a rope's strip, m; none where there is no rope
  std::vector<Shape> shapes_;
  std::vector<BodyPoint> carriers_;
  std::vector<Local> locals_;
  std::vector<int> planes_;
  std::vector<int> object_of_point_;
  std::vector<std::array<int, 2>> edges_;
  std::vector<std::array<int, 3>> faces_;
  std::vector<std::array<int, 3>> edges_of_face_;
  std::vector<double> area_, width_, edge_area_, face_area_, squared_length_;
  std::vector<std::array<int, 2>> sides_;
  std::vector<std::array<int, 2>> own_;
  std::vector<int> own_edges_, own_corners_;
  ElementsAround faces_around_;
};

}  // namespace rebound::sim
