#include "sim/solve/local_global.hpp"

#include <algorithm>
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
  anderson_.restart();
  double value_before = INFINITY;
  bool combined = false;
  int place = 0;
  for (;;) {
    // The local step gives E for nothing.
    const double E = g.gradient(x, d_);
    // A step of one iterate never raises g; where a combination does, it is taken back.
    if (accelerates_) {
      const double value = g.value_from(x, E);
      if (combined && !(value <= value_before)) {
        combined = false;
        anderson_.restart();
        x = steps_[place];
        continue;
      }
      value_before = value;
    }
    if (stop && stop(x, E)) return report;
    system->solve(d_);
    ++report.iterations;
    if (!std::isfinite(d_.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    // The last step is plain: nobody would see a combination that went wrong.
    combined = accelerates_ && report.iterations < iterations && !negligible(d_, x);
    if (!combined) {
      x -= d_;
      if (report.iterations >= iterations || negligible(d_, x)) return report;
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
  }
}

void LocalGlobal::set_acceleration(bool on) {
  accelerates_ = on;
  if (single_) single_->set_acceleration(on);
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
