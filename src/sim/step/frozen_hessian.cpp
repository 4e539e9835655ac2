#include "sim/step/frozen_hessian.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {

FrozenHessian::FrozenHessian(const Model& model, Precision precision, Analysis known, MakeSingle make_single,
                             int worthwhile)
    : model_(model), known_(std::move(known)), make_single_(make_single), exact_line_(model) {
  if (precision == Precision::automatic && model.vertices() >= worthwhile && FloatStep::supports(model)) {
    single_ = make_single_(model, known_);
    known_.plan = single_->systems().analysis();
  } else {
    use_double();
  }
  known_.L.reset();
  known_.cache = nullptr;
}

// One of the two is always there, even where there is no memory for the other.
void FrozenHessian::use_double() {
  twice_.emplace(model_, known_.vertices, single_ ? single_->systems().laplacian() : known_.L);
  known_.vertices = twice_->analysis();
  single_.reset();
}

SolveReport FrozenHessian::minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) {
  if (model_.contacts.crowded()) return minimize_crowded(g, effort, stop, x);
  crowded_.clear();
  if (single_ && g.step() != nullptr) {
    const SolveReport report = single_->minimize(*g.step(), effort, stop, x);
    // The matrix is too badly conditioned: so it is for the steps to come.
    if (report.outcome != Outcome::factor_failed) return report;
    use_double();
  }
  return minimize_in_double(g, effort, stop, x);
}

SolveReport FrozenHessian::minimize_in_double(const Objective& g, const SolveEffort& effort, const StopRule& stop,
                                              Points& x) {
  // What is not the step of a scheme has no form in single precision, and is rare.
  std::optional<SystemCache<SystemMatrix>> own;
  if (single_) own.emplace(model_, known_.vertices, single_->systems().laplacian());
  const SystemMatrix* system = (own ? *own : *twice_).find(g.frozen_coefficient(), g.work().workers);
  if (system == nullptr) return {Outcome::factor_failed};
  const auto solve = [&](Points& d, const Points* from) { system->solve(d, heights(g, from)); };
  // By reference, as a function that holds so much would ask for memory.
  return iterate(g, effort, stop, x, std::cref(solve));
}

std::span<const double> FrozenHessian::heights(const Objective& g, const Points* x) {
  if (x == nullptr) return {};
  g.contact_heights(*x, heights_);
  return heights_;
}

const CrowdedSystem* FrozenHessian::crowded_system(double coefficient, Workers& workers) {
  const SparseMatrix& L = *(single_ ? single_->systems().laplacian() : twice_->laplacian());
  if (!known_.vertices) known_.vertices = SystemMatrix::analyse(L, nullptr);
  // Other coefficients come from other time steps; a slider that is dragged must not pile up factors.
  if (!crowded_.contains(coefficient) && crowded_.size() >= SystemCache<SystemMatrix>::kMostSystems) crowded_.clear();
  CrowdedSystem& system = crowded_[coefficient];
  const SparseMatrix A = system_matrix(model_.M, model_.fixed, L, coefficient);
  const std::shared_ptr<const EliminationPlan> plan = single_ ? known_.plan : nullptr;
  return system.update(model_, A, coefficient, *known_.vertices, plan, workers) ? &system : nullptr;
}

SolveReport FrozenHessian::minimize_crowded(const Objective& g, const SolveEffort& effort, const StopRule& stop,
                                            Points& x) {
  Workers& workers = g.work().workers;
  const double coefficient = g.frozen_coefficient();
  ContactResponse* A = contact_response(coefficient, workers);
  const CrowdedSystem* system = A == nullptr ? nullptr : crowded_system(coefficient, workers);
  if (system == nullptr) return {Outcome::factor_failed};
  const auto solve = [&](Points& d, const Points* from) { system->solve(d, heights(g, from), *A, workers); };
  return iterate(g, effort, stop, x, std::cref(solve));
}

void FrozenHessian::grabs_changed(Workers& workers) {
  single_ ? single_->grabs_changed(workers) : twice_->held_changed(workers);
}

void FrozenHessian::pins_changed(Workers& workers) {
  single_ ? single_->pins_changed(workers) : twice_->held_changed(workers);
}

void FrozenHessian::gravity_changed() {
  if (single_) single_->gravity_changed();
}

// In the precision of the moment. Should single precision turn out not to be enough, the step will factor in double.
class FrozenHessian::Missing final : public Factoring {
 public:
  void run(Workers& workers, const std::atomic<bool>* cancel, FactorCache* cache) override {
    if (single) single->run(workers, cancel, cache);
    if (twice) twice->run(workers, cancel, cache);
  }

  std::unique_ptr<SystemCache<FloatSystem>::Missing> single;
  std::unique_ptr<SystemCache<SystemMatrix>::Missing> twice;
};

std::unique_ptr<Factoring> FrozenHessian::missing(const Model& next, std::span<const double> coefficients) const {
  auto found = std::make_unique<Missing>();
  if (single_) found->single = single_->systems().missing(next, coefficients);
  if (twice_) found->twice = twice_->missing(next, coefficients);
  if (!found->single && !found->twice) return nullptr;
  return found;
}

void FrozenHessian::adopt(Factoring& made, Workers& workers) {
  auto& mine = dynamic_cast<Missing&>(made);
  if (single_ && mine.single) {
    single_->adopt(*mine.single, workers);
  } else if (twice_ && mine.twice) {
    twice_->adopt(*mine.twice, workers);
  } else {
    // It has left single precision since.
    pins_changed(workers);
  }
}

void FrozenHessian::let_go() {
  crowded_.clear();
  if (single_) single_->let_go();
  if (twice_) twice_->let_go();
}

ContactResponse* FrozenHessian::contact_response(double coefficient, Workers& workers) {
  if (single_)
    if (ContactResponse* response = single_->contact_response(coefficient, workers)) return response;
  if (single_) use_double();
  return twice_->find(coefficient, workers);
}

RoundingState FrozenHessian::rounding_state() const {
  return single_ ? RoundingState{single_->systems().factored(), true} : RoundingState{twice_->factored(), false};
}

void FrozenHessian::restore_rounding(const RoundingState& rounding_state, Workers& workers) {
  if (single_ && !rounding_state.single) use_double();
  if (!single_ && rounding_state.single) {
    single_ = make_single_(model_, known_);
    twice_.reset();
  }
  single_ ? single_->restore_rounding(rounding_state.factored, workers)
          : twice_->restore_rounding(rounding_state.factored, workers);
}

ContactKnowledge FrozenHessian::contact_knowledge() const {
  return single_ ? single_->systems().contact_knowledge() : twice_->contact_knowledge();
}

void FrozenHessian::recall(const ContactKnowledge& knowledge) {
  single_ ? single_->recall(knowledge) : twice_->recall(knowledge);
}

void FrozenHessian::gradient(const Points& x, Points& gradient, Workspace& work) {
  if (in_single() && model_.step_energies.empty()) return single_->gradient(x, gradient, work);
  model_.gradient(x, gradient, work);
}

EnergyLine& FrozenHessian::line() {
  if (in_single()) return *single_;
  return exact_line_;
}

double FrozenHessian::nonzeros() const { return single_ ? single_->nonzeros() : twice_->nonzeros(); }

}  // namespace rebound::sim
