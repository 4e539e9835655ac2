#include "sim/step/local_global.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

// Vertices from which single precision is worth its two conversions a solve.
constexpr int kWorthwhile = 1500;

}  // namespace

// A first correction can be large for reasons that are soon gone, and then a few more look like enough: cloth comes late
// by that. A small world has time for a certain number, whatever they look like.
bool SolveEffort::is_enough(int corrections, double first, double size, Eigen::Index vertices) const {
  constexpr Eigen::Index kSmall = 2500;
  const int least = vertices <= kSmall ? 7 : 2;
  return corrections >= least && size <= enough * first;
}

bool negligible(const Points& d, const Points& x) {
  return d.cwiseAbs().maxCoeff() <= kNegligible * x.cwiseAbs().maxCoeff();
}

LocalGlobal::LocalGlobal(const Model& model, Precision precision, Analysis known)
    : model_(model), known_(std::move(known)), exact_line_(model) {
  if (precision == Precision::automatic && model.vertices() >= kWorthwhile && FloatLocalGlobal::supports(model)) {
    single_ = std::make_unique<FloatLocalGlobal>(model, known_.plan, known_.cache);
    known_.plan = single_->systems().analysis();
  } else {
    use_double();
  }
  known_.cache = nullptr;
}

// One of the two is always there, even where there is no memory for the other.
void LocalGlobal::use_double() {
  twice_.emplace(model_, known_.vertices);
  known_.vertices = twice_->analysis();
  single_.reset();
}

SolveReport LocalGlobal::minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) {
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

SolveReport LocalGlobal::minimize_in_double(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) {
  // What is not the step of a scheme has no form in single precision, and is rare.
  std::optional<SystemCache<SystemMatrix>> own;
  if (single_) own.emplace(model_, known_.vertices);
  const SystemMatrix* system = (own ? *own : *twice_).find(g.frozen_coefficient(), g.work().workers);
  if (system == nullptr) return {Outcome::factor_failed};
  return iterate(g, effort, stop, x, [system](Points& d) { system->solve(d); });
}

const CrowdedSystem* LocalGlobal::crowded_system(double coefficient) {
  const SparseMatrix& L = single_ ? single_->systems().laplacian() : twice_->laplacian();
  if (!known_.vertices) known_.vertices = SystemMatrix::analyse(L, nullptr);
  // Other coefficients come from other time steps; a slider that is dragged must not pile up factors.
  if (!crowded_.contains(coefficient) && crowded_.size() >= SystemCache<SystemMatrix>::kMostSystems) crowded_.clear();
  CrowdedSystem& system = crowded_[coefficient];
  const SparseMatrix A = system_matrix(model_.M, model_.fixed, L, coefficient);
  return system.update(model_, A, coefficient, *known_.vertices) ? &system : nullptr;
}

SolveReport LocalGlobal::minimize_crowded(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) {
  Workers& workers = g.work().workers;
  const double coefficient = g.frozen_coefficient();
  ContactResponse* A = contact_response(coefficient, workers);
  const CrowdedSystem* system = A == nullptr ? nullptr : crowded_system(coefficient);
  if (system == nullptr) return {Outcome::factor_failed};
  return iterate(g, effort, stop, x, [&](Points& d) { system->solve(d, *A, workers); });
}

template <class Solve>
SolveReport LocalGlobal::iterate(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x,
                                 const Solve& solve) {
  SolveReport report;
  anderson_.restart();
  double value_before = INFINITY, first_size = 0;
  bool combined = false;
  int place = 0;
  for (;;) {
    // The local step gives E for nothing.
    const double E = g.gradient(x, d_);
    // A step of one iterate never raises g; where a combination does, it is taken back.
    if (effort.accelerated) {
      const double value = g.value_from(x, E);
      if (combined && !(value <= value_before)) {
        combined = false;
        anderson_.restart();
        x = steps_[place];
        continue;
      }
      value_before = value;
    }
    if (stop && stop(x, E)) {
      report.converged = true;
      return report;
    }
    solve(d_);
    ++report.iterations;
    if (!std::isfinite(d_.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    bool enough = false;
    if (effort.enough > 0) {
      const double size = d_.cwiseAbs().maxCoeff();
      if (report.iterations == 1) first_size = size;
      enough = effort.is_enough(report.iterations, first_size, size, x.rows());
    }
    const bool last = enough || report.iterations >= effort.iterations;
    combined = effort.accelerated && (!last || anderson_.proven()) && !negligible(d_, x);
    if (!combined) {
      x -= d_;
      report.converged = enough || negligible(d_, x);
      if (last || report.converged) return report;
      continue;
    }
    place = anderson_.next_place();
    residuals_[place] = d_;
    steps_[place] = x - Anderson::kBeta * d_;
    Anderson::Numbers products{};
    for (int j = 0; j < std::min(anderson_.kept() + 1, Anderson::kKept); ++j)
      products[j] = d_.cwiseProduct(residuals_[j]).sum();
    const Anderson::Numbers weights = anderson_.add(products);
    // In this form what no step moves, such as a fixed vertex, stays there to the last bit.
    x = steps_[place];
    for (int j = 0; j < anderson_.kept(); ++j)
      if (j != place) x += weights[j] * (steps_[j] - steps_[place]);
    report.converged = enough;
    if (last) return report;
  }
}

void LocalGlobal::grabs_changed(Workers& workers) {
  single_ ? single_->grabs_changed(workers) : twice_->held_changed(workers);
}

void LocalGlobal::pins_changed(Workers& workers) {
  single_ ? single_->pins_changed(workers) : twice_->held_changed(workers);
}

void LocalGlobal::gravity_changed() {
  if (single_) single_->gravity_changed();
}

// In the precision of the moment. Should single precision turn out not to be enough, the step will factor in double.
class LocalGlobal::Missing final : public Factoring {
 public:
  void run(Workers& workers, const std::atomic<bool>* cancel, FactorCache* cache) override {
    if (single) single->run(workers, cancel, cache);
    if (twice) twice->run(workers, cancel, cache);
  }

  std::unique_ptr<SystemCache<FloatSystem>::Missing> single;
  std::unique_ptr<SystemCache<SystemMatrix>::Missing> twice;
};

std::unique_ptr<Factoring> LocalGlobal::missing(const Model& next, std::span<const double> coefficients) const {
  auto found = std::make_unique<Missing>();
  if (single_) found->single = single_->systems().missing(next, coefficients);
  if (twice_) found->twice = twice_->missing(next, coefficients);
  if (!found->single && !found->twice) return nullptr;
  return found;
}

void LocalGlobal::adopt(Factoring& made, Workers& workers) {
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

void LocalGlobal::let_go() {
  crowded_.clear();
  if (single_) single_->let_go();
  if (twice_) twice_->let_go();
}

ContactResponse* LocalGlobal::contact_response(double coefficient, Workers& workers) {
  if (single_)
    if (ContactResponse* response = single_->contact_response(coefficient, workers)) return response;
  if (single_) use_double();
  return twice_->find(coefficient, workers);
}

RoundingState LocalGlobal::rounding_state() const {
  return single_ ? RoundingState{single_->systems().factored(), true} : RoundingState{twice_->factored(), false};
}

void LocalGlobal::restore_rounding(const RoundingState& rounding_state, Workers& workers) {
  if (single_ && !rounding_state.single) use_double();
  if (!single_ && rounding_state.single) {
    single_ = std::make_unique<FloatLocalGlobal>(model_, known_.plan);
    twice_.reset();
  }
  single_ ? single_->restore_rounding(rounding_state.factored, workers)
          : twice_->restore_rounding(rounding_state.factored, workers);
}

ContactKnowledge LocalGlobal::contact_knowledge() const {
  return single_ ? single_->systems().contact_knowledge() : twice_->contact_knowledge();
}

void LocalGlobal::recall(const ContactKnowledge& knowledge) {
  single_ ? single_->recall(knowledge) : twice_->recall(knowledge);
}

EnergyLine& LocalGlobal::line() {
  if (single_ && !model_.contacts.crowded()) return *single_;
  return exact_line_;
}

double LocalGlobal::nonzeros() const { return single_ ? single_->nonzeros() : twice_->nonzeros(); }

}  // namespace rebound::sim
