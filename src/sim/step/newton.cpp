#include "sim/step/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/step/first_guess.hpp"

namespace rebound::sim {
namespace {

// Tolerances by which the speed of a whole body may be off. With one, dice that rub take a tenth more iterations.
constexpr double kSpeeds = 3;
// It is waited for while an iteration leaves no more than this of what is off: friction may take dozens.
constexpr double kGetsBetter = 0.7;

// The speed that a body lacks, m/s times h, for its momentum. Where vertices are fixed, something else takes it.
double missing_speed(const Model& model, const BodyRange& body, const Points& gradient) {
  const auto fixed = model.fixed.begin() + body.first;
  if (std::find(fixed, fixed + body.count, 1) != fixed + body.count) return 0;
  const double mass = model.M.segment(body.first, body.count).sum();
  return gradient.middleRows(body.first, body.count).colwise().sum().norm() / mass;
}

}  // namespace

Newton::Newton(const Model& model, Analysis known)
    : model_(model), hessian_(model, known.coordinates), known_(std::move(known)), line_(model) {
  known_.L.reset();
  known_.cache = nullptr;
}

void Newton::let_go() {
  systems_.reset();
  components_ = {};
  hessian_.let_go();
}

Analysis Newton::analysis() const {
  Analysis known = known_;
  known.coordinates = hessian_.analysis();
  return known;
}

RoundingState Newton::rounding_state() const {
  RoundingState state;
  if (systems_) state.factored = systems_->factored();
  state.links = hessian_.links();
  return state;
}

void Newton::restore_rounding(const RoundingState& state, Workers& workers) {
  own_ = {};
  hessian_.restore_links(state.links);
  if (state.factored.empty()) {
    systems_.reset();
  } else {
    systems_for_friction().restore_rounding(state.factored, workers);
  }
}

SolveReport Newton::minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) {
  SolveReport report;
  projection_ = effort.projection;
  factors_serve_ = has_exact_directions() && FactorUse::pays(effort, x.rows());
  if (stop && stop(x, model_.energy(x, g.work()))) {
    report.converged = true;
    return report;
  }
  if (!model_.constraints.empty()) return minimize_constrained(g, effort, x);
  if (g.step() != nullptr) choose_guess(*g.step(), x, trial_);
  use_ = {};
  report = solve_step(g, effort, x);
  remember_factor(x, report.converged);
  return report;
}

SolveReport Newton::solve_step(const Objective& g, const SolveEffort& effort, Points& x) {
  SolveReport report;
  g.begin(x);
  components_.wake_all();
  double value = 0, missing = std::numeric_limits<double>::infinity();
  bool settled = false;
  int products_before = 0;
  alpha_ = length_ = 0;
  // With another g, whose value is not yet known.
  const auto begins_anew = [&](const Points& at) {
    if (report.iterations >= effort.iterations || !g.renew(at)) return false;
    settled = false;
    missing = std::numeric_limits<double>::infinity();
    use_.stop();
    components_.wake_all();
    return true;
  };
  for (;;) {
    // What touches changes on the way, and with it g.
    const bool had_settled = std::exchange(settled, g.settle(x));
    if ((report.iterations == 0 || model_.has_new_links(x)) && hessian_.choose_pattern()) use_.stop();
    if (!had_settled) {
      if (report.iterations == 0 && !std::isfinite(g.value(x))) make_admissible(g, x);
      value = look(g, x, gradient_);
    }
    note(g, x, report.iterations, value, gradient_, alpha_, products() - products_before);
    products_before = products();
    if (!std::isfinite(value) || !std::isfinite(gradient_.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    report.residual = velocity_error(model_, gradient_, g.h());
    report.converged = settled && effort.is_reached(report);
    if (report.converged && begins_anew(x)) continue;
    if (report.converged || report.iterations >= effort.iterations) return report;
    if (!settled) g.add_pull(x, gradient_);
    if (report.iterations == 0 && settled) begin_carried(g, effort, x);
    const bool same_factor = settled && find_by_factor(g, effort, x);
    if (!same_factor && !find_newest(g, x)) {
      report.outcome = Outcome::factor_failed;
      return report;
    }
    ++report.iterations;
    if (!settled) {
      g.advance(x, d_);
      components_.wake_all();
      use_.stop();
      continue;
    }
    const bool moved = backtrack(g, x, value);
    if (!(moved && whole_step_)) use_.stop();
    if (same_factor && !moved && !negligible(d_, x)) continue;
    length_ = largest_coordinate(d_);
    report.last_correction = length_ / g.h();
    // Where surfaces press, the residual is that of forces that grow without bound; a whole step of Newton is the error
    // that there was, and what is left is less by far [Li20 Sec. 4.5]; unless it is short because a gap is: from there
    // Newton's steps double it, again and again.
    const bool pressed = model_.has_step_terms() && has_exact_directions();
    if (pressed && moved && use_.knows_what_is_left()) {
      const double small = small_correction(x, effort.tolerance, g.h());
      missing = find_restless(kSpeeds * effort.tolerance * g.h(), missing);
      const bool converged = whole_step_ && length_ <= small && restless_.empty();
      // Of a step that was cut, little may be left to go.
      constexpr double kLeft = 0.1;
      components_.rest(d_, alpha_ < 1 ? alpha_ * std::min(1.0, kLeft / (1 - alpha_)) * small : small, restless_);
      if (!converged && !components_.all_rest()) continue;
      if (begins_anew(x)) continue;
      note(g, x, report.iterations, value, gradient_, alpha_, products() - products_before);
      report.residual = velocity_error(model_, gradient_, g.h());
      report.converged = true;
      return report;
    }
    if (!moved) {
      // What is left is below the rounding of x.
      report.converged = negligible(d_, x);
      return report;
    }
  }
}

SolveReport Newton::minimize_constrained(const Objective& g, const SolveEffort& effort, Points& x) {
  if (!constrained_) constrained_.emplace(model_);
  const auto seen = [&](const Points& at, int iteration, double value, const Points& left, double alpha) {
    note(g, at, iteration, value, left, alpha, 0);
  };
  return constrained_->minimize(g, effort, hessian_, seen, x);
}

double Newton::small_correction(const Points& x, double tolerance, double h) const {
  constexpr double kOfTheGap = 0.1;
  double small = tolerance * h;
  for (const auto& e : model_.step_energies) small = std::min(small, kOfTheGap * e->clearance(x));
  return small;
}

// Deep in a stiff barrier a tenth of a gap is a good part of the force, and a body that bounces would leave with
// another speed than the tolerance allows.
double Newton::find_restless(double small, double before) {
  restless_.clear();
  double most = 0;
  for (const BodyRange& body : model_.bodies) {
    const double missing = missing_speed(model_, body, gradient_);
    most = std::max(most, missing);
    if (missing > small) restless_.push_back(body.first);
  }
  if (most > kGetsBetter * before) restless_.clear();
  return most;
}

void Newton::grabs_changed(Workers& workers) {
  own_ = {};
  if (systems_) systems_->held_changed(workers);
}

// Any matrix that knows what hangs together within h will do: local/global's is there.
SystemCache<SystemMatrix>& Newton::systems_for_friction() {
  if (!systems_) {
    systems_.emplace(model_, known_.vertices);
    known_.vertices = systems_->analysis();
  }
  return *systems_;
}

ContactResponse* Newton::contact_response(double coefficient, Workers& workers) {
  return systems_for_friction().find(coefficient, workers);
}

ContactKnowledge Newton::contact_knowledge() const {
  return systems_ ? systems_->contact_knowledge() : ContactKnowledge();
}

void Newton::recall(const ContactKnowledge& knowledge) {
  if (!systems_ && knowledge.empty()) return;
  systems_for_friction().recall(knowledge);
}

// Returns g(at).
double Newton::look(const Objective& g, const Points& at, Points& gradient) {
  return g.value_from(at, g.gradient(at, gradient));
}

// Moves x along d_ by 1, 1/2, 1/4, ... of what is admissible until g falls enough. False if x did not move.
bool Newton::backtrack(const Objective& g, Points& x, double& value) {
  const double largest = g.largest_step(x, d_);
  alpha_ = std::min(1.0, largest);
  if (alpha_ < 1) d_ *= alpha_;
  double slope = gradient_.cwiseProduct(d_).sum();
  const SufficientDecrease decrease(g, x, gradient_, value);
  for (int halving = 0; halving < kMostHalvings && !negligible(d_, x);
       ++halving, d_ *= 0.5, slope *= 0.5, alpha_ *= 0.5) {
    trial_.noalias() = x + d_;
    // Most trials are taken, and the next iteration begins with what is found out here.
    const double trial_value = look(g, trial_, trial_gradient_);
    if (decrease.accepts(d_, trial_value, trial_gradient_, slope)) {
      x.swap(trial_);
      gradient_.swap(trial_gradient_);
      value = trial_value;
      whole_step_ = halving == 0 && largest >= 1;
      return true;
    }
  }
  return false;
}

}  // namespace rebound::sim
