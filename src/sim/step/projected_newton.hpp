// Newton's method where obstacles are constraints: gast's iterates along the surfaces, with exact directions.
//
// Source: [Gast15 Sec. 3.2, 5.1], contact/obstacle_constraints.hpp.
//   d = -H^-1 dE,   H = J (H0 - (n . dE0) K) J + m n n^T at active pairs
// The last term makes H a matrix that can be factored, in H0's own pattern, and leaves d along the surfaces.
//
// We differ: the paper solves by conjugate gradients. Where no obstacle is a constraint it is
// plain Newton (newton.hpp).
#pragma once

#include "sim/step/gast.hpp"

namespace rebound::sim {

class ProjectedNewton final : public Gast {
 public:
  using Gast::Gast;

  SolveReport minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) override;
  double nonzeros() const override { return Newton::nonzeros(); }
  std::span<const HeldVertex> held() const override;
  int products() const override { return 0; }

 private:
  bool find_direction(const Objective& g, const Points& x) override;
  bool on_obstacles() const;
};

}  // namespace rebound::sim
