#include "sim/integrate/explicit.hpp"

#include "sim/base/row_passes.hpp"

namespace rebound::sim {
namespace {

// displacement: StepForces::displacement.
StepReport report_of(const State& next, double displacement) {
  StepReport report;
  report.outcome = next.finite() ? Outcome::done : Outcome::not_finite;
  report.forces = {0, 0, displacement, 1};
  return report;
}

}  // namespace

void forward_euler(const Model& model, const State& now, double h, Workspace& work, Points& gradient, State& next) {
  model.gradient(now.x, gradient, work);
  next.x.resize(now.x.rows(), 3);
  next.v.resize(now.v.rows(), 3);
  each_rows(work.workers, now.x.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    for (Eigen::Index i = first; i < first + rows; ++i) {
      next.x.row(i) = now.x.row(i) + h * now.v.row(i);
      next.v.row(i) = now.v.row(i) - (h / model.M[i]) * gradient.row(i);
    }
  });
}

StepReport ForwardEuler::step(const StepInput& input, State& next) {
  forward_euler(input.model, input.history.now, input.h, input.work, gradient_, next);
  return report_of(next, 0);
}

StepReport SymplecticEuler::step(const StepInput& input, State& next) {
  forward_euler(input.model, input.history.now, input.h, input.work, gradient_, next);
  next.x.noalias() = input.history.now.x + input.h * next.v;
  return report_of(next, 1);
}

}  // namespace rebound::sim
