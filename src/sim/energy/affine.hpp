// Orthogonality: W = kappa |F F^T - 1|^2, the energy that holds an affine body to its shape [Lan22].
//
// With Green's strain G = (F^T F - 1)/2 it is 4 kappa |G|^2, as |F F^T - 1| = |F^T F - 1|: St. Venant-Kirchhoff's law
// with mu = 4 kappa and lambda = 0. Its kernels serve, and so does what is known of it: at rest d2W/ds2 = 8 kappa along
// each axis, and F = -1 is at rest as well.
#pragma once

#include "sim/energy/stvk.hpp"

namespace rebound::sim {

class Affine : public StVK {
 public:
  explicit Affine(const MaterialValues& of) : StVK(as_hooke(of.rigidity)) {}

 private:
  /// mu = young / 2 where Poisson's ratio is 0, and lambda is then 0.
  static MaterialValues as_hooke(double kappa) {
    MaterialValues values;
    values.young = 8 * kappa;
    values.poisson = 0;
    return values;
  }
};

}  // namespace rebound::sim
