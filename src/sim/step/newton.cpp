#include "sim/step/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/step/first_guess.hpp"

namespace rebound::sim {
namespace {

// What is added to the diagonal, as a share of it, where nothing else helps; more where negative curvature is never left out.
constexpr double kLeastShift = 1e-10, kMostShift = 0.1, kMostShiftOfAll = 1e6, kShiftGrowth = 100;

// A step by the last factor is taken if it is no longer than this share of the step before: of itself it leaves about as
// small a share.
constexpr double kChordLeaves = 0.05;

// With a factor that an earlier step has left a solve goes on as long as it would take no more than so many directions
// of its kind to the end: one of Newton's costs about as much. It was of use if it left no more than such a share.
constexpr int kMostCarried = 6, kLongestPause = 15;
// Of fewer vertices a factor costs too little to do with an old one.
constexpr Eigen::Index kFewToCarry = 100;
constexpr double kCarriedLeaves = 0.2;

}  // namespace

Newton::Newton(const Model& model, Analysis known)
    : model_(model), hessian_(model, known.coordinates), known_(std::move(known)), line_(model) {
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
  if (stop && stop(x, model_.energy(x, g.work()))) {
    report.converged = true;
    return report;
  }
  if (!model_.constraints.empty()) return minimize_constrained(g, effort, x);
  if (g.step() != nullptr) choose_guess(*g.step(), x, trial_);
  course_ = {};
  report = solve_step(g, effort, x);
  remember_factor(x, report.converged);
  return report;
}

SolveReport Newton::solve_step(const Objective& g, const SolveEffort& effort, Points& x) {
  SolveReport report;
  g.begin(x);
  components_.wake_all();
  double value = 0;
  bool settled = false;
  int products_before = 0;
  bool may_chord = false;  // the last step was so short that another by the same factor may be the last one
  alpha_ = 0;
  // With another g, whose value is not yet known.
  const auto begins_anew = [&](const Points& at) {
    if (report.iterations >= effort.iterations || !g.renew(at)) return false;
    settled = may_chord = false;
    components_.wake_all();
    return true;
  };
  for (;;) {
    // What touches changes on the way, and with it g.
    const bool had_settled = std::exchange(settled, g.settle(x));
    if ((report.iterations == 0 || model_.has_new_links(x)) && hessian_.choose_pattern())
      may_chord = course_.goes_on = false;
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
    report.converged = settled && *report.residual <= effort.tolerance;
    if (report.converged && begins_anew(x)) continue;
    if (report.converged || report.iterations >= effort.iterations) return report;
    if (!settled) g.add_pull(x, gradient_);
    const bool carried = settled && find_carried(g, effort, x, report.iterations);
    const bool same_factor = carried || (settled && may_chord && find_chord(g));
    may_chord = false;
    if (!same_factor && !find_direction(g, x)) {
      report.outcome = Outcome::factor_failed;
      return report;
    }
    ++report.iterations;
    if (!settled) {
      g.advance(x, d_);
      components_.wake_all();
      continue;
    }
    const bool moved = backtrack(g, x, value);
    if (carried && !(moved && whole_step_)) course_.goes_on = false;
    if (carried && !moved && !negligible(d_, x)) continue;
    length_ = largest_coordinate(d_);
    report.last_correction = length_ / g.h();
    // Where surfaces press, the residual is that of forces that grow without bound; a whole step of Newton is the error
    // that there was, and what is left is less by far [Li20 Sec. 4.5]; unless it is short because a gap is: from there
    // Newton's steps double it, again and again.
    const bool pressed = model_.has_step_terms() && has_exact_directions();
    may_chord = moved && whole_step_ && !carried && has_exact_directions() &&
                kChordLeaves * length_ <= effort.tolerance * g.h();
    // What the first direction by an old factor leaves, only the second tells.
    if (pressed && moved && !(carried && !course_.contraction)) {
      const double small = small_correction(x, effort.tolerance, g.h());
      const bool converged = whole_step_ && length_ <= small;
      // Of a step that was cut, little may be left to go.
      constexpr double kLeft = 0.1;
      components_.rest(d_, alpha_ < 1 ? alpha_ * std::min(1.0, kLeft / (1 - alpha_)) * small : small);
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

bool Newton::find_direction(const Objective& g, const Points& x) {
  Workers& workers = g.work().workers;
  components_.follow(hessian_.components());
  open_ = components_.active();
  for (const Curvature curvature : curvatures(projection_)) {
    if (factor_and_solve(g, x, curvature)) return true;
  }
  // Elements that are all but flat are so stiff that their own rounding is negative curvature.
  const double most = projection_ == Projection::none ? kMostShiftOfAll : kMostShift;
  for (double share = kLeastShift; share <= most; share *= kShiftGrowth) {
    SparseMatrix& H = hessian_.blocks().matrix();
    for (Eigen::Index j = 0; j < H.cols(); ++j) {
      double& diagonal = H.valuePtr()[H.outerIndexPtr()[j]];
      diagonal += share * std::abs(diagonal);
    }
    if (solve(workers)) return true;
  }
  return false;
}

// The same as solve() with H(x) made before.
bool Newton::factor_and_solve(const Objective& g, const Points& x, Curvature curvature) {
  course_.is_new = true;
  const bool all_open = std::all_of(open_.begin(), open_.end(), [](std::uint8_t open) { return open != 0; });
  const bool alone =
      curvature == Curvature::exact && g.step() != nullptr && !hessian_.is_linked() && elements_act_alone(model_, x);
  hessian_.blocks().want(components_.vertices_of(open_));
  if (alone) {
    g.step()->lasting_hessian(g.step()->evaluation_point(x), curvature, hessian_.blocks());
  } else {
    g.hessian(x, curvature, hessian_.blocks());
  }
  hessian_.blocks().want({});
  if (!solve(g.work().workers)) return false;
  own_ = {};
  if (!alone || !all_open) return true;
  const std::shared_ptr<FactoredHessian>& factored = factored_.free([&] {
    return FactoredHessian{Points(x.rows(), 3), 0};
  });
  factored->at = g.step()->evaluation_point(x);
  factored->coefficient = g.step()->frozen_coefficient();
  own_ = {factored, hessian_.factor_of_elements()};
  return true;
}

// d_ := -H^-1 dg in the active components, 0 in the others. False if H is not positive definite in all of these: then
// those where it is keep their factors, and others stay open.
bool Newton::solve(Workers& workers) {
  if (!hessian_.factor(workers, open_)) {
    const auto& factored = hessian_.factored();
    std::transform(factored.begin(), factored.end(), open_.begin(), [](std::uint8_t good) { return good == 0; });
    return false;
  }
  nonzeros_ = hessian_.nonzeros();
  solve_by_factor(workers);
  open_ = components_.active();
  return column_.allFinite();
}

void Newton::solve_by_factor(Workers& workers) {
  column_ = -Eigen::Map<const Vector>(gradient_.data(), gradient_.size());
  hessian_.solve(column_, workers, components_.active());
  d_ = Eigen::Map<const Points>(column_.data(), gradient_.rows(), 3);
}

// d_ := the direction by the factor of the last iteration, a fifth of a new one's work. False if it is not so much shorter
// than the last one that what it leaves is small beside it.
bool Newton::find_chord(const Objective& g) {
  solve_by_factor(g.work().workers);
  return column_.allFinite() && largest_coordinate(d_) <= kChordLeaves * length_;
}

// May a solve that begins at x begin with the factor that was left to it? Then it is there: a motion that was gone back
// to makes it again.
bool Newton::may_carry(const Objective& g, const SolveEffort& effort, const Points& x) {
  const StepObjective* step = g.step();
  const auto& of = carried_.factored;
  // Of few iterations each is to be as good as it can be.
  if (effort.iterations <= 2 * kMostCarried || x.rows() < kFewToCarry || !of || carried_.wait > 0 || step == nullptr || !has_exact_directions() ||
      projection_ != Projection::on_demand || hessian_.is_linked() || of->at.rows() != x.rows() ||
      of->coefficient != step->frozen_coefficient() || !elements_act_alone(model_, x))
    return false;
  components_.follow(hessian_.components());
  if (own_.of == of && own_.number == hessian_.factor_of_elements()) return true;
  step->lasting_hessian(of->at, Curvature::exact, hessian_.blocks());
  const bool factored = hessian_.factor(g.work().workers, components_.active());
  own_ = {factored ? of : nullptr, hessian_.factor_of_elements()};
  return factored;
}

// d_ := the direction by the factor that an earlier step has left, as long as that is likely to be worth it.
bool Newton::find_carried(const Objective& g, const SolveEffort& effort, const Points& x, int iteration) {
  if (iteration == 0) course_.began = course_.goes_on = may_carry(g, effort, x);
  if (!course_.goes_on) return false;
  solve_by_factor(g.work().workers);
  bool good = column_.allFinite();
  if (iteration > 0) {
    course_.contraction = largest_coordinate(d_) / length_;
    good = good && length_ * std::pow(*course_.contraction, kMostCarried) <= effort.tolerance * g.h();
  }
  course_.goes_on = good;
  return good;
}

// After a solve that has ended at x.
void Newton::remember_factor(const Points& x, bool converged) {
  const bool of_no_use =
      course_.began && course_.is_new && !(course_.contraction && *course_.contraction <= kCarriedLeaves);
  if (of_no_use) {
    carried_.wait = carried_.pause = std::min(2 * carried_.pause + 1, kLongestPause);
  } else if (course_.began) {
    carried_.pause = 0;
  } else if (carried_.wait > 0) {
    --carried_.wait;
  }
  const bool is_there = own_.of && own_.number == hessian_.factor_of_elements();
  carried_.factored = is_there && converged && carried_.wait == 0 && elements_act_alone(model_, x) ? own_.of : nullptr;
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
  for (int halving = 0; halving < kMostHalvings && !negligible(d_, x); ++halving, d_ *= 0.5, slope *= 0.5, alpha_ *= 0.5) {
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
