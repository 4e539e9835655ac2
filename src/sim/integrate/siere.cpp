#include "sim/integrate/siere.hpp"

#include "sim/integrate/swing.hpp"
#include "sim/step/scheme.hpp"

namespace rebound::sim {
namespace {

// Modes that follow a body are exact to some digits, and the step holds for any orthonormal ones; beyond this residual
// they are no modes of it.
constexpr double kPoorModes = 0.1;

}  // namespace

ScaledIncrement siere_increment(LinearizedSystem& system, const Modes& modes, const Vector& v, const Vector& f, double h,
                                ProportionalDamping damping) {
  const auto X = modes.answers();
  const Vector v_G = X.transpose() * v, f_G = X.transpose() * f;  // Eq. 8, 11
  Vector p(modes.count), q(modes.count), c(modes.count);
  for (int i = 0; i < modes.count; ++i) {
    const double lambda = modes.lambda[i];
    const Swing mode = swing(lambda, h);
    p[i] = v_G[i] * mode.s + f_G[i] * mode.c;
    q[i] = f_G[i] * mode.s - lambda * v_G[i] * mode.c;
    c[i] = q[i] / (1 + h * (damping.a + damping.b * lambda));
  }
  const Vector r1 = h * (v - X * v_G) + X * p;
  const Vector r2 = h * (f - X * f_G) + X * q;

  Vector S_r1;
  system.multiply(r1, S_r1);
  const double share = h / system.stiffness_factor();  // of S - (1 + h a) M in h K
  Vector y = r2 - share * (S_r1 - system.mass_factor() * r1);
  y -= X * (X.transpose() * y).eval();
  system.solve(y);
  y -= X * (X.transpose() * y).eval();
  return {r1 + h * y, X * c + y};
}

StepReport Siere::step(const StepInput& input, State& next) {
  const Model& model = input.model;
  const State& now = input.history.now;
  if (!system_)
    system_ = std::make_unique<LinearizedSystem>(model, input.minimizer.factors().analysis().coordinates);
  StepReport report;
  if (!system_->assemble(now.x, input.h, {}, input.work)) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  auto modes = std::make_shared<Modes>();
  modes->X.resize(system_->size(), 0);
  if (with_modes_) *modes = lowest_modes(*system_, input.modes, input.memory.modes.get());

  model.gradient(now.x, gradient_, input.work);
  const ScaledIncrement step = siere_increment(*system_, *modes, system_->scaled_motion(now.v),
                                               -system_->scaled_force(gradient_), input.h, {});
  next.x = now.x + system_->motion(step.dx);
  next.v = now.v + system_->motion(step.dv);
  report.outcome = next.finite() ? Outcome::done : Outcome::not_finite;
  report.iterations = 1;
  report.forces = kBackwardEuler.forces(input.h);
  if (with_modes_) {
    report.converged = modes->residual <= kPoorModes;
    report.modes = std::move(modes);
  }
  return report;
}

}  // namespace rebound::sim
