#include "sim/step/float_local_global.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/float_quads.hpp"

namespace rebound::sim {
namespace {

// What the rounding of floats does to the objective, as a share.
constexpr double kObjectiveRounding = 1e-6;
// Corrections below this share of the bodies' extent are of the size of a float's rounding.
constexpr float kFloatRounding = 6e-8f;
// Who asks for no more iterations than these beyond that point asks for a fast step, not for an exact one.
constexpr int kFewIterations = 10;

template <class T>
using PerPart = std::array<T, EliminationPlan::kParts>;

}  // namespace

Partition partition_of(const EliminationPlan& plan) {
  Partition partition;
  for (int p = 0; p < kParts; ++p) {
    partition.begin[p] = plan.part(p).begin;
    partition.end[p] = plan.part(p).end;
  }
  partition.top = plan.top().begin;
  partition.size = plan.vertices();
  return partition;
}

bool FloatLocalGlobal::supports(const Model& model) {
  return std::all_of(model.energies.begin(), model.energies.end(),
                     [&](const auto& energy) { return energy->has_constant_gradient() || energy->has_float_batch(); });
}

FloatLocalGlobal::FloatLocalGlobal(const Model& model, std::shared_ptr<const EliminationPlan> plan, FactorCache* cache)
    : model_(model), systems_(model, std::move(plan), cache), plan_(*systems_.analysis()) {
  const Partition partition = partition_of(plan_);
  for (const auto& energy : model.energies)
    if (!energy->has_constant_gradient()) batches_.push_back(energy->float_batch(plan_.position(), partition));

  const auto n = static_cast<std::size_t>(plan_.vertices());
  body_.resize(n);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (int v = model.bodies[b].first; v < model.bodies[b].first + model.bodies[b].count; ++v)
      body_[static_cast<std::size_t>(plan_.position()[v])] = static_cast<int>(b);
  middles_.resize(model.bodies.size());
  const std::size_t slots = n + static_cast<std::size_t>(plan_.top().size());
  for (auto* array : {&mass_, &w_, &z_, &z0_, &d_}) *array = AlignedBuffer<float>(4 * slots);
  read_numbers();
}

void FloatLocalGlobal::read_numbers() {
  for (auto& slots : fixed_) slots.clear();
  const int top = plan_.top().begin, n = plan_.vertices();
  for (int s = 0; s < n; ++s) {
    const int v = plan_.order()[s];
    const float m = model_.fixed[v] ? 0.0f : static_cast<float>(model_.M[v]);
    quads(mass_)[s] = Quad{m, m, m, 0};
    if (!model_.fixed[v]) continue;
    if (s >= top) {
      fixed_[0].push_back(s);
      fixed_[1].push_back(n + s - top);
    } else {
      fixed_[s >= plan_.part(1).begin].push_back(s);
    }
  }
  gradient_.setZero(n, 3);
  Workspace alone(1);
  const Points anywhere = Points::Zero(n, 3);
  constant_.clear();
  for (const auto& energy : model_.energies) {
    if (!energy->has_constant_gradient()) continue;
    constant_.push_back(energy.get());
    energy->add_gradient(anywhere, gradient_, alone);
  }
  model_.clear_fixed(gradient_);
  acceleration_.resize(n, 3);
  for (int s = 0; s < n; ++s) {
    const int v = plan_.order()[s];
    acceleration_.row(s) = -gradient_.row(v) / model_.M[v];
  }
}

void FloatLocalGlobal::pins_changed(Workers& workers) {
  systems_.held_changed(workers);
  read_numbers();
}

void FloatLocalGlobal::restore_rounding(const std::vector<std::uint8_t>& factored, Workers& workers) {
  systems_.restore_rounding(factored, workers);
  read_numbers();
}

void FloatLocalGlobal::adopt(SystemCache<FloatSystem>::Missing& made, Workers& workers) {
  systems_.adopt(made, workers);
  read_numbers();
}

void FloatLocalGlobal::choose_middles(const Points& x) {
  for (std::size_t b = 0; b < middles_.size(); ++b)
    middles_[b] = x.middleRows(model_.bodies[b].first, model_.bodies[b].count).colwise().mean();
  handles_.clear();
  for (const Attachments* attachments : {&model_.attachments, &model_.grabs})
    for (const Attachment& a : attachments->items) {
      Handle handle{{}, {}, static_cast<float>(a.stiffness), {}};
      for (int j = 0; j < 4; ++j) {
        handle.slots[j] = plan_.position()[a.point.vertices[j]];
        handle.weights[j] = static_cast<float>(a.point.weights[j]);
      }
      const Vec3 from_middle = a.target - middle(handle.slots[0]);
      for (int c = 0; c < 3; ++c) handle.target[c] = static_cast<float>(from_middle[c]);
      handles_.push_back(handle);
    }
  contacts_.clear();
  for (const Contact& c : model_.contacts.items) {
    Repulsion repulsion{c.point.count, {}, {}, {}, 0, static_cast<float>(c.stiffness)};
    Vec3 from_middles = c.x_s;
    for (int j = 0; j < c.point.count; ++j) {
      repulsion.slots[j] = plan_.position()[c.point.vertices[j]];
      repulsion.weights[j] = static_cast<float>(c.point.weights[j]);
      from_middles -= c.point.weights[j] * middle(repulsion.slots[j]);
    }
    for (int k = 0; k < 3; ++k) repulsion.n[k] = static_cast<float>(c.n[k]);
    repulsion.offset = static_cast<float>(from_middles.dot(c.n));
    contacts_.push_back(repulsion);
  }
}

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

SolveReport FloatLocalGlobal::minimize(const StepObjective& g, const SolveEffort& effort, const StopRule& stop, Points& x) {
  SolveReport report;
  FloatSystem* system = systems_.find(g.frozen_coefficient(), g.work().workers);
  if (system == nullptr) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  if (effort.accelerated && steps_.front().size() == 0)
    for (auto* ring : {&residuals_, &steps_})
      for (auto& array : *ring) array = AlignedBuffer<float>(w_.size());
  start(g, x);
  Solve solve(g, *system);
  const auto rounding = static_cast<float>(kFloatRounding * model_.extent);
  anderson_.restart();
  float first_size = 0;
  while (true) {
    double E = local_step(solve, !stop);
    if (take_back_if_raised(solve, E)) continue;
    if (stop) {
      if (report.iterations > 0) read(solve.workers, x);
      for (const Energy* energy : constant_) E += energy->value(x, g.work());
      if (stop(x, E)) {
        report.converged = true;
        return report;
      }
      solve.workers.run(kParts, [&](int part) { system->inverse().forward(part, d_.data()); });
    }
    ++report.iterations;
    const bool last = report.iterations >= effort.iterations;
    solve.combined = effort.accelerated && (!last || anderson_.proven());
    const float size = global_step(solve);
    if (!std::isfinite(size)) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    if (report.iterations == 1) first_size = size;
    const bool enough = effort.enough > 0 && effort.is_enough(report.iterations, first_size, size, x.rows());
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
  double E = add_handles(solve.gradient_scale) + add_contacts(solve.gradient_scale);
  PerPart<double> E_part;
  solve.workers.run(kParts, [&](int part) {
    E_part[part] = local(solve.gradient_scale, part);
    if (forward) solve.system.inverse().forward(part, d_.data());
  });
  for (const double part : E_part) E += part;
  return E;
}

// A step of one iterate never raises the objective. Where a combination does, the latest iterate alone takes its place.
bool FloatLocalGlobal::take_back_if_raised(Solve& solve, double E) {
  const double scaled = solve.energy_scale * E, objective = scaled + solve.inertia[0] + solve.inertia[1];
  const double noise = kObjectiveRounding * (std::abs(scaled) + solve.inertia[0] + solve.inertia[1]);
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
  system.push_contacts(d_.data(), workers);
  workers.run(kParts, [&](int part) { system.inverse().backward(part, d_.data()); });
  system.weigh(d_.data(), workers);

  solve.inertia = {};
  solve.place = anderson_.next_place();
  PerPart<float> sizes{};
  PerPart<Anderson::Numbers> products{};
  each_range(workers, [&](int begin, int end, int part) {
    system.subtract(begin, end, d_.data());
    const float size = solve.combined ? keep(solve.place, begin, end, products[part])
                                      : step_plainly(solve.gamma, begin, end, solve.inertia[part]);
    sizes[part] = std::max(sizes[part], size);
  });
  const float size = std::max(sizes[0], sizes[1]);
  if (!solve.combined || !std::isfinite(size)) return size;
  for (int j = 0; j < Anderson::kKept; ++j) products[0][j] += products[1][j];
  const Anderson::Numbers weights = anderson_.add(products[0]);
  each_range(workers,
             [&](int begin, int end, int part) { combine(weights, solve.gamma, begin, end, solve.inertia[part]); });
  return size;
}

// The same iteration with x and dg in double precision.
SolveReport FloatLocalGlobal::refine(const StepObjective& g, FloatSystem& system, const SolveEffort& effort,
                                     const StopRule& stop, SolveReport report, Points& x) {
  Workers& workers = g.work().workers;
  const int n = plan_.vertices();
  while (true) {
    const double E = g.gradient(x, gradient_);
    if (stop && stop(x, E)) {
      report.converged = true;
      return report;
    }
    each_range(workers, [&](int begin, int end, int) {
      for (int s = begin; s < end; ++s)
        for (int k = 0; k < 3; ++k) quads(d_)[s][k] = static_cast<float>(gradient_(plan_.order()[s], k));
    });
    std::fill(quads(d_) + n, quads(d_) + n + plan_.top().size(), Quad{});
    system.solve(d_.data(), workers);
    Correction correction;
    for (int s = 0; s < n; ++s) {
      const Quad d = quads(d_)[s];
      correction.include(d);
      for (int k = 0; k < 3; ++k) x(plan_.order()[s], k) -= d[k];
    }
    ++report.iterations;
    const double size = correction.size();
    if (!std::isfinite(size)) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    report.converged = size <= kNegligible * x.cwiseAbs().maxCoeff();
    if (report.iterations >= effort.iterations || report.converged) return report;
  }
}

}  // namespace rebound::sim
