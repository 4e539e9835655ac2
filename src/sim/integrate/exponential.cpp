#include "sim/integrate/exponential.hpp"

#include <algorithm>

#include "sim/step/scheme.hpp"

namespace rebound::sim {
namespace {

constexpr double kDirectionTolerance = 1e-10;
// Directions: a body as stiff as that is not for this method. [Chen20]'s stiff Moebius ball takes 10,000 and more.
constexpr int kMostDirections = 40000;

}  // namespace

StepReport Exponential::step(const StepInput& input, State& next) {
  const Model& model = input.model;
  const State& now = input.history.now;
  const double h = input.h;
  if (!system_) system_ = std::make_unique<LinearizedSystem>(model);
  system_->assemble_stiffness(now.x, input.work);
  model.gradient(now.x, gradient_, input.work);
  if (input.push != nullptr) gradient_ -= *input.push;
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
      [this](int first, int end) { return K_.reach(first, end); }, [this](int row) { return K_.work_before(row); }};
  // s, c, and K c + D s.
  const ScalarFunctions functions{3, [this](double lambda, double* values) {
                                    const double d = damping_.a + damping_.b * lambda;
                                    const Swing mode = swing(lambda, h_, d);
                                    values[0] = mode.s;
                                    values[1] = mode.c;
                                    values[2] = lambda * mode.c + d * mode.s;
                                  }};
  const LanczosLimits limits{
      .tolerance = kDirectionTolerance, .directions = kMostDirections, .likely = input.memory.directions};
  lanczos_.run(K, {v_of_rows_, f_of_rows_}, functions, limits, result_, input.work.workers);
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
  report.directions = result_.needed;
  report.forces = kBackwardEuler.forces(h);
  report.forces.of_pressed = true;
  if (damped) {
    system_->multiply(dx_, K_dx_);
    report.damped = std::max(0.0, dx_.dot(f_) - 0.5 * dx_.dot(K_dx_) - dv_.dot(v_) - 0.5 * dv_.squaredNorm());
  }
  return report;
}

}  // namespace rebound::sim
