#include "sim/integrate/exponential.hpp"

#include "sim/integrate/swing.hpp"
#include "sim/linear/lanczos.hpp"
#include "sim/step/scheme.hpp"

namespace rebound::sim {
namespace {

constexpr double kDirectionTolerance = 1e-10;
// For each of v and f: a body as stiff as that is not for this method.
constexpr int kMostProducts = 3000;

}  // namespace

StepReport Exponential::step(const StepInput& input, State& next) {
  const Model& model = input.model;
  const State& now = input.history.now;
  const double h = input.h;
  if (!system_) system_ = std::make_unique<LinearizedSystem>(model);
  system_->assemble_stiffness(now.x, input.work);
  model.gradient(now.x, gradient_, input.work);
  const Vector v = system_->scaled_motion(now.v), f = -system_->scaled_force(gradient_);

  const auto multiply = [&](const Vector& from, Vector& to) { system_->multiply(from, to); };
  const ScalarFunction s = [h](double lambda) { return swing(lambda, h).s; };
  const ScalarFunction c = [h](double lambda) { return swing(lambda, h).c; };
  const ScalarFunction K_c = [h](double lambda) { return lambda * swing(lambda, h).c; };
  const std::array of_v{s, K_c}, of_f{s, c};
  const LanczosResult by_v = lanczos(multiply, v, of_v, kDirectionTolerance, kMostProducts);
  const LanczosResult by_f = lanczos(multiply, f, of_f, kDirectionTolerance, kMostProducts);
  next.x = now.x + system_->motion(by_v.y.col(0) + by_f.y.col(1));
  next.v = now.v + system_->motion(by_f.y.col(0) - by_v.y.col(1));

  StepReport report;
  report.outcome = next.finite() ? Outcome::done : Outcome::not_finite;
  report.iterations = by_v.products + by_f.products;
  report.converged = by_v.converged && by_f.converged;
  report.forces = kBackwardEuler.forces(h);
  return report;
}

}  // namespace rebound::sim
