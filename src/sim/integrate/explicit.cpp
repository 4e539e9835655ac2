#include "sim/integrate/explicit.hpp"

#include "sim/base/row_passes.hpp"

namespace rebound::sim {
namespace {

void with_exact_gradient(const StepInput& input, Points& gradient, State& next) {
  input.put_surfaces(0);
  input.model.gradient(input.history.now.x, gradient, input.work);
  input.put_surfaces(1);
  if (input.push != nullptr) gradient -= *input.push;
  forward_euler(input.model, input.history.now, gradient, input.h, input.work.workers, next);
}

// displacement: StepForces::displacement.
StepReport report_of(const State& next, double displacement) {
  StepReport report;
  report.outcome = next.finite() ? Outcome::done : Outcome::not_finite;
  report.forces = {0, 0, displacement, 1};
  return report;
}

}  // namespace

void forward_euler(const Model& model, const State& now, const Points& gradient, double h, Workers& workers,
                   State& next) {
  next.x.resize(now.x.rows(), 3);
  next.v.resize(now.v.rows(), 3);
  each_rows(workers, now.x.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    for (Eigen::Index i = first; i < first + rows; ++i) {
      next.x.row(i) = now.x.row(i) + h * now.v.row(i);
      next.v.row(i) = now.v.row(i) - (h / model.M[i]) * gradient.row(i);
    }
  });
}

StepReport ForwardEuler::step(const StepInput& input, State& next) {
  with_exact_gradient(input, gradient_, next);
  return report_of(next, 0);
}

StepReport SymplecticEuler::step(const StepInput& input, State& next) {
  with_exact_gradient(input, gradient_, next);
  next.x.noalias() = input.history.now.x + input.h * next.v;
  return report_of(next, 1);
}

}  // namespace rebound::sim
