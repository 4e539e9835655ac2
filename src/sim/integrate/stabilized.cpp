#include "sim/integrate/stabilized.hpp"

#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "sim/integrate/explicit.hpp"
#include "sim/integrate/friction_step.hpp"
#include "sim/integrate/one_solve.hpp"

namespace rebound::sim {
namespace {

StepForces midpoint_forces(double h) { return kImplicitMidpoint.forces(h); }
// Friction answers as midpoint would have, whose matrix is there.
StepForces forward_forces(double h) { return {kImplicitMidpoint.stiffness_factor(h), 0, 0, 1}; }

}  // namespace

StepReport Stabilized::step(const StepInput& input, State& next) {
  look_at_start(input);
  StepReport report = solve_step(kImplicitMidpoint, input, buffers_, midpoint_);
  if (report.outcome == Outcome::factor_failed) return report;
  if (report.outcome == Outcome::not_finite) {
    midpoint_friction_ = {};
    brake_.begin(input, input.history.now.x, midpoint_friction_);
    brake_.step_from_start(input, report, next);
    return report;
  }

  midpoint_friction_ = friction_step(input, midpoint_forces(input.h), midpoint_);
  const double rest = input.model.kinetic(midpoint_.v, input.work.workers) - input.ledger.target() -
                      outside_work(input, midpoint_.x, midpoint_forces(input.h)) - midpoint_friction_.added();
  const double enough = input.blend.tolerance * input.ledger.scale();
  // Of what friction has made little is left: it would keep shaking what is at rest.
  const double too_much = midpoint_friction_.made > 0 ? kRootTolerance * enough : enough;
  double e_midpoint = INFINITY;
  const bool knows_E = midpoint_friction_.E.has_value() || input.memory.held;
  if (knows_E) {
    // Chances are that this is all, and the session wants E in double precision anyway.
    const EnergyByKind E =
        midpoint_friction_.E ? *midpoint_friction_.E : input.model.energy_by_kind(midpoint_.x, input.work);
    const double e = std::accumulate(E.begin(), E.end(), rest);
    if (std::isfinite(e)) e_midpoint = e;
    if (e > too_much && e <= enough)
      e_midpoint -= calming_.take_out(input, kImplicitMidpoint.stiffness_factor(input.h), e, midpoint_);
    if (e >= -enough && e <= enough) report.energy = E;
  }
  // "BEsolve(x_IM)": x_IM is the initial guess; the step itself starts from (x_n, v_n). The first thing that the solve
  // looks at is E(x_IM), which tells whether there is anything to take out; if not, nothing is solved.
  if (!knows_E || (e_midpoint > enough && std::isfinite(e_midpoint))) {
    // Friction that rubs after the solve may have moved bodies. A push has another share in midpoint's y.
    Points* y = input.push == nullptr ? &buffers_.y : nullptr;
    brake_.begin(input, midpoint_.x, midpoint_friction_, y, y != nullptr && !midpoint_friction_.E);
    bool asked = false;
    const auto nothing_to_take_out = [&](const Points&, double E) {
      // What it is asked later is about iterates of backward Euler, or about x_n where a solver begins anew.
      if (std::exchange(asked, true)) return false;
      if (std::isfinite(E)) e_midpoint = E + rest;
      return e_midpoint <= enough || std::isinf(e_midpoint);
    };
    brake_.iterate(input, std::cref(nothing_to_take_out), report);
    if (report.outcome != Outcome::done) return report;
  }

  const End midpoint{midpoint_, midpoint_friction_, midpoint_forces(input.h)};
  if (std::isinf(e_midpoint)) {
    brake_.begin(input, input.history.now.x, midpoint_friction_);
    brake_.blend_from_start(input, midpoint, report, next);
  } else if (e_midpoint >= -enough && e_midpoint <= enough) {
    take_midpoint(input, report, next);
  } else if (e_midpoint < 0) {
    blend_with_forward_euler(input, e_midpoint, report, next);
  } else if (!brake_.blend(input, midpoint, e_midpoint, enough, report, next)) {
    take_midpoint(input, report, next);
  }
  return report;
}

// The solve takes what moves along; forward Euler begins with where it was.
void Stabilized::look_at_start(const StepInput& input) {
  const Model& model = input.model;
  work_from_start_.reset();
  if (!has_movers(model)) return;
  find_forces_at_start(input);
  work_from_start_ = 0;
  input.put_surfaces(0);
  for (const auto& e : model.step_energies) *work_from_start_ += e->work_of_movers(input.history.now.x);
  input.put_surfaces(1);
}

void Stabilized::find_forces_at_start(const StepInput& input) {
  input.put_surfaces(0);
  input.minimizer.gradient(input.history.now.x, gradient_, input.work);
  if (input.push != nullptr) gradient_ -= *input.push;
  input.put_surfaces(1);
}

// What rubs within a solve, by where a step ends, does so here: else a body that gets energy back would slide freely.
void Stabilized::rub_forward(const StepInput& input) {
  const Model& model = input.model;
  if (model.step_losses.empty()) return;
  gradient_.setZero();
  for (const auto& loss : model.step_losses) loss->add_gradient(forward_.x, gradient_, input.work);
  model.clear_fixed(gradient_);
  forward_.v.array() -= input.h * (gradient_.array().colwise() / model.M.array());
}

void Stabilized::take_midpoint(const StepInput& input, StepReport& report, State& next) {
  std::swap(next, midpoint_);
  report.blend = 0;
  report.forces = midpoint_forces(input.h);
  report.friction = midpoint_friction_;
}

void Stabilized::blend_with_forward_euler(const StepInput& input, double e_midpoint, StepReport& report, State& next) {
  if (!input.blend.forward_blend) return take_midpoint(input, report, next);
  const State& now = input.history.now;
  if (!work_from_start_) find_forces_at_start(input);
  forward_euler(input.model, now, gradient_, input.h, input.work.workers, forward_);
  const StepForces forward = forward_forces(input.h);
  rub_forward(input);
  const FrictionWork friction = friction_step(input, forward, forward_, {&midpoint_friction_});
  WorkOfMovers movers{work_from_start_, {}};
  if (movers.by_terms)
    for (const auto& loss : input.model.step_losses) *movers.by_terms += loss->work_of_movers(forward_.x);
  const Blend blend(input, {midpoint_, midpoint_friction_, midpoint_forces(input.h)}, e_midpoint,
                    {forward_, friction, forward, movers});
  // Forward Euler may fail to raise a non-convex energy to the target: then the nearer of the two.
  if (std::isnan(blend.e_to()) || blend.e_to() <= e_midpoint) return take_midpoint(input, report, next);
  double alpha = 1;
  if (blend.e_to() >= 0 || input.model.has_barrier()) {
    const Blend::Balance balance = blend.balance(next);
    alpha = balance.alpha;
    report.energy = balance.E;
  } else {
    next = forward_;
  }
  report.blend = -alpha;
  report.forces = blend.forces(alpha);
  report.friction = blend.friction(alpha);
  report.movers = blend.movers(alpha);
}

}  // namespace rebound::sim
