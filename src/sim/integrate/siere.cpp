#include "sim/integrate/siere.hpp"

#include <algorithm>
#include <array>

#include "sim/integrate/swing.hpp"
#include "sim/step/scheme.hpp"

namespace rebound::sim {
namespace {

// Modes that follow a body are exact to some digits, and the step holds for any orthonormal ones; where the last sweep
// still turned one of them by more than this sine, they are no modes of it.
constexpr double kPoorTurn = 0.1;

}  // namespace

// p, q of each mode, and what damping takes of it.
void SiereIncrement::swing_modes(const Modes& modes, double h, ProportionalDamping damping) {
  swung_.resize(modes.count, 2);
  for (int i = 0; i < modes.count; ++i) {
    const double lambda = modes.lambda[i], d = damping.a + damping.b * lambda;
    const double v_G = -of_modes_(i, 0), f_G = -of_modes_(i, 1);
    const Swing mode = swing(lambda, h, d);
    const double p = swung_(i, 0) = v_G * mode.s + f_G * mode.c;
    const double q = swung_(i, 1) = f_G * mode.s - (lambda * mode.c + d * mode.s) * v_G;
    kinetic_of_modes_ += 0.5 * v_G * v_G;
    if (d != 0) damped_ += (f_G - 0.5 * lambda * p) * p - (v_G + 0.5 * q) * q;
  }
}

// h v_H^T D v_H where the step ends.
double SiereIncrement::damping_of_rest(LinearizedSystem& system, double h, ProportionalDamping damping) {
  if (damping.a == 0 && damping.b == 0) return 0;
  system.multiply(dv_, image_);
  const double squared = dv_.squaredNorm();
  return h * (damping.a * squared +
              damping.b / system.stiffness_factor() * (dv_.dot(image_) - system.mass_factor() * squared));
}

void SiereIncrement::find(LinearizedSystem& system, const Modes& modes, const Vector& v, const Vector& f, double h,
                          ProportionalDamping damping) {
  const Tall X = modes.answers();
  Workers& workers = system.workers();
  const auto take_out_modes = [&](Eigen::MatrixXd& columns, Eigen::MatrixXd& of_each) {
    of_each = -products_.run(std::array{TallFactor{X, columns}}, workers)[0];
    set_products(columns, 1, std::array{TallFactor{X, of_each}}, workers);
  };
  kinetic_of_modes_ = damped_ = 0;
  rest_.resize(v.size(), 2);
  rest_ << v, f;
  take_out_modes(rest_, of_modes_);  // Eq. 8, 11
  swing_modes(modes, h, damping);
  const auto v_H = rest_.col(0), f_H = rest_.col(1);

  // S = (1 + h a) + (h b + h^2) K, so h D v_H + h^2 K v_H = S v_H - v_H.
  const double share = h / system.stiffness_factor();
  Xp_.setZero(v.size(), 1);
  set_products(Xp_, 1, std::array{TallFactor{X, swung_.leftCols(1)}}, workers);
  moved_ = v_H + share * Xp_.col(0);
  system.multiply(moved_, image_);
  y_ = h * f_H + v_H + (share * system.mass_factor()) * Xp_.col(0) - image_;
  take_out_modes(y_, y_of_modes_);
  moved_ = y_.col(0);
  system.solve(moved_);
  y_ = moved_;
  take_out_modes(y_, y_of_modes_);

  dv_ = v_H + y_.col(0);
  damped_ += damping_of_rest(system, h, damping);
  dx_ = Xp_.col(0) + h * dv_;
  set_products(y_, 1, std::array{TallFactor{X, swung_.rightCols(1)}}, workers);
  dv_ = y_.col(0);
}

const std::shared_ptr<Modes>& Siere::free_modes() {
  for (std::shared_ptr<Modes>& modes : modes_) {
    if (!modes) modes = std::make_shared<Modes>();
    if (modes.use_count() == 1) return modes;
  }
  oldest_ = (oldest_ + 1) % modes_.size();
  return modes_[oldest_] = std::make_shared<Modes>();
}

StepReport Siere::step(const StepInput& input, State& next) {
  const Model& model = input.model;
  const State& now = input.history.now;
  if (!system_) system_ = std::make_unique<LinearizedSystem>(model, input.minimizer.factors().analysis().coordinates);
  StepReport report;
  const ProportionalDamping damping = input.damping.value_or(ProportionalDamping{});
  if (!system_->assemble(now.x, input.h, damping, input.work)) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  const std::shared_ptr<Modes>& modes = free_modes();
  if (with_modes_) {
    search_.run(*system_, input.modes, input.memory.modes.get(), *modes);
  } else {
    modes->X.resize(system_->size(), 0);
  }

  model.gradient(now.x, gradient_, input.work);
  system_->scale_motion(now.v, v_);
  system_->scale_force(gradient_, f_);
  f_ = -f_;
  increment_.find(*system_, *modes, v_, f_, input.h, damping);
  next.x = now.x;
  next.v = now.v;
  system_->add_motion(increment_.dx(), next.x);
  system_->add_motion(increment_.dv(), next.v);
  report.outcome = next.finite() ? Outcome::done : Outcome::not_finite;
  report.iterations = 1;
  report.forces = kBackwardEuler.forces(input.h);
  if (input.damping) report.damped = std::max(0.0, increment_.damped());
  if (with_modes_) {
    report.converged = modes->converged || modes->turn <= kPoorTurn;
    const double whole = 0.5 * v_.squaredNorm();
    report.modal = ModalShare{whole, std::max(0.0, whole - increment_.kinetic_of_modes())};
    report.modes = modes;
  }
  return report;
}

}  // namespace rebound::sim
