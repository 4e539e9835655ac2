#include "sim/step/float_quasi_newton.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/float_quads.hpp"
#include "sim/step/line_search.hpp"

namespace rebound::sim {
namespace {

constexpr double kEnoughDecrease = 1e-4;
// Beyond that many halvings a step is rounding.
constexpr int kMostFloatHalvings = 24;

double total(Quad a) { return static_cast<double>(a[0]) + a[1] + a[2]; }

}  // namespace

void FloatQuasiNewton::Products::add(const Products& other) {
  gp += other.gp;
  for (int j = 0; j < Lbfgs::kKept; ++j) {
    sg[j] += other.sg[j];
    yp[j] += other.yp[j];
    pair.sy[j] += other.pair.sy[j];
    pair.ys[j] += other.pair.ys[j];
    pair.yt[j] += other.pair.yt[j];
  }
}

// What the phases of an iteration share.
struct FloatQuasiNewton::Solve {
  Solve(const StepObjective& of, FloatSystem& in)
      : g(of),
        system(in),
        workers(of.work().workers),
        energy_scale(of.scheme().c * of.h() * of.h()),
        gamma(static_cast<float>(of.scheme().gamma)) {}

  const StepObjective& g;
  FloatSystem& system;
  Workers& workers;
  const double energy_scale;  ///< what E is multiplied by in the objective, s^2
  const float gamma;
  double E = 0, inertia = 0;  ///< of the present iterate, J and J s^2
  double objective_before = INFINITY, noise_before = 0, slope = 0;
  double step = 0;       ///< t
  float size = 0;        ///< of the correction, m
  bool has_pair = false;

  double objective() const { return energy_scale * E + inertia; }
  double noise() const { return kObjectiveRounding * (std::abs(energy_scale * E) + inertia); }
};

FloatQuasiNewton::FloatQuasiNewton(const Model& model, std::shared_ptr<const EliminationPlan> plan, FactorCache* cache)
    : FloatStep(model, std::move(plan), cache) {
  for (Ring* ring : {&s_, &y_, &t_})
    for (auto& array : *ring) array = AlignedBuffer<float>(w_.size());
  for (auto* array : {&g_, &g_before_}) *array = AlignedBuffer<float>(w_.size());
  for (auto* array : {&p_before_, &correction_}) *array = AlignedBuffer<float>(d_.size());
  found_.resize(static_cast<std::size_t>(tree_.count()));
  for (const auto& batch : batches_) barrier_ = barrier_ || batch->has_barrier();
}

SolveReport FloatQuasiNewton::minimize(const StepObjective& g, const SolveEffort& effort, const StopRule& stop,
                                       Points& x) {
  SolveReport report;
  FloatSystem* system = systems_.find(g.frozen_coefficient(), g.work().workers);
  if (system == nullptr) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  Solve solve(g, *system);
  lbfgs_.restart();
  begin(solve, x);
  const auto rounding = static_cast<float>(kFloatRounding * model_.extent);
  float first_size = 0;
  for (;;) {
    if (stop) {
      if (report.iterations > 0) read(solve.workers, x);
      if (stop(x, solve.E + constant_energy(x, g.work()))) {
        report.converged = true;
        return report;
      }
    }
    if (!std::isfinite(solve.objective()) && report.iterations == 0) {
      gradient_ = x;
      if (make_admissible(g, gradient_)) begin(solve, gradient_);
    }
    if (!std::isfinite(solve.objective())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    choose_direction(solve);
    ++report.iterations;
    if (!std::isfinite(solve.size)) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    if (first_size == 0) first_size = solve.size;
    const bool enough = effort.enough > 0 && effort.is_enough(report.iterations, first_size, solve.size, x.rows());
    report.converged = !accept(solve) || solve.size <= rounding || enough;
    if (report.converged || report.iterations >= effort.iterations) break;
  }
  read(solve.workers, x);
  const bool exact = report.converged && effort.enough == 0 && effort.iterations - report.iterations > kFewIterations;
  if (!exact) return report;
  return refine_.run(g, effort, stop, x, [&](Points& d) { FloatStep::solve(*system, d, solve.workers); }, report);
}

// w of the first guess, and g there.
void FloatQuasiNewton::begin(Solve& solve, const Points& x) {
  start(solve.g, x);
  evaluate(solve);
}

// g_ and d_ := dg.
void FloatQuasiNewton::evaluate(Solve& solve) {
  const auto scale = static_cast<float>(solve.energy_scale * static_cast<double>(solve.gamma));
  solve.E = pull_crossing(scale);
  solve.inertia = 0;
  solve.workers.run(tree_.count(), [&](int part) { found_[static_cast<std::size_t>(part)].sums = local(scale, part); });
  for (const Found& found : found_) {
    solve.E += found.sums.E;
    solve.inertia += found.sums.inertia;
  }
  each_range(solve.workers, [&](int begin, int end, int part) {
    gather(part);
    std::copy(quads(d_) + begin, quads(d_) + end, quads(g_) + begin);
  });
}

// Goes along the correction until g falls enough. False if it does not.
bool FloatQuasiNewton::accept(Solve& solve) {
  const double wanted = kEnoughDecrease * solve.slope, noise = solve.noise_before;
  for (int halving = 0; halving < kMostFloatHalvings; ++halving) {
    evaluate(solve);
    if (solve.objective() <= solve.objective_before + solve.step * wanted + noise) return true;
    move(solve, static_cast<float>(-0.5 * solve.step));
    solve.step *= 0.5;
    solve.size *= 0.5f;
  }
  move(solve, static_cast<float>(-solve.step));
  solve.step = 0;
  return false;
}

// From g_ to the correction, which w is moved by. The latest step becomes a pair.
void FloatQuasiNewton::choose_direction(Solve& solve) {
  solve.system.solve(d_.data(), solve.workers);
  const int place = lbfgs_.next_place();
  each_range(solve.workers, [&](int begin, int end, int part) {
    if (solve.has_pair) {
      const auto t = static_cast<float>(solve.step);
      for (int s = begin; s < end; ++s) {
        quads(s_[place])[s] = t * quads(correction_)[s];
        quads(y_[place])[s] = quads(g_)[s] - quads(g_before_)[s];
        quads(t_[place])[s] = quads(d_)[s] - quads(p_before_)[s];
      }
    }
    Products& products = found_[static_cast<std::size_t>(part)].products;
    products = {};
    multiply(place, solve.has_pair, begin, end, products);
  });
  Products products;
  for (const Found& found : found_) products.add(found.products);
  if (solve.has_pair) lbfgs_.add(products.pair);
  Lbfgs::Direction direction = lbfgs_.direction(products.gp, products.sg, products.yp);
  if (!(direction.slope < 0)) {
    lbfgs_.restart();
    direction = {1, {}, {}, -products.gp};
  }
  each_range(solve.workers, [&](int begin, int end, int part) {
    found_[static_cast<std::size_t>(part)].size = combine(direction, begin, end);
  });
  std::swap(g_before_, g_);
  std::swap(p_before_, d_);
  solve.has_pair = true;
  solve.size = 0;
  for (const Found& found : found_) solve.size = std::max(solve.size, found.size);
  solve.slope = direction.slope;
  solve.objective_before = solve.objective();
  solve.noise_before = solve.noise();
  solve.step = 1;
  if (barrier_ && std::isfinite(solve.size)) {
    solve.workers.run(tree_.count(), [&](int part) {
      tree_.take(part, correction_.data());
      double& step = found_[static_cast<std::size_t>(part)].largest_step = INFINITY;
      for (const auto& batch : batches_) step = std::min(step, batch->largest_step(part, z_.data(), correction_.data()));
    });
    double largest = INFINITY;
    for (const Found& found : found_) largest = std::min(largest, found.largest_step);
    largest *= kShareOfTheWay / static_cast<double>(solve.gamma);
    if (largest < 1) {
      solve.step = largest;
      solve.size *= static_cast<float>(largest);
    }
  }
  move(solve, static_cast<float>(solve.step));
}

// Products of the slots [begin, end).
void FloatQuasiNewton::multiply(int place, bool has_pair, int begin, int end, Products& products) {
  constexpr int kBlock = 256;
  const int count = has_pair ? std::min(lbfgs_.kept() + 1, Lbfgs::kKept) : lbfgs_.kept();
  for (int block = begin; block < end; block += kBlock) {
    const int block_end = std::min(block + kBlock, end);
    Quad gp{};
    for (int s = block; s < block_end; ++s) gp += quads(g_)[s] * quads(d_)[s];
    products.gp += total(gp);
    for (int j = 0; j < count; ++j) {
      Quad sg{}, yp{}, sy{}, ys{}, yt{};
      for (int s = block; s < block_end; ++s) {
        const Quad s_j = quads(s_[j])[s], y_j = quads(y_[j])[s];
        sg += s_j * quads(g_)[s];
        yp += y_j * quads(d_)[s];
        if (!has_pair) continue;
        const Quad s_new = quads(s_[place])[s], y_new = quads(y_[place])[s];
        sy += s_new * y_j;
        ys += y_new * s_j;
        yt += y_new * quads(t_[j])[s];
      }
      products.sg[j] += total(sg);
      products.yp[j] += total(yp);
      products.pair.sy[j] += total(sy);
      products.pair.ys[j] += total(ys);
      products.pair.yt[j] += total(yt);
    }
  }
}

// The correction of the slots [begin, end). Returns its largest entry, m.
float FloatQuasiNewton::combine(const Lbfgs::Direction& direction, int begin, int end) {
  const int count = lbfgs_.kept();
  std::array<float, Lbfgs::kKept> along_t{}, along_s{};
  for (int j = 0; j < count; ++j) {
    along_t[j] = static_cast<float>(direction.along_t[j]);
    along_s[j] = static_cast<float>(direction.along_s[j]);
  }
  const auto along_p = static_cast<float>(direction.along_p);
  Correction correction;
  for (int s = begin; s < end; ++s) {
    Quad d = -along_p * quads(d_)[s];
    for (int j = 0; j < count; ++j) d += along_t[j] * quads(t_[j])[s] + along_s[j] * quads(s_[j])[s];
    quads(correction_)[s] = d;
    correction.include(d);
  }
  return correction.size();
}

// w += by times the correction, and z anew.
void FloatQuasiNewton::move(Solve& solve, float by) {
  each_range(solve.workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s) {
      quads(w_)[s] += by * quads(correction_)[s];
      quads(z_)[s] = quads(z0_)[s] + solve.gamma * quads(w_)[s];
    }
  });
}

}  // namespace rebound::sim
