// Bending of sheets: a hinge at every edge between two triangles [Grinspun03, Bridson03],
//   E = sum k (theta - theta0)^2,   k = kappa |e|^2 / (A_1 + A_2),   kappa = bending E t^3 / (24 (1 - nu^2))
// theta: the angle between the normals of the two triangles (0: flat), theta0 that at rest; |e|, A_1, A_2: the edge's
// length and the areas at rest; of two materials the mean kappa. kappa is half the flexural rigidity of a plate of
// thickness t.
//
// What these weights give: a sheet bent to a cylinder of curvature c has kappa c^2 an area, as a plate has: exactly on
// a mesh of equilateral triangles whatever the cylinder's direction, and on a grid of squares with diagonals where the
// axis is along an edge (1.5 kappa c^2 where it is along the diagonals). Elsewhere no hinges of such weights are an
// isotropic plate: twice curved, equilateral triangles behave as if nu were -1/3 and grids as if it were 0; and where
// vertices may yield from triangle to triangle they do: a free strip is softer than its cylinders say, by 4 % in
// stiffness with the diagonals of a grid all one way, by 20 % with diagonals to and fro (a cloth's). [Grinspun03] has 3
// |e|^2 / (A_1 + A_2), and leaves what its factor means to the user.
//
// With e = x1 - x0, u = x2 - x0, v = x3 - x0, N1 = e x u, N2 = v x e, a = e.u / |e|^2, b = e.v / |e|^2:
//   theta = atan2(-|e| N1.v, N1.N2)
//   dtheta/dx2 = -|e| N1/|N1|^2,  dtheta/dx3 = -|e| N2/|N2|^2
//   dtheta/dx1 = -(a dtheta/dx2 + b dtheta/dx3),  dtheta/dx0 = -((1-a) dtheta/dx2 + (1-b) dtheta/dx3)
// d2theta is the derivative of these, exact. The difference theta - theta0 is taken between -pi and pi: a sheet that is
// folded through itself unfolds the other way round.
// The Hessian of a hinge is 2 k (dtheta dtheta^T + (theta - theta0) d2theta). Projected it is its first term alone,
// which is never negative (Gauss-Newton): the second one has eigenvalues of both signs. L is the Hessian of the flat
// sheet with these edges, 2 k c_i c_j with c the slope of theta along the normal at rest. A hinge with a triangle that
// has no area has no angle, and counts as being at rest.
#pragma once

#include "sim/energy/energy.hpp"
#include "sim/energy/incidence.hpp"
#include "sim/energy/material_values.hpp"

namespace rebound::sim {

class Hinges final : public Energy {
 public:
  /// rest: n x 3 (m); triangles: vertex numbers; values: one a triangle. At an edge of more than two triangles each has
  /// a hinge with the one that comes next to it in the list. Pretension makes the rest shape smaller by 1/(1 + share).
  Hinges(const Points& rest, std::span<const std::array<int, 3>> triangles, std::span<const MaterialValues> values);

  EnergyKind kind() const override { return EnergyKind::elastic; }
  bool is_internal(std::span<const BodyRange>) const override { return true; }
  double value(const Points& x, Workspace& work) const override;
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override;
  void add_laplacian(Triplets& L) const override;
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const override;
  bool has_float_batch() const override { return true; }
  std::unique_ptr<FloatBatch> float_batch(std::span<const int> place, const Partition& partition,
                                          const FloatKernel& kernel) const override;

  std::size_t size() const { return hinges_.size(); }

 private:
  struct Hinge {
    std::array<int, 4> vertex;     ///< x0 and x1 of the edge, x2 and x3 beside it
    double rest_angle;             ///< rad
    double stiffness;              ///< k, J
    std::array<double, 4> slopes;  ///< c, 1/m
  };

  void element_hessian(const Points& x, Curvature curvature, const Hinge& hinge, double* blocks) const;

  std::vector<Hinge> hinges_;
  Incidence incidence_;
};

}  // namespace rebound::sim
