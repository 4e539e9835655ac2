// Repulsion springs [Dinev18 Eq. 38, McAdams11]: E = sum k_c/2 min(0, (U x - x_s) . n)^2, one for each point of a body
// that meets a surface in the present step. x_s and n stay as they were found; outside the half-space there is no
// force. Where the surface is that of a body, U is the difference between the point and a spot of that surface, and x_s
// what lies between the two when they touch.
//
// min over p outside of k_c/2 |U x - p|^2 is the same energy, so k_c n n^T is never less than its Hessian: a frozen
// Hessian with that in it is safe whether the spring is pressed or not, and slow where it is not (contact_rows.hpp).
#pragma once

#include "sim/energy/body_row.hpp"

namespace rebound::sim {

struct Contact {
  BodyRow point;         ///< U
  Vec3 x_s;              ///< m; of a surface that moves, where it is at the end of the step (MovingThings)
  Vec3 n;                ///< unit, out of the surface
  double stiffness = 0;  ///< k_c, N/m
  double friction = 0;   ///< k_f, -
  int obstacle = -1;     ///< whose surface it is; -1: a body's
  Vec3 moved;            ///< m, how far that surface moves in the step, as the point sees it
  int collider = -1;     ///< which of the model's colliders the point is
  Vec3 friction_impulse{
      0, 0, 0};  ///< kg m/s, friction's impulse in the step before: where the search for the next one begins

  /// (U x - x_s) . n, m: below 0 the spring is pressed.
  double height(const Points& x) const { return (point.of(x) - x_s).dot(n); }
  /// The same over where the surface is after that share of the step.
  double height(const Points& x, double share) const { return height(x) + (1 - share) * moved.dot(n); }
  /// The size of its force along n at that height, N.
  double force(double height) const { return height < 0 ? -stiffness * height : 0; }
  double energy(double height) const { return height < 0 ? 0.5 * stiffness * height * height : 0; }
};

class Contacts final : public Energy {
 public:
  /// Whether dense matrices with a row a contact are dearer than another factor.
  bool crowded() const;

  EnergyKind kind() const override { return EnergyKind::contact; }
  double value(const Points& x, Workspace& work) const override;
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override;
  void add_laplacian(Triplets& L) const override;
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const override;
  void add_pattern(std::vector<std::pair<int, int>>& links) const override;

  std::vector<Contact> items;
};

}  // namespace rebound::sim
