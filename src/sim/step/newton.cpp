#include "sim/step/newton.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

constexpr double kSufficientDecrease = 1e-4;
constexpr int kMostHalvings = 40;
constexpr double kRounding = 1e-14;
// A correction below this share of x changes g by its square, which is less than the rounding of g: energies are
// differences of lengths, so theirs may be far above their own last digits.
constexpr double kFlat = 1e-7;

using Links = std::vector<std::pair<int, int>>;

bool has_all(const HessianBlocks& hessian, const Links& links) {
  return std::all_of(links.begin(), links.end(),
                     [&](const auto& link) { return hessian.has(link.first, link.second); });
}

}  // namespace

Newton::Newton(const Model& model, Analysis known)
    : model_(model), elements_{HessianBlocks(model.laplacian()), nullptr}, known_(std::move(known)), line_(model) {
  if (!known_.coordinates) known_.coordinates = std::make_shared<const CholeskyAnalysis>(elements_.hessian.matrix());
  elements_.analysis = known_.coordinates;
  known_.cache = nullptr;
}

void Newton::let_go() {
  systems_.reset();
  linked_.reset();
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
  HessianBlocks hessian(extended);
  auto analysis = std::make_shared<const CholeskyAnalysis>(hessian.matrix());
  linked_.emplace(std::move(hessian), std::move(analysis), std::move(links));
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
  if (!std::isfinite(value) && g.step() != nullptr) {
    // The guess is not admissible; x_n was.
    const Points& x_n = g.step()->now().x;
    d_ = x - x_n;
    x = x_n + std::min(1.0, g.largest_step(x_n, d_)) * d_;
    value = g.value(x);
  }
  for (;;) {
    g.gradient(x, gradient_);
    if (!std::isfinite(value) || !std::isfinite(gradient_.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    report.converged = velocity_error(g.h()) <= kTolerance;
    if (report.converged || report.iterations >= effort.iterations) return report;
    if (!find_direction(g, x)) {
      report.outcome = Outcome::factor_failed;
      return report;
    }
    ++report.iterations;
    if (!backtrack(g, x, value)) {
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

double Newton::velocity_error(double h) const {
  double worst = 0;
  for (Eigen::Index i = 0; i < gradient_.rows(); ++i)
    if (!model_.fixed[static_cast<std::size_t>(i)])
      worst = std::max(worst, gradient_.row(i).norm() / (model_.M[i] * h));
  return worst;
}

bool Newton::find_direction(const Objective& g, const Points& x) {
  return find_direction(g, x, false) || find_direction(g, x, true);
}

// d_ := -(d2g)^-1 dg. False if that matrix is not positive definite.
bool Newton::find_direction(const Objective& g, const Points& x, bool project) {
  g.hessian(x, project, pattern_->hessian);
  const Cholesky cholesky(*pattern_->analysis, pattern_->hessian.matrix());
  if (!cholesky.ok()) return false;
  nonzeros_ = cholesky.nonzeros();
  Vector d = -Eigen::Map<const Vector>(gradient_.data(), gradient_.size());
  cholesky.solve(d);
  d_ = Eigen::Map<const Points>(d.data(), gradient_.rows(), 3);
  return true;
}

// Moves x along d_ by 1, 1/2, 1/4, ... of what is admissible until g falls enough; where g is flat, until dg falls.
// False if x did not move.
bool Newton::backtrack(const Objective& g, Points& x, double& value) {
  if (const double largest = g.largest_step(x, d_); largest < 1) d_ *= largest;
  const double slope = gradient_.cwiseProduct(d_).sum(), error = velocity_error(g.h());
  const double flat = kFlat * x.cwiseAbs().maxCoeff();
  for (int halving = 0; halving < kMostHalvings && !negligible(d_, x); ++halving, d_ *= 0.5) {
    trial_.noalias() = x + d_;
    const double trial_value = g.value(trial_);
    bool better;
    if (d_.cwiseAbs().maxCoeff() <= flat) {
      g.gradient(trial_, gradient_);
      better = velocity_error(g.h()) < error;
    } else {
      const double wanted = kSufficientDecrease * std::ldexp(slope, -halving);
      better = trial_value <= value + wanted + kRounding * std::abs(value);
    }
    if (better) {
      x.swap(trial_);
      value = trial_value;
      return true;
    }
  }
  return false;
}

}  // namespace rebound::sim
