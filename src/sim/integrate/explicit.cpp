#include "sim/integrate/explicit.hpp"

namespace rebound::sim {
namespace {

StepReport report_of(const State& next) {
  StepReport report;
  report.outcome = next.finite() ? Outcome::done : Outcome::not_finite;
  return report;
}

}  // namespace

void forward_euler(const Model& model, const State& now, double h, Workspace& work, Points& gradient, State& next) {
  model.gradient(now.x, gradient, work);
  next.x.noalias() = now.x + h * now.v;
  next.v = now.v;
  for (Eigen::Index i = 0; i < gradient.rows(); ++i) next.v.row(i) -= (h / model.M[i]) * gradient.row(i);
}

StepReport ForwardEuler::step(const StepInput& input, State& next) {
  forward_euler(input.model, input.history.now, input.h, input.work, gradient_, next);
  return report_of(next);
}

StepReport SymplecticEuler::step(const StepInput& input, State& next) {
  forward_euler(input.model, input.history.now, input.h, input.work, gradient_, next);
  next.x.noalias() = input.history.now.x + input.h * next.v;
  return report_of(next);
}

}  // namespace rebound::sim
