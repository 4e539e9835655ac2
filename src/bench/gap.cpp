// g* comes from L-BFGS [Nocedal80], preconditioned by the matrix of local/global: it shares nothing with what is judged
// but the objective, and converges where local/global alone would take hundreds of iterations.
#include "bench/gap.hpp"

#include <cmath>
#include <deque>

#include "scene/method_settings.hpp"

namespace rebound::bench {
namespace {

using sim::Points;

constexpr std::size_t kRemembered = 8;
constexpr int kMostIterations = 500;
constexpr int kMostHalvings = 30;
// The minimum is taken as found when a step promises less than this share of what there was to gain.
constexpr double kConverged = 1e-13;

double dot(const Points& a, const Points& b) { return (a.array() * b.array()).sum(); }

struct Change {
  Points x, gradient;
  double curvature;  ///< x . gradient, > 0
};

/// -H gradient, H the inverse of the Hessian that the remembered changes suggest.
Points direction(const std::deque<Change>& changes, const Points& gradient, double coefficient,
                 PlainLocalGlobal& plain) {
  Points q = gradient;
  std::vector<double> share(changes.size());
  for (std::size_t i = changes.size(); i-- > 0;) {
    share[i] = dot(changes[i].x, q) / changes[i].curvature;
    q -= share[i] * changes[i].gradient;
  }
  q = plain.solve(coefficient, q);
  for (std::size_t i = 0; i < changes.size(); ++i)
    q += (share[i] - dot(changes[i].gradient, q) / changes[i].curvature) * changes[i].x;
  return -q;
}

/// What g falls to from x, in whose valley it stays.
double minimum(const sim::StepObjective& g, double guess, Points x, PlainLocalGlobal& plain) {
  const double coefficient = g.scheme().stiffness_factor(g.h());
  std::deque<Change> changes;
  Points gradient, next_gradient, next;
  double value = g.value(x);
  g.gradient(x, gradient);
  for (int i = 0; i < kMostIterations; ++i) {
    const Points d = direction(changes, gradient, coefficient, plain);
    const double slope = dot(gradient, d);
    if (!(-slope > kConverged * std::abs(guess - value))) break;
    double length = 1, next_value = 0;
    for (int halving = 0; halving < kMostHalvings; ++halving, length /= 2) {
      next.noalias() = x + length * d;
      next_value = g.value(next);
      if (next_value <= value + 1e-4 * length * slope) break;
    }
    if (!(next_value < value)) break;  // as far as rounding lets it fall
    g.gradient(next, next_gradient);
    Change change{next - x, next_gradient - gradient, 0};
    change.curvature = dot(change.x, change.gradient);
    if (change.curvature > 0) changes.push_back(std::move(change));
    if (changes.size() > kRemembered) changes.pop_front();
    x = next;
    gradient = next_gradient;
    value = next_value;
  }
  return value;
}

/// Solves as another minimizer does, and judges the first solve.
class Judge final : public sim::Minimizer {
 public:
  Judge(sim::Minimizer& judged, PlainLocalGlobal& plain) : judged_(judged), plain_(plain) {}

  sim::SolveReport minimize(const sim::Objective& g, const sim::SolveEffort& effort, const sim::StopRule& stop,
                            Points& x) override {
    const sim::SolveReport report = judged_.minimize(g, effort, stop, x);
    if (!gap_ && report.outcome == sim::Outcome::done) gap_ = objective_gap(*g.step(), x, plain_);
    return report;
  }
  void gradient(const Points& x, Points& gradient, sim::Workspace& work) override {
    judged_.gradient(x, gradient, work);
  }
  sim::EnergyLine& line() override { return judged_.line(); }
  sim::Factors& factors() override { return judged_.factors(); }
  const sim::Factors& factors() const override { return std::as_const(judged_).factors(); }

  std::optional<double> gap() const { return gap_; }

 private:
  sim::Minimizer& judged_;
  PlainLocalGlobal& plain_;
  std::optional<double> gap_;
};

}  // namespace

double least_value(const sim::StepObjective& g, const Points& x, PlainLocalGlobal& plain) {
  return minimum(g, g.value(g.y()), x, plain);
}

double objective_gap(const sim::StepObjective& g, const Points& x, PlainLocalGlobal& plain) {
  const double guess = g.value(g.y()), value = g.value(x), least = minimum(g, guess, x, plain);
  return guess > least ? (value - least) / (guess - least) : 0;
}

GapSampler::GapSampler(const session::Session& session, int threads)
    : plain_model_(plain_model(session.world())),
      plain_(plain_model_),
      minimizer_(sim::find_solver(session.description().solver.type)->make(session.model())),
      work_(threads) {}

std::optional<double> GapSampler::sample(const session::Session& session) {
  const scene::Description& d = session.description();
  Judge judge(*minimizer_, plain_);
  const sim::StepInput input{session.model(),
                             judge,
                             work_,
                             session.history(),
                             session.ledger(),
                             d.timeStep / d.substeps,
                             scene::solver_settings(d),
                             {d.integrator.tolerance, d.integrator.forwardBlend}};
  sim::State ignored;
  sim::find_integrator(d.integrator.type)->make()->step(input, ignored);
  return judge.gap();
}

}  // namespace rebound::bench
