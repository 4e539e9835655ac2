#include "sim/integrate/siere.hpp"

#include <array>

#include "sim/integrate/swing.hpp"
#include "sim/linear/tall_products.hpp"
#include "sim/step/scheme.hpp"

namespace rebound::sim {
namespace {

// Modes that follow a body are exact to some digits, and the step holds for any orthonormal ones; where the last sweep
// still turned one of them by more than this sine, they are no modes of it.
constexpr double kPoorTurn = 0.1;

}  // namespace

ScaledIncrement siere_increment(LinearizedSystem& system, const Modes& modes, const Vector& v, const Vector& f,
                                double h, ProportionalDamping damping) {
  const Tall X = modes.answers();
  Workers& workers = system.workers();
  const auto seen_by_modes = [&](const Eigen::MatrixXd& columns) {
    return transposed_products(std::array{TallFactor{X, columns}}, workers)[0];
  };
  const auto add_modes = [&](Eigen::MatrixXd& columns, const Eigen::MatrixXd& of_each) {
    set_products(columns, 1, std::array{TallFactor{X, of_each}}, workers);
  };

  Eigen::MatrixXd r(v.size(), 2);
  r << h * v, h * f;
  const Eigen::MatrixXd h_G = seen_by_modes(r);  // h v_G, h f_G: Eq. 8, 11
  Eigen::MatrixXd swung(modes.count, 2);         // p, q
  Vector c(modes.count);
  for (int i = 0; i < modes.count; ++i) {
    const double lambda = modes.lambda[i], v_G = h_G(i, 0) / h, f_G = h_G(i, 1) / h;
    const Swing mode = swing(lambda, h);
    swung(i, 0) = v_G * mode.s + f_G * mode.c;
    swung(i, 1) = f_G * mode.s - lambda * v_G * mode.c;
    c[i] = swung(i, 1) / (1 + h * (damping.a + damping.b * lambda));
  }
  add_modes(r, swung - h_G);  // r1, r2

  Vector S_r1;
  system.multiply(Vector(r.col(0)), S_r1);
  const double share = h / system.stiffness_factor();  // of S - (1 + h a) M in h K
  Eigen::MatrixXd y = r.col(1) - share * (S_r1 - system.mass_factor() * r.col(0));
  add_modes(y, -seen_by_modes(y));
  Vector solved = y;
  system.solve(solved);
  y = solved;
  const Eigen::MatrixXd rest = seen_by_modes(y);
  Eigen::MatrixXd step(v.size(), 2), of_modes(modes.count, 2);
  step << r.col(0) + h * y, y;
  of_modes << -h * rest, c - rest;
  add_modes(step, of_modes);
  return {step.col(0), step.col(1), 0.5 * h_G.col(0).squaredNorm() / (h * h)};
}

StepReport Siere::step(const StepInput& input, State& next) {
  const Model& model = input.model;
  const State& now = input.history.now;
  if (!system_) system_ = std::make_unique<LinearizedSystem>(model, input.minimizer.factors().analysis().coordinates);
  StepReport report;
  if (!system_->assemble(now.x, input.h, {}, input.work)) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  auto modes = std::make_shared<Modes>();
  modes->X.resize(system_->size(), 0);
  if (with_modes_) *modes = lowest_modes(*system_, input.modes, input.memory.modes.get());

  model.gradient(now.x, gradient_, input.work);
  const Vector v = system_->scaled_motion(now.v);
  const ScaledIncrement step = siere_increment(*system_, *modes, v, -system_->scaled_force(gradient_), input.h, {});
  next.x = now.x + system_->motion(step.dx);
  next.v = now.v + system_->motion(step.dv);
  report.outcome = next.finite() ? Outcome::done : Outcome::not_finite;
  report.iterations = 1;
  report.forces = kBackwardEuler.forces(input.h);
  if (with_modes_) {
    report.converged = modes->converged || modes->turn <= kPoorTurn;
    const double whole = 0.5 * v.squaredNorm();
    report.modal = ModalShare{whole, std::max(0.0, whole - step.kinetic_of_modes)};
    report.modes = std::move(modes);
  }
  return report;
}

}  // namespace rebound::sim
