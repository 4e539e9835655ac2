// What must be known of a body before others can touch it, or it itself: its shape at rest, what it is made of, and the
// surface that is seen. It never changes, so copies of a model share it.
#pragma once

#include <memory>

#include "sim/base/elements_around.hpp"
#include "sim/collide/box_tree.hpp"
#include "sim/collide/triangle_point.hpp"
#include "sim/energy/attachments.hpp"

namespace rebound::sim {

/// Vertices are numbered within the body.
struct BodyShape {
  Points rest;                            ///< n x 3, m
  std::vector<std::array<int, 4>> tets;   ///< none: a net
  std::vector<double> fill;               ///< a tet: the share of its volume that is inside the surface
  std::vector<BodyPoint> corners;         ///< of the surface
  std::vector<std::array<int, 3>> faces;  ///< of the surface, counter-clockwise seen from outside
  /// Where one tet carries the whole body and the surface lies beyond it: points whose hull holds the surface.
  std::vector<BodyPoint> cage{};
  std::vector<std::array<int, 2>> edges{};  ///< of a rope, which has no faces
};

/// A point of a surface.
struct SurfaceSpot {
  int face = -1;
  TrianglePoint point;
};

class ContactBody {
 public:
  explicit ContactBody(BodyShape shape);

  bool is_solid() const { return !shape_.tets.empty(); }
  /// A rope, or loose points: all there is of it are its vertices and edges.
  bool is_bare() const { return shape_.faces.empty(); }
  int vertices() const { return static_cast<int>(shape_.rest.rows()); }
  const Points& rest() const { return shape_.rest; }
  const std::vector<std::array<int, 4>>& tets() const { return shape_.tets; }
  const std::vector<std::array<int, 3>>& faces() const { return shape_.faces; }
  const std::vector<std::array<int, 2>>& edges() const { return shape_.edges; }
  /// Those of its faces, each once.
  const std::vector<BodyPoint>& corners() const { return shape_.corners; }
  /// Points whose hull holds the surface, if its one tet does not; any place is then one of the tet's, however far.
  const std::vector<BodyPoint>& cage() const { return shape_.cage; }
  const BodyPoint& corner(int face, int c) const { return shape_.corners[static_cast<std::size_t>(face_at(face)[c])]; }
  /// The mean length of the elements' edges at rest, m; 0 of loose points.
  double edge() const { return edge_; }
  /// The longest edge of a tet at rest, m.
  float width(int tet) const { return widths_[static_cast<std::size_t>(tet)]; }
  /// Can a push along n, unit, press on the body at that point of it, where it is at x? Not where all faces around are
  /// along n or look the same way. A point that is no corner of the surface can be pressed from everywhere.
  bool can_be_pressed(const BodyPoint& point, const Vec3& n, const Points& x, int first) const;
  /// Do two faces have a corner in common?
  bool touch(int a, int b) const;

  /// A tree over the elements, tets or else faces, to be fitted to where they are.
  const BoxTree& elements() const { return elements_; }
  /// The same over the faces.
  const BoxTree& surface() const { return surface_; }
  /// The corners of a face where the body is at x; its vertices are those from `first` on.
  Corners corners(int face, const Points& x, int first) const;

  /// Of a point at X at rest, in a tet: the nearest spot of the surface at rest. No face if X is outside the surface,
  /// as corners of a lattice may be, or if there is no surface.
  SurfaceSpot way_out(int tet, const Vec3& X) const;
  /// The spot nearest to p that is reached from `face` by going from a face to one beside it while that brings it
  /// nearer, where the body is at x: of several parts of the surface, the one on which `face` is.
  SurfaceSpot descend(int face, const Vec3& p, const Points& x, int first) const;

 private:
  const std::array<int, 3>& face_at(int face) const { return shape_.faces[static_cast<std::size_t>(face)]; }
  Corners rest_corners(int face) const;
  bool is_outside(const SurfaceSpot& spot, const Vec3& X) const;

  BodyShape shape_;
  Points rest_corners_;  ///< a row a corner of the surface
  ElementsAround faces_around_;
  std::vector<int> corners_in_order_;  ///< by vertices and weights
  BoxTree elements_, surface_;
  std::vector<float> widths_;
  double edge_ = 0;
};

}  // namespace rebound::sim
