// Newton's method whose equations are solved by conjugate gradients, as far as is worth it: no factor, for large bodies
// and for contacts that come and go.
//
// Source: [Gast15 Sec. 3.1]. The iterations end at a residual of min(1/2, sqrt(|dg| / |dg_0|)) of the right-hand side,
// dg_0 the first gradient of the solve, or where a direction has negative curvature: then at the last iterate, or, of
// the first direction, along that direction itself.
//
// We differ: they are preconditioned by the inverses of the vertices' own 3 x 3 blocks, and |dg| is measured against
// dg_0, so that units do not matter.
#pragma once

#include "sim/step/newton.hpp"
#include "sim/step/truncated_cg.hpp"

namespace rebound::sim {

class NewtonCg final : public Newton {
 public:
  using Newton::Newton;

  SolveReport minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) override;
  double nonzeros() const override { return 0; }
  /// Products with the Hessian in the last solve.
  int products() const override { return products_; }

 private:
  bool find_direction(const Objective& g, const Points& x) override;
  bool has_exact_directions() const override { return false; }
  void invert_blocks(Workers& workers);
  void precondition(const Points& r, Points& z, Workers& workers) const;

  std::vector<Eigen::Matrix3d> inverse_;  ///< of the diagonal blocks
  TruncatedCg equations_;
  Points negative_;  ///< -dg
  double first_gradient_ = 0;
  int products_ = 0;
};

}  // namespace rebound::sim
