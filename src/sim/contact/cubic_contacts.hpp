// Penalties that grow with the third power of the depth [Gast15 Sec. 5.2, 5.3]: energies of x alone, that come and go
// without a kink, where obstacles or bodies ask for them in place of springs.
//
//   obstacles   k |phi|^3 of each colliding point that is inside, phi < 0 its signed distance
//   bodies      k d sqrt(d + eps) of each colliding point inside a tet of a body, d the squared distance to the nearest
//               face, edge or vertex of that body's surface, eps = 1e-15 m^2
//
//   dE  = -3 k phi^2 n                                   d2E = 6 k |phi| n n^T - 3 k phi^2 K
//   dE  = k (3 d + 2 eps) / (2 s) dd,  s = sqrt(d + eps)  d2E = k (3 d + 4 eps) / (4 s^3) dd dd^T + dE/dd d2d
//
// n = dphi and K = d2phi (obstacle_constraints.hpp), d's derivatives those of feature_distance.hpp.
//
// Points are sought, and paired with what is nearest, wherever E is evaluated, trial points of line searches included:
// the paper counts the cost of doing so there [Sec. 3.3]. Which face was nearest last, and which at rest, only bounds
// the search (body_contacts.hpp). So E is one function of x for as long as obstacles stay where they are, and a state
// says all that there is to know.
//
// We differ: a point that is inside several bodies is paired with each. Torn elements have no inside, so that trial
// points far off cost little; the paper leaves out this energy there instead.
#pragma once

#include "sim/contact/body_contacts.hpp"
#include "sim/contact/constraint_friction.hpp"
#include "sim/contact/corner_carriers.hpp"

namespace rebound::sim {

/// Does any obstacle of the model, or do its bodies, ask for such energies?
bool has_cubic_contacts(const Model& model);

/// A point that is inside.
struct CubicTerm {
  std::array<BodyPoint, 4> carriers{};  ///< of the point, and of the corners of the face
  int corners = 1;                      ///< how many of them there are
  int obstacle = -1;                    ///< -1: a body's surface
  int other = -1;                       ///< the body that it is in; -1: an obstacle
  Vec3 at{0, 0, 0};                     ///< m, the point
  Vec3 n{0, 0, 0};                      ///< of an obstacle
  double depth = 0;                     ///< m, of an obstacle: |phi|
  FeatureDistance nearest{};            ///< of a body
};

/// Where such an energy pushes.
struct CubicTouch {
  Vec3 at, n;    ///< m; unit, the force on the point
  double force;  ///< N
};
/// Those of a model at x; none where it has no such energy.
std::vector<CubicTouch> cubic_touches(const Model& model, const Points& x);

class CubicContacts final : public Energy {
 public:
  /// Both must outlive it.
  CubicContacts(const Model& model, Workers& workers);

  /// Those at x, with the obstacles where they are at the end of the step.
  const std::vector<CubicTerm>& terms(const Points& x) const;
  /// Appends the bodies that touch at x, as Model::touching.
  void find_touching(const Points& x, std::vector<std::pair<int, int>>& touching) const;
  std::vector<CubicTouch> touches(const Points& x) const;
  /// Friction by the forces at x, each of which has given `impulse` (s) times itself; h: s, of the step.
  void rub(double impulse, double h, const Points& x, Points& v, ConstraintFriction& rubbed) const;

  EnergyKind kind() const override { return EnergyKind::contact; }
  double value(const Points& x, Workspace& work) const override;
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override;
  void add_laplacian(Triplets&) const override {}
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const override;
  /// Of the x that was asked for last.
  void add_pattern(std::vector<std::pair<int, int>>& links) const override;
  bool settle(const Points& x) const override;
  double work_of_movers(const Points& x) const override;

 private:
  void find_in_bodies(const Points& x) const;
  void add_in_obstacles(const Points& x) const;
  double value_of(const CubicTerm& term) const;
  Vector12 gradient_of(const CubicTerm& term) const;
  Matrix12 hessian_of(const CubicTerm& term, const Points& x) const;

  const Model& model_;
  Workers& workers_;
  // What follows is about the last x that was asked for; no answer depends on it.
  mutable std::optional<BodyContactSearch> search_;  ///< there while bodies meet in this way
  mutable Points x_;
  mutable std::vector<CubicTerm> terms_;  ///< first those of bodies
  mutable std::size_t in_bodies_ = 0;
};

}  // namespace rebound::sim
