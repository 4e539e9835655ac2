#include "sim/step/newton.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

// What is added to the diagonal, as a share of it, where nothing else helps.
constexpr double kLeastShift = 1e-10, kMostShift = 0.1, kShiftGrowth = 100;

using Links = std::vector<std::pair<int, int>>;

bool has_all(const HessianBlocks& hessian, const Links& links) {
  return std::all_of(links.begin(), links.end(),
                     [&](const auto& link) { return hessian.has(link.first, link.second); });
}

}  // namespace

Newton::Newton(const Model& model, Analysis known)
    : model_(model), elements_{HessianBlocks(model.laplacian())}, known_(std::move(known)), line_(model) {
  known_.cache = nullptr;
}

void Newton::let_go() {
  systems_.reset();
  linked_.reset();
  elements_.factor.reset();
  pattern_ = &elements_;
}

// What is linked stays linked while nothing new is: most contacts last for some steps.
void Newton::choose_pattern() {
  pattern_ = &elements_;
  Links links = model_.step_pattern();
  if (has_all(elements_.hessian, links)) return;
  if (!linked_ || !has_all(linked_->hessian, links)) link(std::move(links));
  pattern_ = &*linked_;
}

void Newton::link(Links links) {
  Triplets entries;
  for (const auto& [i, j] : links) entries.emplace_back(i, j, 1.0);
  SparseMatrix extended(model_.vertices(), model_.vertices());
  extended.setFromTriplets(entries.begin(), entries.end());
  extended += model_.laplacian();
  linked_.emplace(HessianBlocks(extended), std::move(links));
}

RoundingState Newton::rounding_state() const {
  RoundingState state;
  if (systems_) state.factored = systems_->factored();
  if (linked_) state.links = linked_->links;
  return state;
}

void Newton::restore_rounding(const RoundingState& state, Workers& workers) {
  pattern_ = &elements_;
  if (state.links.empty()) {
    linked_.reset();
  } else if (!linked_ || linked_->links != state.links) {
    link(state.links);
  }
  if (state.factored.empty()) {
    systems_.reset();
  } else {
    systems_for_friction().restore_rounding(state.factored, workers);
  }
}

SolveReport Newton::minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) {
  SolveReport report;
  if (stop && stop(x, model_.energy(x, g.work()))) {
    report.converged = true;
    return report;
  }
  choose_pattern();
  double value = g.value(x);
  if (!std::isfinite(value) && make_admissible(g, x)) value = g.value(x);
  for (;;) {
    g.gradient(x, gradient_);
    if (!std::isfinite(value) || !std::isfinite(gradient_.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    report.residual = velocity_error(model_, gradient_, g.h());
    report.converged = *report.residual <= effort.tolerance;
    if (report.converged || report.iterations >= effort.iterations) return report;
    if (!find_direction(g, x)) {
      report.outcome = Outcome::factor_failed;
      return report;
    }
    ++report.iterations;
    const bool moved = backtrack(g, x, value);
    report.last_correction = largest_coordinate(d_) / g.h();
    if (!moved) {
      // What is left is below the rounding of x.
      report.converged = negligible(d_, x);
      return report;
    }
  }
}

void Newton::grabs_changed(Workers& workers) {
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

// False if the Hessian is not positive definite. The pattern is analysed when it is first factored.
bool Newton::factor(Pattern& pattern) {
  if (!pattern.factor) {
    const bool elements = &pattern == &elements_;
    std::shared_ptr<const CholeskyAnalysis> analysis = elements ? known_.coordinates : nullptr;
    if (!analysis) analysis = std::make_shared<const CholeskyAnalysis>(pattern.hessian.matrix());
    if (elements) known_.coordinates = analysis;
    pattern.factor = std::make_unique<RepeatedCholesky>(std::move(analysis));
  }
  return pattern.factor->factor(pattern.hessian.matrix());
}

bool Newton::find_direction(const Objective& g, const Points& x) {
  g.hessian(x, false, pattern_->hessian);
  if (solve()) return true;
  g.hessian(x, true, pattern_->hessian);
  if (solve()) return true;
  // Elements that are all but flat are so stiff that their own rounding is negative curvature.
  for (double share = kLeastShift; share <= kMostShift; share *= kShiftGrowth) {
    SparseMatrix& H = pattern_->hessian.matrix();
    for (Eigen::Index j = 0; j < H.cols(); ++j) H.valuePtr()[H.outerIndexPtr()[j]] *= 1 + share;
    if (solve()) return true;
  }
  return false;
}

// d_ := -H^-1 dg. False if H is not positive definite.
bool Newton::solve() {
  if (!factor(*pattern_)) return false;
  nonzeros_ = pattern_->factor->nonzeros();
  column_ = -Eigen::Map<const Vector>(gradient_.data(), gradient_.size());
  pattern_->factor->solve(column_);
  d_ = Eigen::Map<const Points>(column_.data(), gradient_.rows(), 3);
  return column_.allFinite();
}

// Moves x along d_ by 1, 1/2, 1/4, ... of what is admissible until g falls enough. False if x did not move.
bool Newton::backtrack(const Objective& g, Points& x, double& value) {
  if (const double largest = g.largest_step(x, d_); largest < 1) d_ *= largest;
  double slope = gradient_.cwiseProduct(d_).sum();
  const SufficientDecrease decrease(g, x, gradient_, value);
  for (int halving = 0; halving < kMostHalvings && !negligible(d_, x); ++halving, d_ *= 0.5, slope *= 0.5) {
    trial_.noalias() = x + d_;
    const double trial_value = g.value(trial_);
    if (decrease.is_flat(d_)) g.gradient(trial_, gradient_);
    if (decrease.accepts(d_, trial_value, gradient_, slope)) {
      x.swap(trial_);
      value = trial_value;
      return true;
    }
  }
  return false;
}

}  // namespace rebound::sim
