#include "sim/integrate/exponential.hpp"

#include <algorithm>
#include <array>

#include "sim/step/scheme.hpp"

namespace rebound::sim {
namespace {

constexpr double kDirectionTolerance = 1e-10;
// Directions: a body as stiff as that is not for this method. [Chen20]'s stiff Moebius ball takes 10,000 and more.
constexpr int kMostDirections = 40000;

}  // namespace

Swing Exponential::mode(double lambda) const { return swing(lambda, h_, damping_.a + damping_.b * lambda); }

StepReport Exponential::step(const StepInput& input, State& next) {
  const Model& model = input.model;
  const State& now = input.history.now;
  const double h = input.h;
  if (!system_) system_ = std::make_unique<LinearizedSystem>(model);
  system_->assemble_stiffness(now.x, input.work);
  model.gradient(now.x, gradient_, input.work);
  system_->scale_motion(now.v, v_);
  system_->scale_force(gradient_, f_);
  f_ = -f_;
  h_ = h;
  // A damping that mixes modes is left to come after the step: cos and sinc of w h know of none.
  const bool damped = input.damping && input.damping->is_proportional();
  damping_ = damped ? *input.damping : LinearDamping{};

  K_.take(system_->matrix(), input.work.workers);
  K_.to_rows(v_, v_of_rows_);
  K_.to_rows(f_, f_of_rows_);
  const PairMatrix K{
      [this](int first, int end, const double* from, double* to) { return K_.multiply(first, end, from, to); },
      [this](int first, int end) { return K_.reach(first, end); },
      [this](int row) { return static_cast<double>(K_.blocks_before(row)); }};
  const ScalarFunction s = [this](double lambda) { return mode(lambda).s; };
  const ScalarFunction c = [this](double lambda) { return mode(lambda).c; };
  const ScalarFunction K_c_and_D_s = [this](double lambda) {
    const Swing of = mode(lambda);
    return lambda * of.c + (damping_.a + damping_.b * lambda) * of.s;
  };
  lanczos_.run(K, {v_of_rows_, f_of_rows_}, std::array{s, c, K_c_and_D_s}, {kDirectionTolerance, kMostDirections},
               result_, input.work.workers);
  const auto& [of_v, of_f] = result_.y;
  of_rows_ = of_v.col(0) + of_f.col(1);
  K_.to_vertices(of_rows_, dx_);
  of_rows_ = of_f.col(0) - of_v.col(2);
  K_.to_vertices(of_rows_, dv_);
  next.x = now.x;
  next.v = now.v;
  system_->add_motion(dx_, next.x);
  system_->add_motion(dv_, next.v);

  StepReport report;
  report.outcome = next.finite() ? Outcome::done : Outcome::not_finite;
  report.iterations = result_.products;
  report.converged = result_.converged;
  report.forces = kBackwardEuler.forces(h);
  if (damped) {
    system_->multiply(dx_, K_dx_);
    report.damped = std::max(0.0, dx_.dot(f_) - 0.5 * dx_.dot(K_dx_) - dv_.dot(v_) - 0.5 * dv_.squaredNorm());
  }
  return report;
}

}  // namespace rebound::sim
