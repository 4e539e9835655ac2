#include "sim/integrate/brake.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "sim/base/row_passes.hpp"
#include "sim/integrate/friction_step.hpp"

namespace rebound::sim {
namespace {

// Typically 0.3 to 8 extra iterations bring backward Euler below the target; the cap is a bound on the frame.
constexpr int kMostStabilizerIterations = 20;
constexpr int kFewestRestartIterations = 4;
// What a solve to its tolerance leaves undone may be more energy than what lies all but still has.
constexpr double kFiner = 1e-2;

StepForces backward_forces(double h) { return kBackwardEuler.forces(h); }

}  // namespace

void Brake::begin(const StepInput& input, const Points& x, const FrictionWork& like, Points* y, bool goes_on) {
  copy_rows(input.work.workers, x, euler_.x);
  like_ = &like;
  knows_y_ = y != nullptr;
  goes_on_ = goes_on;
  if (knows_y_) buffers_.y.swap(*y);
}

StepObjective Brake::objective(const StepInput& input) {
  buffers_.push = input.push;
  return {input.model, kBackwardEuler, input.h, input.history, buffers_, input.work, 1, knows_y_};
}

// One iteration of Newton is far from backward Euler where surfaces press: the blend would have the right energy, but
// forces in it out of which the next step makes more.
void Brake::iterate(const StepInput& input, const StopRule& stop, StepReport& report) {
  const SolverSettings& solver = input.solver;
  SolveEffort effort =
      solver.effort(solver.stabilizer_iterations.value_or(solver.to_tolerance ? solver.iterations : 1));
  effort.goes_on = goes_on_;
  iterate(input, effort, stop, report);
}

// Improves euler_.x, and writes euler_.v.
void Brake::iterate(const StepInput& input, SolveEffort effort, const StopRule& stop, StepReport& report) {
  const StepObjective g = objective(input);
  effort.enough = 0;
  bool stopped = false;
  const auto watched = [&](const Points& x, double E) { return stopped = stop(x, E); };
  const SolveReport done =
      input.minimizer.minimize(g, effort, stop ? StopRule(std::cref(watched)) : StopRule(), euler_.x);
  report.add(done);
  report.outcome = done.outcome;
  // One that is stopped before it begins is asked for nothing; one that finds nothing left to do has solved it.
  if (stopped && done.iterations == 0) return;
  const double K = g.velocity(euler_.x, euler_.v);
  if (report.outcome == Outcome::done && !std::isfinite(K)) report.outcome = Outcome::not_finite;
}

void Brake::iterate_below_target(const StepInput& input, StepReport& report) {
  const StepObjective g = objective(input);
  // By reference: what it looks at is too much to be kept without asking for memory.
  const auto is_below = [&](const Points& x, double E) {
    return E + g.velocity(x, euler_.v) - input.ledger.target() - outside_work(input, x, backward_forces(input.h)) <= 0;
  };
  const int most = input.solver.to_tolerance ? input.solver.iterations : kMostStabilizerIterations;
  SolveEffort effort = input.solver.effort(most);
  effort.tolerance *= kFiner;
  iterate(input, effort, std::cref(is_below), report);
}

// From x_n backward Euler never starts above the target: there its velocity is zero.
void Brake::iterate_from_start(const StepInput& input, StepReport& report) {
  euler_.x = input.history.now.x;
  iterate(input, input.solver.effort(std::max(input.solver.iterations, kFewestRestartIterations)), nullptr, report);
}

// Backward Euler's iterations go on from euler_ itself.
const State& Brake::with_friction(const StepInput& input) {
  const StepForces forces = backward_forces(input.h);
  friction_ = {};
  if (!has_friction(input.model, input.history.now, forces, euler_)) return euler_;
  after_friction_ = euler_;
  friction_ = friction_step(input, forces, after_friction_, {like_});
  return after_friction_;
}

// A full backward Euler step, e joules above the target; later frames take the rest out. What friction has not taken,
// for all the work of its impulses, is not missing. Where it has made energy, some of it, or all, is given up.
void Brake::settle(const StepInput& input, const State& after_friction, double e, StepReport& report, State& next) {
  const double not_taken = std::clamp(e, 0.0, friction_.taken), made = e - not_taken;
  friction_.taken -= not_taken;
  report.blend = 1;
  report.forces = backward_forces(input.h);
  report.friction = friction_;
  report.movers = {};
  if (&after_friction == &euler_ || made <= input.blend.tolerance * input.ledger.scale()) {
    next = after_friction;
    return;
  }
  const FrictionWork none;
  const StepForces forces = backward_forces(input.h);
  const Blend less(input, {after_friction, friction_, forces}, made, {euler_, none, forces});
  if (less.e_to() <= 0) {
    const auto [alpha, E] = less.balance(next);
    report.energy = E;
    report.friction = less.friction(alpha);
    report.movers = less.movers(alpha);
  } else if (less.e_to() < made) {
    report.friction = none;
    next = euler_;
  } else {
    next = after_friction;
  }
}

// Of midpoint there is nothing to be used.
void Brake::step_from_start(const StepInput& input, StepReport& report, State& next) {
  iterate_from_start(input, report);
  if (report.outcome != Outcome::done) return;
  const State& after_friction = with_friction(input);
  const double e = input.model.energy(after_friction.x, input.work) + input.model.kinetic(after_friction.v) -
                   input.ledger.target() - outside_work(input, after_friction.x, backward_forces(input.h)) -
                   friction_.added();
  settle(input, after_friction, e, report, next);
}

void Brake::blend_from_start(const StepInput& input, const End& from, StepReport& report, State& next) {
  iterate_from_start(input, report);
  if (report.outcome == Outcome::done) blend(input, from, std::numeric_limits<double>::infinity(), 0, report, next);
}

bool Brake::blend(const StepInput& input, const End& from, double e_from, double tolerated, StepReport& report,
                  State& next) {
  const StepForces backward = backward_forces(input.h);
  const bool tolerable = e_from <= tolerated;
  const State* euler = &with_friction(input);
  std::optional<Blend> line(std::in_place, input, from, e_from, End{*euler, friction_, backward});
  if (!input.solver.stabilizer_iterations && !tolerable) {
    // The second way is for a state so far away that backward Euler does not come down from there in time; and where it
    // did not in the step before, the first is not tried again.
    for (const auto iterations : {&Brake::iterate_below_target, &Brake::iterate_from_start}) {
      if (line->e_to() <= 0) break;
      if (input.memory.sunken && iterations == &Brake::iterate_below_target) continue;
      (this->*iterations)(input, report);
      if (report.outcome != Outcome::done) return true;
      euler = &with_friction(input);
      line.emplace(input, from, e_from, End{*euler, friction_, backward});
    }
  }
  if (line->e_to() > 0) {
    if (!tolerable) settle(input, *euler, line->e_to(), report, next);
    return !tolerable;
  }
  const auto [alpha, E] = line->balance(next);
  report.energy = E;
  report.blend = alpha;
  report.forces = line->forces(alpha);
  report.friction = line->friction(alpha);
  report.movers = line->movers(alpha);
  return true;
}

}  // namespace rebound::sim
