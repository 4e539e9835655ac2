#include "sim/step/float_quasi_newton.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/float_quads.hpp"
#include "sim/step/line_search.hpp"

namespace rebound::sim {
namespace {

constexpr double kEnoughDecrease = 1e-4;
// So many times what it comes down to is a first guess that the step need not have begun with.
constexpr double kWildGuess = 2;
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
  double inertia_at_start = 0;  ///< at x_n, where g is no less
  bool wild = false;            ///< its end may be above where the step began
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
  for (auto* array : {&g_, &g_before_, &p_before_, &correction_}) *array = AlignedBuffer<float>(w_.size());
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
  begin(solve, x);
  if (!descend(solve, effort, stop, x, report)) return report;
  read(solve.workers, x);
  if (solve.wild && solve.objective() > solve.inertia_at_start) {
    Solve from_start(g, *system);
    begin(from_start, g.now().x);
    if (from_start.objective() + from_start.noise() < solve.objective()) {
      const int before = report.iterations;
      report = {};
      x = g.now().x;
      const bool goes_on = descend(from_start, effort, stop, x, report);
      if (goes_on) read(solve.workers, x);
      report.iterations += before;
      if (!goes_on) return report;
    }
  }
  const bool exact = report.converged && effort.enough == 0 && effort.iterations - report.iterations > kFewIterations;
  if (!exact) return report;
  return refine_.run(
      g, effort, stop, x, [&](Points& d) { FloatStep::solve(*system, d, solve.workers); }, report);
}

// From x, where the solve has begun, until it is good enough. False if the solve ends with that.
bool FloatQuasiNewton::descend(Solve& solve, const SolveEffort& effort, const StopRule& stop, Points& x,
                               SolveReport& report) {
  const auto rounding = static_cast<float>(kFloatRounding * model_.extent);
  float first_size = 0;
  double first = solve.objective();
  lbfgs_.restart();
  for (;;) {
    if (stop) {
      if (report.iterations > 0) read(solve.workers, x);
      if (stop(x, solve.E + constant_energy(x, solve.g.work()))) {
        report.converged = true;
        return false;
      }
    }
    if (!std::isfinite(solve.objective()) && report.iterations == 0) {
      gradient_ = x;
      if (make_admissible(solve.g, gradient_)) begin(solve, gradient_);
      first = solve.objective();
    }
    if (!std::isfinite(solve.objective())) {
      report.outcome = Outcome::not_finite;
      return false;
    }
    choose_direction(solve);
    ++report.iterations;
    if (!std::isfinite(solve.size)) {
      report.outcome = Outcome::not_finite;
      return false;
    }
    if (first_size == 0) first_size = solve.size;
    const bool enough = effort.enough > 0 && effort.is_enough(report.iterations, first_size, solve.size, x.rows());
    const bool stuck = !accept(solve);
    report.converged = stuck || solve.size <= rounding || enough;
    const bool used_up = effort.enough > 0 && !report.converged;  // more than that was hoped for
    solve.wild = stuck || used_up || first > kWildGuess * solve.objective();
    if (report.converged || report.iterations >= effort.iterations) return true;
  }
}

// w of the first guess, and g there.
void FloatQuasiNewton::begin(Solve& solve, const Points& x) {
  solve.inertia_at_start = start(solve.g, x);
  move(solve, 0);
  evaluate(solve);
}

// g_ := dg, where d_ was M w.
void FloatQuasiNewton::evaluate(Solve& solve) {
  const auto scale = static_cast<float>(solve.energy_scale * static_cast<double>(solve.gamma));
  solve.E = add_held(scale);
  PerPart<double> E_part;
  solve.workers.run(kParts, [&](int part) { E_part[part] = local(scale, part); });
  for (const double part : E_part) solve.E += part;
  const int top = plan_.top().begin, n = plan_.vertices();
  each_range(solve.workers, [&](int begin, int end, int) {
    if (begin == top)  // what the second part adds there stands behind all others
      for (int s = begin; s < end; ++s) quads(d_)[s] += quads(d_)[n + s - top];
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
  PerPart<Products> parts;
  each_range(solve.workers, [&](int begin, int end, int part) {
    if (solve.has_pair) {
      const auto t = static_cast<float>(solve.step);
      for (int s = begin; s < end; ++s) {
        quads(s_[place])[s] = t * quads(correction_)[s];
        quads(y_[place])[s] = quads(g_)[s] - quads(g_before_)[s];
        quads(t_[place])[s] = quads(d_)[s] - quads(p_before_)[s];
      }
    }
    multiply(place, solve.has_pair, begin, end, parts[part]);
  });
  parts[0].add(parts[1]);
  const Products& products = parts[0];
  if (solve.has_pair) lbfgs_.add(products.pair);
  Lbfgs::Direction direction = lbfgs_.direction(products.gp, products.sg, products.yp);
  if (!(direction.slope < 0)) {
    lbfgs_.restart();
    direction = {1, {}, {}, -products.gp};
  }
  PerPart<float> sizes{};
  each_range(solve.workers, [&](int begin, int end, int part) {
    sizes[part] = std::max(sizes[part], combine(direction, begin, end));
  });
  std::swap(g_before_, g_);
  std::swap(p_before_, d_);
  solve.has_pair = true;
  solve.size = std::max(sizes[0], sizes[1]);
  solve.slope = direction.slope;
  solve.objective_before = solve.objective();
  solve.noise_before = solve.noise();
  solve.step = 1;
  if (barrier_ && std::isfinite(solve.size)) {
    PerPart<double> by_part{INFINITY, INFINITY};
    solve.workers.run(kParts, [&](int part) {
      for (const auto& batch : batches_)
        by_part[part] = std::min(by_part[part], batch->largest_step(part, z_.data(), correction_.data()));
    });
    const double largest = kShareOfTheWay * std::min(by_part[0], by_part[1]) / static_cast<double>(solve.gamma);
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

// w += by times the correction, and z, M w and the inertia anew.
void FloatQuasiNewton::move(Solve& solve, float by) {
  PerPart<double> inertia{};
  each_range(solve.workers, [&](int begin, int end, int part) {
    Inertia sum;
    for (int s = begin; s < end; ++s) {
      if (by != 0) quads(w_)[s] += by * quads(correction_)[s];
      const Quad w = quads(w_)[s];
      quads(z_)[s] = quads(z0_)[s] + solve.gamma * w;
      quads(d_)[s] = quads(mass_)[s] * w;
      sum.include(quads(d_)[s], w);
    }
    inertia[part] += sum.half();
  });
  solve.inertia = inertia[0] + inertia[1];
}

}  // namespace rebound::sim
