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

LocalGlobal::LocalGlobal(const Model& model, Precision precision) : model_(model), exact_line_(model) {
  if (precision == Precision::automatic && model.vertices() >= kWorthwhile && FloatLocalGlobal::supports(model))
    single_ = std::make_unique<FloatLocalGlobal>(model);
}

Factors& LocalGlobal::factors() {
  if (!factors_) factors_.emplace(model_);
  return *factors_;
}

SolveReport LocalGlobal::minimize(const StepObjective& g, int iterations, const StopRule& stop, Points& x) {
  if (single_) {
    const SolveReport report = single_->minimize(g, iterations, stop, x);
    // The matrix is too badly conditioned: so it is for the steps to come.
    if (report.outcome != Outcome::factor_failed) return report;
    single_.reset();
  }
  return minimize_in_double(g, iterations, stop, x);
}

SolveReport LocalGlobal::minimize_in_double(const StepObjective& g, int iterations, const StopRule& stop, Points& x) {
  SolveReport report;
  const SystemMatrix* system = factors().find(g.scheme().stiffness_factor(g.h()));
  if (system == nullptr) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  for (;;) {
    // The local step gives E for nothing.
    const double E = g.gradient(x, d_);
    if (stop && stop(x, E)) return report;
    system->solve(d_);
    x -= d_;
    ++report.iterations;
    if (!std::isfinite(d_.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    if (report.iterations >= iterations || negligible(d_, x)) return report;
  }
}

void LocalGlobal::model_changed() {
  if (single_) single_->model_changed();
  if (factors_) factors_->refresh();
}

void LocalGlobal::grabs_changed(Workers& workers) {
  if (single_) single_->grabs_changed(workers);
  if (factors_) factors_->update_grabs();
}

EnergyLine& LocalGlobal::line() { return single_ ? static_cast<EnergyLine&>(*single_) : exact_line_; }

double LocalGlobal::nonzeros() const {
  return (single_ ? single_->nonzeros() : 0) + (factors_ ? factors_->nonzeros() : 0);
}

}  // namespace rebound::sim
