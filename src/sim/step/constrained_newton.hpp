// Newton's method on a step with hard constraints: where it ends and what holds it, found together.
//
// Source: [Course, "Constraints"]; f is not explicit here, but all that the scheme makes of E.
//   dg(x) + s J(x_t)^T lambda = 0       x_t = (1 - t) x_n + t x, where the scheme takes forces (StepForces::mean_at)
//   c(x) = 0                            s = (c gamma + k) h^2, so that lambda is in N
//
//   [ H + s t sum lambda d2c(x_t)   s J(x_t)^T ] [ dx      ]     [ dg + s J(x_t)^T lambda ]
//   [ J(x)                          0          ] [ dlambda ] = - [ c                      ]
//
// by a sparse LU with pivoting, as the matrix is indefinite, and not symmetric where t < 1. Steps are halved until the
// length of the right-hand side falls, and elements are made convex where the curvature along dx is not positive. At
// t = 1, where that would take short steps, they are halved until an exact penalty falls (search_by_penalty).
//
// t is 1/2 or 1. At 1/2 J(x_t) is the discrete gradient, so that the force stands at right angles to the way: no work
// at all is done. At 1 it takes energy as backward Euler takes that of a stiff spring.
#pragma once

#include <Eigen/SparseLU>
#include <functional>

#include "sim/constraint/constraint_space.hpp"
#include "sim/step/minimizer.hpp"
#include "sim/step/tangent_matrix.hpp"

namespace rebound::sim {

class ConstrainedNewton {
 public:
  /// x, iteration, g, what is left of dg, how much of the step before was taken.
  using Note = std::function<void(const Points&, int, double, const Points&, double)>;

  explicit ConstrainedNewton(const Model& model) : model_(model) {}

  /// As Minimizer::minimize, with `hessian` as the place for H. Outcome::constraints where they cannot be
  /// met from here.
  SolveReport minimize(const Objective& g, const SolveEffort& effort, TangentMatrix& hessian, const Note& note,
                       Points& x);

  /// Of the last solve, N: one an equation of all of Model::constraints, 0 where nothing is held.
  const Vector& forces() const { return forces_; }
  /// What they did on the way, J, as the scheme counts.
  double work() const { return work_; }

 private:
  /// Is t 1? Of what is no step, too.
  bool acts_at_end() const { return at_ == 1 || x_n_ == nullptr; }
  struct Place;
  void look(const Objective& g, const Points& x, const Vector& lambda, Place& place);
  double length_of(const Place& place, double h) const;
  bool find_direction(const Objective& g, const Points& x, Curvature curvature, TangentMatrix& hessian);
  void add_curvature(const Points& x, Curvature curvature, Triplets& entries) const;
  bool move(const Objective& g, Curvature curvature, Points& x);
  bool search(const Objective& g, int most_cuts, Points& x);
  bool search_by_penalty(const Objective& g, Points& x);
  void go_back(Points& x);
  void keep_forces(const Points& x);

  struct Place {
    double value = 0;   ///< g
    Points left;        ///< dg + s J^T lambda
    double length = 0;  ///< what is to become 0, as the root of an energy
  };

  const Model& model_;
  std::optional<ConstraintRows> here_, there_;  ///< at x, and at x_t
  double scale_ = 1, at_ = 1;                   ///< s, t
  double mass_ = 1;                             ///< kg, a usual one: what makes rows alike
  const Points* x_n_ = nullptr;                 ///< where the step began; null of what is no step
  Points x_t_, way_;                            ///< way_: x - x_n
  Place now_, trial_place_;
  Vector lambda_, trial_lambda_, d_lambda_, right_;
  Points d_, trial_;
  Eigen::SparseLU<SparseMatrix> lu_;
  double alpha_ = 0, curvature_ = 0;
  Vector forces_;
  double work_ = 0;
};

}  // namespace rebound::sim
