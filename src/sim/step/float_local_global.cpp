#include "sim/step/float_local_global.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/float_quads.hpp"

namespace rebound::sim {
// What the phases of an iteration share.
struct FloatLocalGlobal::Solve {
  Solve(const StepObjective& g, FloatSystem& in)
      : system(in),
        workers(g.work().workers),
        energy_scale(g.scheme().c * g.h() * g.h()),
        gamma(static_cast<float>(g.scheme().gamma)),
        gradient_scale(static_cast<float>(energy_scale * g.scheme().gamma)) {}

  FloatSystem& system;
  Workers& workers;
  const double energy_scale;  ///< what E is multiplied by in the objective, s^2
  const float gamma, gradient_scale;
  PerPart<double> inertia{};  ///< of the present iterate, J s^2
  double objective_before = INFINITY;
  bool combined = false;  ///< the present iterate is a combination of earlier ones
  int place = 0;          ///< where the rings have the latest iterate
};

SolveReport FloatLocalGlobal::minimize(const StepObjective& g, const SolveEffort& effort, const StopRule& stop,
                                       Points& x) {
  SolveReport report;
  FloatSystem* system = systems_.find(g.frozen_coefficient(), g.work().workers);
  if (system == nullptr) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  if (effort.accelerated && steps_.front().size() == 0)
    for (auto* ring : {&residuals_, &steps_})
      for (auto& array : *ring) array = AlignedBuffer<float>(w_.size());
  if (!effort.goes_on || !start_at_end(g)) start(g, x);
  Solve solve(g, *system);
  const bool by_parts = !effort.accelerated && !stop && effort.enough == 0 && are_springs_apart() && !system->holds();
  bool ahead = false;  // the local step is made, and the way up
  const auto rounding = static_cast<float>(kFloatRounding * model_.extent);
  anderson_.restart();
  Corrections corrections;
  while (true) {
    if (!ahead) {
      double E = local_step(solve, !stop);
      if (take_back_if_raised(solve, E)) continue;
      if (stop) {
        if (report.iterations > 0) read(solve.workers, x);
        E += constant_energy(x, g.work());
        if (stop(x, E)) {
          report.converged = true;
          return report;
        }
        system->inverse().forward(d_.data(), solve.workers);
      }
    }
    ++report.iterations;
    const bool last = report.iterations >= effort.iterations;
    solve.combined = effort.accelerated && (!last || anderson_.proven());
    const float size = by_parts ? visit_parts(solve, last) : global_step(solve);
    ahead = by_parts;
    if (!std::isfinite(size)) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    corrections.add(size);
    const bool enough = effort.enough > 0 && effort.is_enough(corrections, x.rows());
    report.converged = size <= rounding || enough;
    if (last || enough) break;
    if (report.converged) {
      if (effort.iterations - report.iterations <= kFewIterations || effort.enough > 0) break;
      read(solve.workers, x);
      return refine(g, *system, effort, stop, report, x);
    }
  }
  read(solve.workers, x);
  return report;
}

// d_ := dg. Returns E of what is no constant force. forward: the first half of the global step goes with it.
double FloatLocalGlobal::local_step(Solve& solve, bool forward) {
  double E = add_springs_between(solve.gradient_scale);
  const BlockInverse& inverse = solve.system.inverse();
  PerPart<double> E_part{};
  each_part(solve.workers, [&](int part) {
    E_part[part] = local(solve.gradient_scale, part);
    if (forward && part < part_count() && plan_.part(part).stage == 0) inverse.forward(part, d_.data());
  });
  if (forward) inverse.forward_joints(d_.data(), solve.workers);
  return E + total(E_part);
}

// A step of one iterate never raises the objective. Where a combination does, the latest iterate alone takes its place.
bool FloatLocalGlobal::take_back_if_raised(Solve& solve, double E) {
  const double scaled = solve.energy_scale * E, inertia = total(solve.inertia), objective = scaled + inertia;
  const double noise = kObjectiveRounding * (std::abs(scaled) + inertia);
  if (!solve.combined || objective <= solve.objective_before + noise) {
    solve.objective_before = objective;
    return false;
  }
  solve.combined = false;
  Anderson::Numbers latest{};
  latest[solve.place] = 1;
  solve.inertia = {};
  each_range(solve.workers,
             [&](int begin, int end, int part) { combine(latest, solve.gamma, begin, end, solve.inertia[part]); });
  anderson_.restart();
  return true;
}

// From dg, forward substitution done, to the next iterate. Returns the largest entry of the correction, m.
float FloatLocalGlobal::global_step(Solve& solve) {
  Workers& workers = solve.workers;
  FloatSystem& system = solve.system;
  system.inverse().solve_top(d_.data(), workers);
  system.push_contacts(d_.data(), heights_, workers);
  system.inverse().backward(d_.data(), workers);
  system.weigh(d_.data(), heights_, workers);

  solve.inertia = {};
  solve.place = anderson_.next_place();
  PerPart<float> sizes{};
  PerPart<Anderson::Numbers> products{};
  each_range(workers, [&](int begin, int end, int part) {
    system.subtract(begin, end, d_.data());
    const float size = solve.combined ? keep(solve.place, begin, end, products[part])
                                      : step_plainly(solve.gamma, begin, end, solve.inertia[part]);
    sizes[part] = size;
  });
  const float size = *std::max_element(sizes.begin(), sizes.end());
  if (!solve.combined || !std::isfinite(size)) return size;
  Anderson::Numbers sums{};
  for (const Anderson::Numbers& part : products)
    for (int j = 0; j < Anderson::kKept; ++j) sums[j] += part[j];
  const Anderson::Numbers weights = anderson_.add(sums);
  each_range(workers,
             [&](int begin, int end, int part) { combine(weights, solve.gamma, begin, end, solve.inertia[part]); });
  return size;
}

// The same, and the local step and forward substitution of the next iteration unless this is the last, part by part.
float FloatLocalGlobal::visit_parts(Solve& solve, bool last) {
  const BlockInverse& inverse = solve.system.inverse();
  PerPart<float> sizes{};
  const auto step = [&](int part) {
    const EliminationPlan::Part& of = part_or_top(part);
    sizes[part] = step_plainly(solve.gamma, of.begin, of.end, solve.inertia[part]);
    if (!last) local(solve.gradient_scale, part);
  };
  solve.inertia = {};
  inverse.solve_top(d_.data(), solve.workers);
  solve.system.push_contacts(d_.data(), heights_, solve.workers);
  step(part_count());
  inverse.each_downwards(solve.workers, [&](int part) {
    inverse.backward(part, d_.data());
    step(part);
    if (!last && plan_.part(part).stage == 0) inverse.forward(part, d_.data());
  });
  if (!last) inverse.forward_joints(d_.data(), solve.workers);
  return *std::max_element(sizes.begin(), sizes.end());
}

// All of a slot is read before anything is written. The arrays begin at the same place of a page, and a processor takes
// a read for one of a write that is still under way where the two have the same place in their pages.

// w -= d, and z and M w anew; adds 1/2 w^T M w to `inertia`. Returns the largest coordinate of d, infinite if one is
// not finite.
float FloatLocalGlobal::step_plainly(float gamma, int begin, int end, double& inertia) {
  Correction correction;
  Inertia sum;
  for (int s = begin; s < end; ++s) {
    const Quad d = quads(d_)[s], m = quads(mass_)[s], z0 = quads(z0_)[s];
    correction.include(d);
    const Quad w = quads(w_)[s] - d, Mw = m * w;
    quads(w_)[s] = w;
    quads(z_)[s] = z0 + gamma * w;
    quads(d_)[s] = Mw;
    sum.include(Mw, w);
  }
  inertia += sum.half();
  return correction.size();
}

// Keeps d and w - beta d, and adds the products of d with those kept before to `products`. Returns what step_plainly
// does.
float FloatLocalGlobal::keep(int place, int begin, int end, Anderson::Numbers& products) {
  constexpr int kBlock = 256;
  const int count = std::min(anderson_.kept() + 1, Anderson::kKept);
  Correction correction;
  for (int block = begin; block < end; block += kBlock) {
    const int block_end = std::min(block + kBlock, end);
    for (int s = block; s < block_end; ++s) {
      const Quad d = quads(d_)[s], w = quads(w_)[s];
      correction.include(d);
      quads(residuals_[place])[s] = d;
      quads(steps_[place])[s] = w - static_cast<float>(Anderson::kBeta) * d;
    }
    for (int j = 0; j < count; ++j) {
      Quad sum{};
      for (int s = block; s < block_end; ++s) sum += quads(d_)[s] * quads(residuals_[j])[s];
      products[j] += static_cast<double>(sum[0]) + sum[1] + sum[2];
    }
  }
  return correction.size();
}

// w := the combination of what is kept, and z and M w anew; adds 1/2 w^T M w to `inertia`.
void FloatLocalGlobal::combine(const Anderson::Numbers& weights, float gamma, int begin, int end, double& inertia) {
  const int count = anderson_.kept();
  std::array<float, Anderson::kKept> weight{};
  for (int j = 0; j < count; ++j) weight[j] = static_cast<float>(weights[j]);
  Inertia sum;
  for (int s = begin; s < end; ++s) {
    const Quad m = quads(mass_)[s], z0 = quads(z0_)[s];
    Quad w{};
    for (int j = 0; j < count; ++j) w += weight[j] * quads(steps_[j])[s];
    const Quad Mw = m * w;
    quads(w_)[s] = w;
    quads(z_)[s] = z0 + gamma * w;
    quads(d_)[s] = Mw;
    sum.include(Mw, w);
  }
  inertia += sum.half();
}

// The same iteration with x and dg in double precision.
SolveReport FloatLocalGlobal::refine(const StepObjective& g, FloatSystem& system, const SolveEffort& effort,
                                     const StopRule& stop, SolveReport report, Points& x) {
  Points& d = gradient_;
  is_at_end_ = false;
  while (true) {
    const double E = g.gradient(x, d);
    if (stop && stop(x, E)) {
      report.converged = true;
      return report;
    }
    g.contact_heights(x, heights_);
    solve(system, d, heights_, g.work().workers);
    x -= d;
    ++report.iterations;
    const double size = largest_coordinate(d);
    if (!std::isfinite(d.squaredNorm())) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    report.converged = size <= kNegligible * largest_coordinate(x);
    if (report.iterations >= effort.iterations || report.converged) return report;
  }
}

}  // namespace rebound::sim
