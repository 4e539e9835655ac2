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

void SiereIncrement::take_out_modes(const Tall& X, Eigen::MatrixXd& columns, Eigen::MatrixXd& of_each,
                                    Workers& workers) {
  of_each = -products_.run(std::array{TallFactor{X, columns}}, workers)[0];
  set_products(columns, 1, std::array{TallFactor{X, of_each}}, workers);
}

// p, q of each mode, and what damping takes of it.
void SiereIncrement::swing_modes(const Modes& modes, double h) {
  swung_.resize(modes.count, 2);
  for (int i = 0; i < modes.count; ++i) {
    const double lambda = modes.lambda[i], d = d_[i];
    const double v_G = -of_modes_(i, 0), f_G = -of_modes_(i, 1);
    const Swing mode = swing(lambda, h, d);
    const double p = swung_(i, 0) = v_G * mode.s + f_G * mode.c;
    const double q = swung_(i, 1) = f_G * mode.s - (lambda * mode.c + d * mode.s) * v_G;
    kinetic_of_modes_ += 0.5 * v_G * v_G;
    if (d != 0) damped_ += (f_G - 0.5 * lambda * p) * p - (v_G + 0.5 * q) * q;
  }
}

// h v_H^T D v_H where the step ends.
double SiereIncrement::damping_of_rest(LinearizedSystem& system, double h, LinearDamping damping) {
  if (damping.a == 0 && damping.b == 0) return 0;
  system.multiply(dv_, image_);
  const double squared = dv_.squaredNorm();
  return h * (damping.a * squared +
              damping.b / system.stiffness_factor() * (dv_.dot(image_) - system.mass_factor() * squared));
}

void SiereIncrement::find(LinearizedSystem& system, const Modes& modes, const Vector& v, const Vector& f, double h,
                          LinearDamping damping) {
  const Tall X = modes.answers();
  Workers& workers = system.workers();
  kinetic_of_modes_ = damped_ = 0;
  rest_.resize(v.size(), 2);
  rest_ << v, f;
  take_out_modes(X, rest_, of_modes_, workers);  // Eq. 8, 11
  d_ = damping.a + damping.b * modes.lambda.head(modes.count).array();
  if (!damping.is_proportional()) {
    rate_ = damping.c * system.root_mass().array().square().inverse();
    d_ += X.array().square().matrix().transpose() * rate_;
  }
  swing_modes(modes, h);
  Xp_.setZero(v.size(), 1);
  set_products(Xp_, 1, std::array{TallFactor{X, swung_.leftCols(1)}}, workers);
  if (damping.is_proportional()) {
    solve_for_rest(system, X, h, damping);
  } else {
    solve_for_rest_with_drag(system, modes, h, damping);
  }
}

void SiereIncrement::solve_for_rest(LinearizedSystem& system, const Tall& X, double h, LinearDamping damping) {
  Workers& workers = system.workers();
  const auto v_H = rest_.col(0), f_H = rest_.col(1);
  // S = (1 + h a) + (h b + h^2) K, so h D v_H + h^2 K v_H = S v_H - v_H.
  const double share = h / system.stiffness_factor();
  moved_ = v_H + share * Xp_.col(0);
  system.multiply(moved_, image_);
  y_ = h * f_H + v_H + (share * system.mass_factor()) * Xp_.col(0) - image_;
  take_out_modes(X, y_, y_of_modes_, workers);
  moved_ = y_.col(0);
  system.solve(moved_);
  y_ = moved_;
  take_out_modes(X, y_, y_of_modes_, workers);

  dv_ = v_H + y_.col(0);
  damped_ += damping_of_rest(system, h, damping);
  dx_ = Xp_.col(0) + h * dv_;
  set_products(y_, 1, std::array{TallFactor{X, swung_.rightCols(1)}}, workers);
  dv_ = y_.col(0);
}

void SiereIncrement::solve_for_rest_with_drag(LinearizedSystem& system, const Modes& modes, double h,
                                              LinearDamping damping) {
  const Tall X = modes.answers();
  const auto v_H = rest_.col(0), f_H = rest_.col(1);
  const auto v_G = -of_modes_.col(0);
  // S = 1 + h D + h^2 K, so h D v_H + h^2 K v_H = S v_H - v_H; of D X v_G - X d v_G all but the drag falls out.
  moved_ = v_H;
  system.multiply(moved_, image_);
  const Vector drag_of_modes = d_.array() - damping.a - damping.b * modes.lambda.head(modes.count).array();
  dragged_ = rate_.asDiagonal() * (X * v_G);
  solved_.resize(v_H.size(), modes.count + 1);
  solved_.col(0) =
      h * f_H + v_H - image_ - h * dragged_.col(0) + X * (swung_.col(1) + h * drag_of_modes.cwiseProduct(v_G));
  solved_.rightCols(modes.count) = X;
  system.solve(solved_);
  dv_ = solved_.col(0);
  if (modes.count > 0) {
    // (S - X W X^T)^-1 = S^-1 + Z (1 - W X^T Z)^-1 W X^T S^-1,  Z = S^-1 X.
    const Vector W = h * d_.array() + h * h * modes.lambda.head(modes.count).array();
    const auto Z = solved_.rightCols(modes.count);
    small_ = X.transpose() * Z;
    small_.array().colwise() *= -W.array();
    small_.diagonal().array() += 1;
    lu_.compute(small_);
    dv_ += Z * lu_.solve(W.cwiseProduct(X.transpose() * solved_.col(0)));
  }

  // The work of the force -(D - X d X^T) v where the step ends.
  moved_ = v_H + dv_;
  moved_ -= X * (X.transpose() * moved_);
  dx_ = Xp_.col(0) + h * moved_;
  moved_ = v_H + dv_ + X * v_G;
  const Vector v_of_modes = X.transpose() * moved_;
  dragged_ = rate_.cwiseProduct(moved_) - X * d_.cwiseProduct(v_of_modes);
  if (damping.a > 0) dragged_ += damping.a * moved_;
  if (damping.b > 0) {
    system.multiply(moved_, image_);
    dragged_ += damping.b / system.stiffness_factor() *
                (image_ - system.mass_factor() * moved_ - h * rate_.cwiseProduct(moved_));
  }
  damped_ += dx_.dot(dragged_.col(0));
}

// S of the step, factored, and the modes of S without drag.
bool Siere::factor(const StepInput& input, LinearDamping damping, Modes& modes) {
  system_->assemble(input.history.now.x, input.h, damping, input.work);
  if (with_modes_) {
    if (!system_->factor_for_modes()) return false;
    search_.run(*system_, input.modes, input.memory.modes.get(), modes);
    if (damping.is_proportional()) return true;
  } else {
    modes.X.resize(system_->size(), 0);
  }
  if (!damping.is_proportional()) system_->add_drag(input.h * damping.c);
  return system_->factor();
}

StepReport Siere::step(const StepInput& input, State& next) {
  const Model& model = input.model;
  const State& now = input.history.now;
  if (!system_) system_ = std::make_unique<LinearizedSystem>(model, input.minimizer.factors().analysis().coordinates);
  StepReport report;
  const LinearDamping damping = input.damping.value_or(LinearDamping{});
  const std::shared_ptr<Modes>& modes = modes_.free([] { return Modes(); });
  if (!factor(input, damping, *modes)) {
    report.outcome = Outcome::factor_failed;
    return report;
  }

  model.gradient(now.x, gradient_, input.work);
  if (input.push != nullptr) gradient_ -= *input.push;
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
  report.forces.of_pressed = true;
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
