#include "sim/step/float_local_global.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/float_quads.hpp"

namespace rebound::sim {
// What the phases of an iteration share.
struct FloatLocalGlobal::Solve {
  Solve(const StepObjective& g, FloatSystem& in, bool accelerated_)
      : system(in),
        workers(g.work().workers),
        energy_scale(g.scheme().c * g.h() * g.h()),
        gamma(static_cast<float>(g.scheme().gamma)),
        gradient_scale(static_cast<float>(energy_scale * g.scheme().gamma)),
        accelerated(accelerated_) {}

  FloatSystem& system;
  Workers& workers;
  const double energy_scale;  ///< what E is multiplied by in the objective, s^2
  const float gamma, gradient_scale;
  const bool accelerated;
  double crossing_energy = 0;
  Sums sums;  ///< of the present iterate
  double objective_before = INFINITY;
  bool combined = false;  ///< the present iterate is a combination of earlier ones
  int place = 0;          ///< where the rings have the latest iterate
  std::array<float, Anderson::kKept> weights{};  ///< of the combination, by place
  float size = 0, size_before = 0, first_size = 0;  ///< of corrections, m
  double slope = 0, slope_before = 0;               ///< dg . A^-1 dg of the present gradient, and of the one before
};

SolveReport FloatLocalGlobal::minimize(const StepObjective& g, const SolveEffort& effort, const StopRule& stop, Points& x) {
  SolveReport report;
  FloatSystem* system = systems_.find(g.frozen_coefficient(), g.work().workers);
  if (system == nullptr) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  found_.resize(static_cast<std::size_t>(tree_.count()));
  if (effort.accelerated && steps_.front().size() == 0)
    for (auto* ring : {&forwarded_, &steps_})
      for (auto& array : *ring) array = AlignedBuffer<float>(w_.size());
  if (system->holds() && left_.size() == 0) left_ = AlignedBuffer<float>(w_.size());
  start(g, x);
  Solve solve(g, *system, effort.accelerated);
  const auto rounding = static_cast<float>(kFloatRounding * model_.extent);
  anderson_.restart();
  climb(solve);
  while (true) {
    if (take_back_if_raised(solve)) continue;
    if (stop) {
      if (report.iterations > 0) read(solve.workers, x);
      if (stop(x, solve.sums.E + constant_energy(x, g.work()))) {
        report.converged = true;
        return report;
      }
    }
    ++report.iterations;
    const bool last = report.iterations >= effort.iterations;
    solve.combined = effort.accelerated && (!last || anderson_.proven());
    turn(solve);
    const bool likely = last || likely_last(solve, effort, report.iterations, x.rows());
    descend(solve, !likely);
    if (!std::isfinite(solve.size)) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    if (report.iterations == 1) solve.first_size = solve.size;
    const bool enough = effort.enough > 0 && effort.is_enough(report.iterations, solve.first_size, solve.size, x.rows());
    report.converged = solve.size <= rounding || enough;
    if (last || enough) break;
    if (report.converged) {
      if (effort.iterations - report.iterations <= kFewIterations || effort.enough > 0) break;
      read(solve.workers, x);
      return refine(g, *system, effort, stop, report, x);
    }
    if (likely) climb(solve);
  }
  read(solve.workers, x);
  return report;
}

// Who iterates by need would rather not begin an iteration that is not wanted: corrections shrink about as their norms
// do, and those are known before the way down. Which way is taken changes no result.
bool FloatLocalGlobal::likely_last(const Solve& solve, const SolveEffort& effort, int iterations,
                                   Eigen::Index vertices) const {
  if (effort.enough <= 0 || iterations == 1 || !(solve.slope_before > 0)) return false;
  const float size = solve.size * static_cast<float>(std::sqrt(std::max(0.0, solve.slope / solve.slope_before)));
  return effort.is_enough(iterations, solve.first_size, size, vertices);
}

// The part's share of dg, the forward pass on it, and what both sum up.
void FloatLocalGlobal::up(Solve& solve, int part) {
  Found& found = found_[static_cast<std::size_t>(part)];
  found.sums = local(solve.gradient_scale, part);
  gather(part);
  float* forwarded = solve.accelerated ? forwarded_[static_cast<std::size_t>(anderson_.next_place())].data() : nullptr;
  if (part == tree_.top_index()) return;  // see turn()
  solve.system.inverse().forward(part, d_.data(), forwarded);
  if (solve.accelerated) multiply(tree_.part(part).begin, tree_.part(part).end, found.products);
}

// The part's share of the correction, and of the next iterate.
void FloatLocalGlobal::down(Solve& solve, int part) {
  const PartTree::Part& own = tree_.part(part);
  if (part != tree_.top_index()) {
    tree_.take(part, d_.data());
    solve.system.inverse().backward(part, d_.data());
  }
  const float* d = d_.data();
  if (solve.system.holds()) {
    solve.system.subtract(part, d, left_.data());
    d = left_.data();
  }
  found_[static_cast<std::size_t>(part)].size = solve.combined ? step_combined(solve, d, own.begin, own.end)
                                                               : step_plainly(d, solve.gamma, own.begin, own.end);
}

// All of the way up at an iterate that stands in all slots.
void FloatLocalGlobal::climb(Solve& solve) {
  solve.crossing_energy = pull_crossing(solve.gradient_scale);
  tree_.upward(solve.workers, [&](int part) { up(solve, part); });
  finish_climb(solve);
}

void FloatLocalGlobal::finish_climb(Solve& solve) {
  up(solve, tree_.top_index());
  solve.sums = {solve.crossing_energy, 0};
  for (const Found& found : found_) {
    solve.sums.E += found.sums.E;
    solve.sums.inertia += found.sums.inertia;
  }
}

// A step of one iterate never raises the objective. Where a combination does, the latest iterate alone takes its place.
bool FloatLocalGlobal::take_back_if_raised(Solve& solve) {
  const double scaled = solve.energy_scale * solve.sums.E, objective = scaled + solve.sums.inertia;
  const double noise = kObjectiveRounding * (std::abs(scaled) + solve.sums.inertia);
  if (!solve.combined || objective <= solve.objective_before + noise) {
    solve.objective_before = objective;
    return false;
  }
  solve.combined = false;
  const auto& step = steps_[static_cast<std::size_t>(solve.place)];
  each_range(solve.workers, [&](int begin, int end, int) {
    std::copy(step.data() + 4 * begin, step.data() + 4 * end, w_.data() + 4 * begin);
    for (int s = begin; s < end; ++s) quads(z_)[s] = quads(z0_)[s] + solve.gamma * quads(w_)[s];
  });
  anderson_.restart();
  climb(solve);
  return true;
}

// At the top, between the way up and the way down.
void FloatLocalGlobal::turn(Solve& solve) {
  const PartTree::Part& top = tree_.top();
  solve.place = anderson_.next_place();
  if (solve.accelerated) {
    float* forwarded = forwarded_[static_cast<std::size_t>(solve.place)].data();
    std::copy(d_.data() + 4 * top.begin, d_.data() + 4 * top.end, forwarded + 4 * top.begin);
  }
  solve.system.inverse().solve_top(d_.data(), solve.workers);
  if (solve.accelerated) {
    multiply(top.begin, top.end, found_.back().products);
    Anderson::Numbers products{};
    for (const Found& found : found_)
      for (std::size_t j = 0; j < products.size(); ++j) products[j] += found.products[j];
    solve.slope_before = std::exchange(solve.slope, products[static_cast<std::size_t>(solve.place)]);
    if (solve.combined) {
      const Anderson::Numbers weights = anderson_.add(products);
      for (std::size_t j = 0; j < weights.size(); ++j) solve.weights[j] = static_cast<float>(weights[j]);
    }
  }
  solve.system.push(d_.data(), solve.workers);
}

// To the next iterate, and up again if asked.
void FloatLocalGlobal::descend(Solve& solve, bool and_climb) {
  const auto go_down = [&](int part) { down(solve, part); };
  const bool in_one = and_climb && !any_crossing();
  down(solve, tree_.top_index());
  if (in_one) {
    tree_.down_and_up(solve.workers, go_down, [&](int part) { up(solve, part); });
    finish_climb(solve);
  } else {
    tree_.downward(solve.workers, go_down);
  }
  solve.size = 0;
  for (const Found& found : found_) solve.size = std::max(solve.size, found.size);
  if (and_climb && !in_one) climb(solve);
}

// w -= d, and z anew. Returns the largest coordinate of d, infinite if one is not finite.
float FloatLocalGlobal::step_plainly(const float* d, float gamma, int begin, int end) {
  Correction correction;
  for (int s = begin; s < end; ++s) {
    const Quad by = reinterpret_cast<const Quad*>(d)[s];
    correction.include(by);
    const Quad w = quads(w_)[s] - by;
    quads(w_)[s] = w;
    quads(z_)[s] = quads(z0_)[s] + gamma * w;
  }
  return correction.size();
}

// Adds the products of what the forward pass left in the slots [begin, end) with what it had there of earlier gradients.
void FloatLocalGlobal::multiply(int begin, int end, Anderson::Numbers& products) {
  constexpr int kBlock = 256;
  const int count = std::min(anderson_.kept() + 1, Anderson::kKept);
  products = {};
  for (int block = begin; block < end; block += kBlock) {
    const int block_end = std::min(block + kBlock, end);
    for (int j = 0; j < count; ++j) {
      Quad sum{};
      for (int s = block; s < block_end; ++s) sum += quads(d_)[s] * quads(forwarded_[static_cast<std::size_t>(j)])[s];
      products[static_cast<std::size_t>(j)] += static_cast<double>(sum[0]) + sum[1] + sum[2];
    }
  }
}

// Keeps w - beta d; w := the combination of what is kept, and z anew. Returns what step_plainly does.
float FloatLocalGlobal::step_combined(const Solve& solve, const float* d, int begin, int end) {
  const int count = anderson_.kept();
  Quad* latest = quads(steps_[static_cast<std::size_t>(solve.place)]);
  Correction correction;
  for (int s = begin; s < end; ++s) {
    const Quad by = reinterpret_cast<const Quad*>(d)[s];
    correction.include(by);
    latest[s] = quads(w_)[s] - static_cast<float>(Anderson::kBeta) * by;
    Quad w{};
    for (int j = 0; j < count; ++j)
      w += solve.weights[static_cast<std::size_t>(j)] * quads(steps_[static_cast<std::size_t>(j)])[s];
    quads(w_)[s] = w;
    quads(z_)[s] = quads(z0_)[s] + solve.gamma * w;
  }
  return correction.size();
}

// The same iteration with x and dg in double precision.
SolveReport FloatLocalGlobal::refine(const StepObjective& g, FloatSystem& system, const SolveEffort& effort,
                                     const StopRule& stop, SolveReport report, Points& x) {
  Points& d = gradient_;
  while (true) {
    const double E = g.gradient(x, d);
    if (stop && stop(x, E)) {
      report.converged = true;
      return report;
    }
    solve(system, d, g.work().workers);
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
