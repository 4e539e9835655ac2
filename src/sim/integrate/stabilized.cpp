#include "sim/integrate/stabilized.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "sim/base/row_passes.hpp"
#include "sim/integrate/explicit.hpp"
#include "sim/integrate/friction_step.hpp"
#include "sim/integrate/one_solve.hpp"
#include "sim/integrate/root.hpp"

namespace rebound::sim {
namespace {

// Typically 0.3 to 8 extra iterations bring backward Euler below the target; the cap is a bound on the frame.
constexpr int kMostStabilizerIterations = 20;
constexpr int kFewestRestartIterations = 4;
// The root is found more closely than the tolerance asks, so that errors just inside it do not add up on one side.
constexpr double kRootTolerance = 0.1;
constexpr int kMostProbes = 40;

StepForces midpoint_forces(double h) { return kImplicitMidpoint.forces(h); }
StepForces backward_forces(double h) { return kBackwardEuler.forces(h); }
// Friction answers as midpoint would have, whose matrix is there.
StepForces forward_forces(double h) { return {kImplicitMidpoint.stiffness_factor(h), 0, 0, 1}; }

// What moving obstacles do to the bodies on their way to x, J: the target rises by that during the step.
double surface_work(const StepInput& input, const Points& x, const StepForces& forces) {
  return SurfaceWork(input.model.contacts, input.history.now.x, x, x).value(0, forces.at);
}

FrictionWork between(const FrictionWork& a, const FrictionWork& b, double alpha) {
  FrictionWork work{a.taken + alpha * (b.taken - a.taken), a.made + alpha * (b.made - a.made), {}, {}, {}};
  work.impulses = a.impulses.empty() ? b.impulses : a.impulses;
  work.by_surfaces.resize(std::max(a.by_surfaces.size(), b.by_surfaces.size()));
  const auto add = [&](const std::vector<double>& from, double share) {
    for (std::size_t c = 0; c < from.size(); ++c) work.by_surfaces[c] += share * from[c];
  };
  add(a.by_surfaces, 1 - alpha);
  add(b.by_surfaces, alpha);
  return work;
}

// What one of the blended methods has reached.
struct End {
  const State& state;
  const FrictionWork& friction;
  StepForces forces;
};

// e along the line between midpoint and another state, where e at its beginning is known.
class Blend {
 public:
  Blend(const StepInput& input, const End& from, double e_from, const End& to)
      : input_(input),
        from_(from),
        to_(to),
        line_(input.minimizer.line()),
        surface_work_(input.model.contacts, input.history.now.x, from.state.x, to.state.x),
        e_from_(e_from) {
    const Model& model = input.model;
    const Points &v_from = from.state.v, &v_to = to.state.v;
    K_ = sum_rows<3>(input.work.workers, v_from.rows(), [&](Eigen::Index first, Eigen::Index rows, auto& twice) {
      for (Eigen::Index i = first; i < first + rows; ++i) {
        if (model.fixed[i]) continue;
        twice[0] += model.M[i] * v_from.row(i).squaredNorm();
        twice[1] += model.M[i] * v_from.row(i).dot(v_to.row(i));
        twice[2] += model.M[i] * v_to.row(i).squaredNorm();
      }
    });
    for (double& K : K_) K *= 0.5;
    line_.prepare(from.state.x, to.state.x, e_from - K_[0] + target(0), input.work);
    e_to_ = e(1);
  }

  double e_to() const { return e_to_; }
  double e(double alpha) const {
    const double rest = 1 - alpha, K = rest * rest * K_[0] + 2 * alpha * rest * K_[1] + alpha * alpha * K_[2];
    return line_.value(alpha, input_.work) + K - target(alpha);
  }
  // Those of midpoint's matrix: between it and the other method.
  StepForces forces(double alpha) const {
    const auto mixed = [&](double from, double to) { return from + alpha * (to - from); };
    return {from_.forces.coefficient, mixed(from_.forces.at, to_.forces.at),
            mixed(from_.forces.displacement, to_.forces.displacement), mixed(from_.forces.impulse, to_.forces.impulse)};
  }
  FrictionWork friction(double alpha) const { return between(from_.friction, to_.friction, alpha); }

  // e must have opposite signs at the two ends. Writes the state where e = 0 and returns its weight of `to`.
  double balance(State& next) const {
    const double enough = kRootTolerance * input_.blend.tolerance * input_.ledger.scale();
    const double alpha = bracketed_root([this](double at) { return e(at); }, e_from_, e_to_, enough, kMostProbes);
    const State &from = from_.state, &to = to_.state;
    next.x.resize(from.x.rows(), 3);
    next.v.resize(from.v.rows(), 3);
    each_rows(input_.work.workers, from.x.rows(), [&](Eigen::Index first, Eigen::Index rows) {
      // In this form a vertex that is at the same place in both, such as a fixed one, stays there to the last bit.
      const auto mixed = [&](const Points& a, const Points& b) {
        return a.middleRows(first, rows) + alpha * (b.middleRows(first, rows) - a.middleRows(first, rows));
      };
      next.x.middleRows(first, rows) = mixed(from.x, to.x);
      next.v.middleRows(first, rows) = mixed(from.v, to.v);
    });
    return alpha;
  }

 private:
  double target(double alpha) const {
    const double by_friction = from_.friction.added() + alpha * (to_.friction.added() - from_.friction.added());
    return input_.ledger.target() + surface_work_.value(alpha, forces(alpha).at) + by_friction;
  }

  const StepInput& input_;
  const End from_, to_;
  EnergyLine& line_;
  SurfaceWork surface_work_;
  double e_from_, e_to_;
  std::array<double, 3> K_;
};

}  // namespace

StepReport Stabilized::step(const StepInput& input, State& next) {
  StepReport report = solve_step(kImplicitMidpoint, input, midpoint_buffers_, midpoint_);
  if (report.outcome == Outcome::factor_failed) return report;
  if (report.outcome == Outcome::not_finite) {
    midpoint_friction_ = {};
    step_from_start(input, report, next);
    return report;
  }

  midpoint_friction_ = friction_step(input, midpoint_forces(input.h), midpoint_);
  const double rest = input.model.kinetic(midpoint_.v) - input.ledger.target() -
                      surface_work(input, midpoint_.x, midpoint_forces(input.h)) - midpoint_friction_.added();
  const double enough = input.blend.tolerance * input.ledger.scale();
  // What friction has made is taken out at once: it would keep shaking what is at rest.
  const double too_much = midpoint_friction_.made > 0 ? kRootTolerance * enough : enough;
  double e_midpoint = INFINITY;
  const bool knows_E = midpoint_friction_.E.has_value() || input.held;
  if (knows_E) {
    // Chances are that this is all, and the session wants E in double precision anyway.
    const EnergyByKind E =
        midpoint_friction_.E ? *midpoint_friction_.E : input.model.energy_by_kind(midpoint_.x, input.work);
    const double e = std::accumulate(E.begin(), E.end(), rest);
    if (e >= -enough && e <= too_much) report.energy = E;
    if (std::isfinite(e)) e_midpoint = e;
  }
  // "BEsolve(x_IM)": x_IM is the initial guess; the step itself starts from (x_n, v_n). The first thing that the solve
  // looks at is E(x_IM), which tells whether there is anything to take out; if not, nothing is solved.
  if (!knows_E || (e_midpoint > too_much && std::isfinite(e_midpoint))) {
    euler_.x = midpoint_.x;
    const StopRule nothing_to_take_out = [&](const Points&, double E) {
      if (std::isfinite(E)) e_midpoint = E + rest;
      return e_midpoint <= too_much || std::isinf(e_midpoint);
    };
    iterate_backward_euler(input, input.solver.stabilizer_iterations.value_or(1), nothing_to_take_out, report);
    if (report.outcome != Outcome::done) return report;
  }

  if (std::isinf(e_midpoint)) {
    step_from_start(input, report, next);
  } else if (e_midpoint >= -enough && e_midpoint <= too_much) {
    take_midpoint(input, report, next);
  } else if (e_midpoint < 0) {
    blend_with_forward_euler(input, e_midpoint, report, next);
  } else {
    blend_with_backward_euler(input, e_midpoint, report, next);
  }
  return report;
}

// Improves euler_.x, and writes euler_.v.
void Stabilized::iterate_backward_euler(const StepInput& input, int iterations, const StopRule& stop,
                                        StepReport& report) {
  const StepObjective g(input.model, kBackwardEuler, input.h, input.history, euler_buffers_, input.work);
  const SolveReport done = input.minimizer.minimize(g, iterations, stop, euler_.x);
  report.iterations += done.iterations;
  report.converged = report.converged && done.converged;
  report.outcome = done.outcome;
  if (done.iterations == 0) return;
  const double K = g.velocity(euler_.x, euler_.v);
  if (report.outcome == Outcome::done && !std::isfinite(K)) report.outcome = Outcome::not_finite;
}

void Stabilized::iterate_below_target(const StepInput& input, StepReport& report) {
  const StepObjective g(input.model, kBackwardEuler, input.h, input.history, euler_buffers_, input.work);
  const StopRule below = [&](const Points& x, double E) {
    return E + g.velocity(x, euler_.v) - input.ledger.target() - surface_work(input, x, backward_forces(input.h)) <= 0;
  };
  iterate_backward_euler(input, kMostStabilizerIterations, below, report);
}

// From x_n backward Euler never starts above the target: there its velocity is zero.
void Stabilized::iterate_from_start(const StepInput& input, StepReport& report) {
  euler_.x = input.history.now.x;
  iterate_backward_euler(input, std::max(input.solver.iterations, kFewestRestartIterations), nullptr, report);
}

// Backward Euler's iterations go on from euler_ itself.
const State& Stabilized::euler_with_friction(const StepInput& input, const StepForces& forces) {
  euler_friction_ = {};
  if (!has_friction(input.model, input.history.now, forces, euler_)) return euler_;
  euler_after_friction_ = euler_;
  euler_friction_ = friction_step(input, forces, euler_after_friction_, &midpoint_friction_);
  return euler_after_friction_;
}

const State& Stabilized::backward_euler_with_friction(const StepInput& input) {
  return euler_with_friction(input, backward_forces(input.h));
}

void Stabilized::take_midpoint(const StepInput& input, StepReport& report, State& next) {
  std::swap(next, midpoint_);
  report.blend = 0;
  report.forces = midpoint_forces(input.h);
  report.friction = midpoint_friction_;
}

// A full backward Euler step, e joules above the target; later frames take the rest out. What friction has not taken,
// for all the work of its impulses, is not missing. Where it has made energy, some of it, or all, is given up.
void Stabilized::settle_for_backward_euler(const StepInput& input, const State& after_friction, double e,
                                           StepReport& report, State& next) {
  const double not_taken = std::clamp(e, 0.0, euler_friction_.taken), made = e - not_taken;
  euler_friction_.taken -= not_taken;
  report.blend = 1;
  report.forces = backward_forces(input.h);
  report.friction = euler_friction_;
  if (&after_friction == &euler_ || made <= input.blend.tolerance * input.ledger.scale()) {
    next = after_friction;
    return;
  }
  const FrictionWork none;
  const StepForces forces = backward_forces(input.h);
  const Blend less(input, {after_friction, euler_friction_, forces}, made, {euler_, none, forces});
  if (less.e_to() <= 0) {
    report.friction = less.friction(less.balance(next));
  } else if (less.e_to() < made) {
    report.friction = none;
    next = euler_;
  } else {
    next = after_friction;
  }
}

// Of midpoint there is nothing to be used.
void Stabilized::step_from_start(const StepInput& input, StepReport& report, State& next) {
  iterate_from_start(input, report);
  if (report.outcome != Outcome::done) return;
  const State& after_friction = backward_euler_with_friction(input);
  const double e = input.model.energy(after_friction.x, input.work) + input.model.kinetic(after_friction.v) -
                   input.ledger.target() - surface_work(input, after_friction.x, backward_forces(input.h)) -
                   euler_friction_.added();
  settle_for_backward_euler(input, after_friction, e, report, next);
}

void Stabilized::blend_with_backward_euler(const StepInput& input, double e_midpoint, StepReport& report, State& next) {
  const End midpoint{midpoint_, midpoint_friction_, midpoint_forces(input.h)};
  const StepForces backward = backward_forces(input.h);
  const bool tolerable = e_midpoint <= input.blend.tolerance * input.ledger.scale();
  const State* euler = &backward_euler_with_friction(input);
  std::optional<Blend> blend(std::in_place, input, midpoint, e_midpoint, End{*euler, euler_friction_, backward});
  if (!input.solver.stabilizer_iterations && !tolerable) {
    // The second way is for a midpoint so far away that backward Euler does not come down from there in time.
    for (const auto iterate : {&Stabilized::iterate_below_target, &Stabilized::iterate_from_start}) {
      if (blend->e_to() <= 0) break;
      (this->*iterate)(input, report);
      if (report.outcome != Outcome::done) return;
      euler = &backward_euler_with_friction(input);
      blend.emplace(input, midpoint, e_midpoint, End{*euler, euler_friction_, backward});
    }
  }
  if (blend->e_to() > 0 && tolerable) return take_midpoint(input, report, next);
  if (blend->e_to() > 0) return settle_for_backward_euler(input, *euler, blend->e_to(), report, next);
  const double alpha = blend->balance(next);
  report.blend = alpha;
  report.forces = blend->forces(alpha);
  report.friction = blend->friction(alpha);
}

void Stabilized::blend_with_forward_euler(const StepInput& input, double e_midpoint, StepReport& report, State& next) {
  if (!input.blend.forward_blend) return take_midpoint(input, report, next);
  forward_euler(input.model, input.history.now, input.h, input.work, euler_buffers_.gradient, euler_);
  const StepForces forward = forward_forces(input.h);
  const State& euler = euler_with_friction(input, forward);
  const Blend blend(input, {midpoint_, midpoint_friction_, midpoint_forces(input.h)}, e_midpoint,
                    {euler, euler_friction_, forward});
  // Forward Euler may fail to raise a non-convex energy to the target: then the nearer of the two.
  if (!std::isfinite(blend.e_to()) || blend.e_to() <= e_midpoint) return take_midpoint(input, report, next);
  double alpha = 1;
  if (blend.e_to() >= 0)
    alpha = blend.balance(next);
  else
    next = euler;
  report.blend = -alpha;
  report.forces = blend.forces(alpha);
  report.friction = blend.friction(alpha);
}

}  // namespace rebound::sim
