#include "sim/solve/objective.hpp"

#include <cassert>

namespace rebound::sim {

StepObjective::StepObjective(const Model& model, const Scheme& scheme, double h, const History& history,
                             StepBuffers& buffers, Workspace& work)
    : model_(model), scheme_(scheme), h_(h), history_(history), buffers_(buffers), work_(work) {
  assert(!scheme.two_steps() || history.has_before);
  const double a0 = scheme.a0, a1 = scheme.a1, b0 = scheme.b0, b1 = scheme.b1, k = scheme.k;
  const State& now = history.now;
  Points& y = buffers_.y;
  Points& base = buffers_.base;  // a0 x_n + a1 x_{n-1}, which the velocity needs as well
  if (scheme.two_steps()) {
    base.noalias() = a0 * now.x + a1 * history.before.x;
    y.noalias() = base + h * (b0 * now.v + b1 * history.before.v);
  } else {
    base = now.x;
    y.noalias() = base + h * b0 * now.v;
  }
  if (k != 0) {
    model.gradient(now.x, buffers_.gradient, work);
    for (Eigen::Index i = 0; i < y.rows(); ++i) y.row(i) -= (k * h * h / model.M[i]) * buffers_.gradient.row(i);
  }
  for (Eigen::Index i = 0; i < y.rows(); ++i)
    if (model.fixed[i]) y.row(i) = now.x.row(i);
}

const Points& StepObjective::evaluation_point(const Points& x) const {
  if (scheme_.gamma == 1) return x;
  buffers_.at.noalias() = scheme_.gamma * x + (1 - scheme_.gamma) * history_.now.x;
  return buffers_.at;
}

double StepObjective::value(const Points& x) const {
  return value_from(x, model_.energy(evaluation_point(x), work_));
}

double StepObjective::value_from(const Points& x, double E) const {
  double inertia = 0;
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    if (!model_.fixed[i]) inertia += model_.M[i] * (x.row(i) - buffers_.y.row(i)).squaredNorm();
  return 0.5 * inertia + scheme_.c * h_ * h_ * E;
}

double StepObjective::gradient(const Points& x, Points& out) const {
  const double E = model_.gradient(evaluation_point(x), out, work_);
  const double scale = scheme_.c * scheme_.gamma * h_ * h_;
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    if (model_.fixed[i]) continue;
    out.row(i) = model_.M[i] * (x.row(i) - buffers_.y.row(i)) + scale * out.row(i);
  }
  return E;
}

void StepObjective::velocity(const Points& x, Points& v) const {
  v.noalias() = (scheme_.r / h_) * (x - buffers_.base) + scheme_.s * history_.now.v;
  model_.clear_fixed(v);
}

}  // namespace rebound::sim
