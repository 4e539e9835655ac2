// g(x) of one step of one scheme, its gradient, and the velocity that belongs to its minimiser. See scheme.hpp.
#pragma once

#include "sim/model/model.hpp"
#include "sim/step/scheme.hpp"
#include "sim/model/state.hpp"

namespace rebound::sim {

/// Buffers of one objective, kept from frame to frame so that a step allocates nothing.
struct StepBuffers {
  Points y;
  Points base;  ///< a0 x_n + a1 x_{n-1}, which the velocity needs as well; of schemes of two steps
  Points at, gradient;
};

class StepObjective {
 public:
  /// Prepares y and the velocity rule. The history must have `before` if the scheme takes two steps.
  StepObjective(const Model& model, const Scheme& scheme, double h, const History& history, StepBuffers& buffers,
                Workspace& work);

  const Model& model() const { return model_; }
  Workspace& work() const { return work_; }
  const Scheme& scheme() const { return scheme_; }
  /// x_n, v_n.
  const State& now() const { return history_.now; }
  double h() const { return h_; }
  const Points& y() const { return buffers_.y; }
  /// Another y: for methods that move it (n x 3, m; fixed vertices where they are).
  void set_y(const Points& y) { buffers_.y = y; }

  /// g(x), J s^2.
  double value(const Points& x) const;

  /// g(x), given E where the scheme evaluates it.
  double value_from(const Points& x, double E) const;

  /// out = dg(x) (kg m), zero at fixed vertices. Returns E at the point where the scheme evaluates it: at x itself
  /// where gamma = 1.
  double gradient(const Points& x, Points& out) const;

  /// v = v_{n+1} for the minimiser x; zero at fixed vertices. Returns K(v), J.
  double velocity(const Points& x, Points& v) const;

  /// gamma x + (1 - gamma) x_n, where the scheme evaluates E. Valid until the next call.
  const Points& evaluation_point(const Points& x) const;

 private:
  const Model& model_;
  const Scheme scheme_;
  const double h_;
  const History& history_;
  StepBuffers& buffers_;
  Workspace& work_;
};

}  // namespace rebound::sim
