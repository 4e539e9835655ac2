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

double sum_of(Quad a) { return static_cast<double>(a[0]) + a[1] + a[2]; }

}  // namespace

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
  double E = 0, inertia = 0;    ///< of the present iterate, J and J s^2
  double inertia_at_start = 0;  ///< at x_n, where g is no less
  bool wild = false;            ///< its end may be above where the step began
  double objective_before = INFINITY, noise_before = 0, slope = 0;
  double step = 0;  ///< t
  float size = 0;   ///< of the correction, m

  double objective() const { return energy_scale * E + inertia; }
  double noise() const { return kObjectiveRounding * (std::abs(energy_scale * E) + inertia); }
};

FloatQuasiNewton::FloatQuasiNewton(const Model& model, const Analysis& known) : FloatStep(model, known) {
  for (Ring* ring : {&p_, &directions_})
    for (auto& array : *ring) array = AlignedBuffer<float>(w_.size());
  g_ = AlignedBuffer<float>(w_.size());
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
      g, effort, stop, x, [&](Points& d, const Points*) { FloatStep::solve(*system, d, {}, solve.workers); }, report);
}

// From x, where the solve has begun, until it is good enough. False if the solve ends with that.
bool FloatQuasiNewton::descend(Solve& solve, const SolveEffort& effort, const StopRule& stop, Points& x,
                               SolveReport& report) {
  const auto rounding = static_cast<float>(kFloatRounding * model_.extent);
  Corrections corrections;
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
    corrections.add(solve.size);
    const bool enough = effort.enough > 0 && effort.is_enough(corrections, x.rows());
    const bool last = enough || solve.size <= rounding || report.iterations >= effort.iterations;
    const bool stuck = !accept(solve, last);
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
  evaluate(solve, true);
}

// E of the present iterate, where d_ was M w. gradient: g_ := dg, and the inverse's forward pass of d_ goes with it.
void FloatQuasiNewton::evaluate(Solve& solve, bool gradient) {
  const auto scale = static_cast<float>(solve.energy_scale * static_cast<double>(solve.gamma));
  const BlockInverse& inverse = solve.system.inverse();
  solve.E = add_springs_between(scale);
  PerPart<double> E_part{};
  each_part(solve.workers, [&](int part) {
    if (!gradient) {
      E_part[part] = local_energy(part);
      return;
    }
    E_part[part] = local(scale, part);
    const EliminationPlan::Part& of = part_or_top(part);
    std::copy(quads(d_) + of.begin, quads(d_) + of.end, quads(g_) + of.begin);
    std::copy_n(quads(d_) + of.area, of.area_size(), quads(g_) + of.area);
  });
  solve.E += total(E_part);
  if (!gradient) return;
  inverse.each_upwards(solve.workers, [&](int part) {
    inverse.add_children(part, g_.data());
    inverse.forward(part, d_.data());
  });
  inverse.add_children(part_count(), g_.data());
}

// Goes along the correction until g falls enough. False if it does not. last: dg is not wanted there.
bool FloatQuasiNewton::accept(Solve& solve, bool last) {
  const double wanted = kEnoughDecrease * solve.slope, noise = solve.noise_before;
  for (int halving = 0; halving < kMostFloatHalvings; ++halving) {
    evaluate(solve, !last);
    if (solve.objective() <= solve.objective_before + solve.step * wanted + noise) {
      lbfgs_.went(solve.step);
      return true;
    }
    move(solve, static_cast<float>(-0.5 * solve.step));
    solve.step *= 0.5;
    solve.size *= 0.5f;
  }
  move(solve, static_cast<float>(-solve.step));
  solve.step = 0;
  return false;
}

// From g_ to the correction, which w is moved by.
void FloatQuasiNewton::choose_direction(Solve& solve) {
  FloatSystem& system = solve.system;
  system.inverse().solve_top(d_.data(), solve.workers);
  system.push_contacts(d_.data(), {}, solve.workers);
  system.inverse().backward(d_.data(), solve.workers);
  system.weigh(d_.data(), {}, solve.workers);
  std::swap(p_[lbfgs_.place()], d_);
  PerPart<Products> parts{};
  each_range(solve.workers, [&](int begin, int end, int part) {
    system.subtract(begin, end, p_[lbfgs_.place()].data());
    multiply(begin, end, parts[part]);
  });
  Products products;
  for (const Products& part : parts)
    for (int q = 0; q < Lbfgs::kPlaces; ++q) {
      products.pg[q] += part.pg[q];
      products.dg[q] += part.dg[q];
    }
  const Lbfgs::Direction direction = lbfgs_.direction(products.pg, products.dg);
  solve.slope = direction.slope;
  solve.objective_before = solve.objective();
  solve.noise_before = solve.noise();
  solve.step = 1;
  PerPart<float> sizes{};
  PerPart<double> inertia{};
  each_range(solve.workers, [&](int begin, int end, int part) {
    sizes[part] = combine(direction, begin, end);
    if (!barrier_) inertia[part] = move(solve, 1, begin, end);
  });
  solve.size = *std::max_element(sizes.begin(), sizes.end());
  solve.inertia = total(inertia);
  if (barrier_) move(solve, shorten(solve));
}

// The step to what is admissible: all of it, or a share.
float FloatQuasiNewton::shorten(Solve& solve) {
  if (!std::isfinite(solve.size)) return 1;
  PerPart<double> by_part;
  by_part.fill(INFINITY);
  float* correction = directions_[lbfgs_.place()].data();
  each_part(solve.workers, [&](int part) {
    partition_.fill_area(part, z_.data());
    partition_.fill_area(part, correction);
    for (const auto& batch : batches_)
      by_part[part] = std::min(by_part[part], batch->largest_step(part, z_.data(), correction));
  });
  const double largest =
      kShareOfTheWay * *std::min_element(by_part.begin(), by_part.end()) / static_cast<double>(solve.gamma);
  solve.step = std::min(1.0, largest);
  solve.size *= static_cast<float>(solve.step);
  return static_cast<float>(solve.step);
}

// Products of the slots [begin, end).
void FloatQuasiNewton::multiply(int begin, int end, Products& products) {
  constexpr int kBlock = 64;
  const int now = lbfgs_.place();
  const auto times_g = [&](AlignedBuffer<float>& of, int block, int block_end) {
    Quad sum{};
    for (int s = block; s < block_end; ++s) sum += quads(of)[s] * quads(g_)[s];
    return sum_of(sum);
  };
  for (int block = begin; block < end; block += kBlock) {
    const int block_end = std::min(block + kBlock, end);
    products.pg[now] += times_g(p_[now], block, block_end);
    for (int age = 1; age <= lbfgs_.kept(); ++age) {
      const int q = lbfgs_.place(age);
      products.pg[q] += times_g(p_[q], block, block_end);
      products.dg[q] += times_g(directions_[q], block, block_end);
    }
  }
}

// The correction of the slots [begin, end). Returns its largest entry, m.
float FloatQuasiNewton::combine(const Lbfgs::Direction& direction, int begin, int end) {
  const int now = lbfgs_.place(), kept = lbfgs_.kept();
  const Quad *p[Lbfgs::kKept], *d[Lbfgs::kKept];
  std::array<float, Lbfgs::kKept> along_p, along_d;
  for (int i = 0; i < kept; ++i) {
    const int q = lbfgs_.place(i + 1);
    p[i] = quads(p_[q]);
    d[i] = quads(directions_[q]);
    along_p[i] = static_cast<float>(direction.along_p[q]);
    along_d[i] = static_cast<float>(direction.along_d[q]);
  }
  const auto along_now = static_cast<float>(direction.along_p[now]);
  const Quad* latest = quads(p_[now]);
  Quad* made = quads(directions_[now]);
  Correction correction;
  for (int s = begin; s < end; ++s) {
    Quad sum = along_now * latest[s];
    for (int i = 0; i < kept; ++i) sum += along_p[i] * p[i][s] + along_d[i] * d[i][s];
    made[s] = sum;
    correction.include(sum);
  }
  return correction.size();
}

// w += by times the correction, and z, M w and the inertia anew.
void FloatQuasiNewton::move(Solve& solve, float by) {
  PerPart<double> inertia{};
  each_range(solve.workers, [&](int begin, int end, int part) { inertia[part] = move(solve, by, begin, end); });
  solve.inertia = total(inertia);
}

// The same of the slots [begin, end). Returns their inertia.
double FloatQuasiNewton::move(const Solve& solve, float by, int begin, int end) {
  const Quad* correction = quads(directions_[lbfgs_.place()]);
  Inertia sum;
  for (int s = begin; s < end; ++s) {
    if (by != 0) quads(w_)[s] += by * correction[s];
    const Quad w = quads(w_)[s];
    quads(z_)[s] = quads(z0_)[s] + solve.gamma * w;
    quads(d_)[s] = quads(mass_)[s] * w;
    sum.include(quads(d_)[s], w);
  }
  return sum.half();
}

}  // namespace rebound::sim
