// Obstacles that no vertex sinks into at all: phi_b(x_p) >= 0 for every colliding vertex p, kept by projection
// [Gast15 Sec. 3.2, 5.1].
//
//   phi_b      signed distance from obstacle b, m; n its gradient, K its second derivative
//   P(x)       x_p - phi n for every pair (b, p) that is violated or active; of a vertex that has several, the nearest
//              point in front of all of them
//   E(x)       = E0(P(x)), E0 the objective without constraints
//   active     of a feasible x: pairs that touch, and that E0 presses on, n . dE0 >= 0
//   dE         = J dE0,                     J = I - n n^T of each active pair
//   H          = J (H0 - (n . dE0) K) J
//
// We differ: directions are tangential at active pairs, as E does not change along n there; the paper leaves n in.
// Where a vertex touches several obstacles, those are active that hold it: dE0 = dE + sum a n with the least |dE|
// of all a >= 0. To look at the sign of n . dE0 one by one is not enough. In a crease it holds what would leave a
// wall, and it lets go of what is pressed into both. K is left out there. A box has K = 0. P, too, is found for all
// walls together: to go from one to another until none is violated ends in front of a corner, not in it, and E(x)
// goes up beyond.
#pragma once

#include <span>
#include <vector>

#include "sim/model/model.hpp"

namespace rebound::sim {

/// d2 phi at p, 1/m, both in the shape's own frame; 0 where the distance has no second derivative, and of a box.
Eigen::Matrix3d curvature(const Shape& shape, const Vec3& p);
/// The same in world coordinates, at the end of the step.
Eigen::Matrix3d curvature(const Obstacle& obstacle, const Vec3& p);

/// A pair that is active where a solve ended.
struct HeldVertex {
  int vertex, obstacle;
  Vec3 n;
  double push;  ///< n . dg >= 0, kg m
};

/// An obstacle as a vertex meets it: the half-space n . p >= b or, kept, the plane.
struct ConstraintWall {
  std::size_t obstacle;
  Vec3 n;
  double b;  ///< m
  bool kept;
};

class ObstacleConstraints {
 public:
  explicit ObstacleConstraints(const Model& model);

  /// Looks which obstacles are constraints now, and lets all pairs go.
  void begin();
  bool any() const { return !obstacles_.empty(); }

  /// x := P(x). What way() and reduce() say is of this call.
  void project(Points& x);
  /// d := dP d at the point that was projected: where P(x) goes while x goes along d.
  void way(Points& d) const;
  /// Takes what obstacles hold out of dg at x, which was projected.
  void reduce(const Points& x, Points& gradient) const;

  /// Of a feasible x, dg there.
  void activate(const Points& x, const Points& gradient);
  /// v := J v.
  void make_tangential(Points& v) const;
  /// Hp -= push K p.
  void add_curvature(const Points& p, Points& Hp) const;
  /// H := J (H - push K) J + m n n^T, in H's own pattern. curved: with K.
  void reduce_hessian(HessianBlocks& H, const Vector& M, bool curved) const;
  std::span<const HeldVertex> held() const { return held_; }

 private:
  struct Projection {
    int vertex;
    std::size_t place;  ///< in vertices_
    Vec3 n;
    Eigen::Matrix3d bend;  ///< phi K
  };
  struct Tangent {
    int vertex;
    Vec3 n;  ///< orthogonal to the others of its vertex
    double push;
    Eigen::Matrix3d K;
  };
  bool is_active(std::size_t place, std::size_t obstacle) const {
    return active_[place * obstacles_.size() + obstacle];
  }
  /// The obstacles that touch one vertex, and n of each.
  struct Touching {
    std::vector<std::size_t> obstacles;
    std::vector<Vec3> n;
  };
  void find_touching(const Vec3& at, Touching& touching) const;
  void project_vertex(std::size_t place, Points& x);
  void activate_vertex(std::size_t place, const Vec3& at, const Vec3& gradient);

  const Model& model_;
  std::vector<int> obstacles_, vertices_;
  std::vector<std::uint8_t> active_;  ///< vertices_ times obstacles_
  std::vector<Projection> projections_;
  std::vector<Tangent> tangents_;
  std::vector<HeldVertex> held_;
  Touching touching_;
  std::vector<ConstraintWall> walls_;  ///< of the vertex that is projected
};

}  // namespace rebound::sim
