#include "sim/solve/local_global.hpp"

#include <cmath>

namespace rebound::sim {
namespace {

// Vertices from which single precision is worth its two conversions a solve.
constexpr int kWorthwhile = 1500;

}  // namespace

bool negligible(const Points& d, const Points& x) {
  return d.cwiseAbs().maxCoeff() <= kNegligible * x.cwiseAbs().maxCoeff();
}

LocalGlobal::LocalGlobal(const Model& model, Precision precision, Analysis known)
    : model_(model), known_(std::move(known)), exact_line_(model) {
  if (precision == Precision::automatic && model.vertices() >= kWorthwhile && FloatLocalGlobal::supports(model)) {
    single_ = std::make_unique<FloatLocalGlobal>(model, known_.plan);
    known_.plan = single_->systems().analysis();
  } else {
    use_double();
  }
}

void LocalGlobal::use_double() {
  single_.reset();
  twice_.emplace(model_, known_.vertices);
  known_.vertices = twice_->analysis();
}

SolveReport LocalGlobal::minimize(const StepObjective& g, int iterations, const StopRule& stop, Points& x) {
  if (single_) {
    const SolveReport report = single_->minimize(g, iterations, stop, x);
    // The matrix is too badly conditioned: so it is for the steps to come.
    if (report.outcome != Outcome::factor_failed) return report;
    use_double();
  }
  return minimize_in_double(g, iterations, stop, x);
}

SolveReport LocalGlobal::minimize_in_double(const StepObjective& g, int iterations, const StopRule& stop, Points& x) {
  SolveReport report;
  const SystemMatrix* system = twice_->find(g.scheme().stiffness_factor(g.h()), g.work().workers);
  if (system == nullptr) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  g.gradient(x, d_);
  for (;;) {
    system->solve(d_);
    x -= d_;
    ++report.iterations;
    if (!std::isfinite(d_.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    if (report.iterations >= iterations || negligible(d_, x)) return report;
    // The next local step gives E for nothing.
    const double E = g.gradient(x, d_);
    if (stop && stop(x, E)) return report;
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
  void run(Workers& workers, const std::atomic<bool>* cancel) override {
    if (single) single->run(workers, cancel);
    if (twice) twice->run(workers, cancel);
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

EnergyLine& LocalGlobal::line() { return single_ ? static_cast<EnergyLine&>(*single_) : exact_line_; }

double LocalGlobal::nonzeros() const { return single_ ? single_->nonzeros() : twice_->nonzeros(); }

}  // namespace rebound::sim
