#include "sim/solve/float_local_global.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

using Quad = float __attribute__((vector_size(16), may_alias));

// What the rounding of floats does to the objective, as a share.
constexpr double kObjectiveRounding = 1e-6;
// How many vertices ahead their rows are fetched.
constexpr int kAhead = 12;
// Corrections below this share of the bodies' extent are of the size of a float's rounding.
constexpr float kFloatRounding = 6e-8f;
// Who asks for no more iterations than these beyond that point asks for a fast step, not for an exact one.
constexpr int kFewIterations = 10;

Quad* quads(AlignedBuffer<float>& array) { return reinterpret_cast<Quad*>(array.data()); }

template <class T>
using PerPart = std::array<T, EliminationPlan::kParts>;

struct Correction {
  Quad largest{};  ///< of |d|, a coordinate
  Quad squares{};  ///< finite unless something is not

  void include(Quad d) {
    const Quad size = d < 0.0f ? -d : d;
    largest = size > largest ? size : largest;
    squares += d * d;
  }
  float size() const {
    const float sum = squares[0] + squares[1] + squares[2];
    return std::isfinite(sum) ? std::max({largest[0], largest[1], largest[2]}) : INFINITY;
  }
};

// Sums m |w|^2 of quads to double precision every few hundred.
class Inertia {
 public:
  void include(Quad Mw, Quad w) {
    block_ += Mw * w;
    if (++count_ % 256 == 0) flush();
  }
  double half() {
    flush();
    return 0.5 * sum_;
  }

 private:
  void flush() {
    sum_ += static_cast<double>(block_[0]) + block_[1] + block_[2];
    block_ = Quad{};
  }
  Quad block_{};
  double sum_ = 0;
  int count_ = 0;
};

}  // namespace

bool FloatLocalGlobal::supports(const Model& model) {
  return std::all_of(model.energies.begin(), model.energies.end(),
                     [&](const auto& energy) { return energy->has_constant_gradient() || energy->has_float_batch(); });
}

FloatLocalGlobal::FloatLocalGlobal(const Model& model, std::shared_ptr<const EliminationPlan> plan)
    : model_(model), systems_(model, std::move(plan)), plan_(*systems_.analysis()) {
  Partition partition;
  for (int p = 0; p < kParts; ++p) {
    partition.begin[p] = plan_.part(p).begin;
    partition.end[p] = plan_.part(p).end;
  }
  partition.top = plan_.top().begin;
  partition.size = plan_.vertices();
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

void FloatLocalGlobal::adopt(SystemCache<FloatSystem>::Missing& made, Workers& workers) {
  systems_.adopt(made, workers);
  read_numbers();
}

// Calls visit(first slot, last slot + 1, part) so that every slot is met once; part 0 takes the top.
template <class Visit>
void FloatLocalGlobal::each_range(Workers& workers, const Visit& visit) {
  workers.run(kParts, [&](int part) {
    visit(plan_.part(part).begin, plan_.part(part).end, part);
    if (part == 0) visit(plan_.top().begin, plan_.top().end, part);
  });
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
}

// w, z and M w of the first guess x.
void FloatLocalGlobal::start(const StepObjective& g, const Points& x) {
  choose_middles(g.now().x);
  const double gamma = g.scheme().gamma, c = g.scheme().c;
  const double fall = c * gamma * g.h() * g.h();
  y_.resize(x.rows(), 3);
  each_range(g.work().workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s) {
      const int v = plan_.order()[s];
      // Vertices of the model lie in another order: their rows are far apart in memory.
      const int soon = plan_.order()[std::min(s + kAhead, end - 1)];
      for (const Points* rows : {&g.y(), &g.now().x, &x}) __builtin_prefetch(rows->data() + 3 * soon);
      const double* o = middle(s).data();
      Quad w{}, z0{};
      for (int k = 0; k < 3; ++k) {
        const double y = g.y()(v, k) + fall * acceleration_(s, k);
        y_(s, k) = y;
        w[k] = static_cast<float>(x(v, k) - y);
        z0[k] = static_cast<float>(gamma * y + (1 - gamma) * g.now().x(v, k) - o[k]);
      }
      quads(w_)[s] = w;
      quads(z0_)[s] = z0;
      quads(z_)[s] = quads(z0_)[s] + static_cast<float>(gamma) * quads(w_)[s];
      quads(d_)[s] = quads(mass_)[s] * quads(w_)[s];
    }
  });
}

// d := dg at the present z, where it was M w; then the way down. Returns E of the part's elements.
double FloatLocalGlobal::local_and_forward(float scale, const FloatSystem& system, int part) {
  const int top = plan_.top().begin, n = plan_.vertices();
  if (part == 1) std::fill(quads(d_) + n, quads(d_) + n + plan_.top().size(), Quad{});
  float* top_gradient = d_.data() + 4 * static_cast<std::size_t>(part == 0 ? top : n);
  double E = 0;
  for (const auto& batch : batches_) E += batch->add_gradient(part, z_.data(), scale, d_.data(), top_gradient);
  for (const int slot : fixed_[part]) quads(d_)[slot] = Quad{};
  system.inverse().forward(part, d_.data());
  return E;
}

double FloatLocalGlobal::add_handles(float scale) {
  double E = 0;
  for (const Handle& handle : handles_) {
    Quad off{-handle.target[0], -handle.target[1], -handle.target[2], 0};
    for (int j = 0; j < 4; ++j) off += handle.weights[j] * quads(z_)[handle.slots[j]];
    for (int j = 0; j < 4; ++j) quads(d_)[handle.slots[j]] += (scale * handle.stiffness * handle.weights[j]) * off;
    E += 0.5 * handle.stiffness * (off[0] * off[0] + off[1] * off[1] + off[2] * off[2]);
  }
  return E;
}

// w -= d, and z and M w anew; adds 1/2 w^T M w to `inertia`. Returns the largest coordinate of d, infinite if one is
// not finite.
float FloatLocalGlobal::step_plainly(float gamma, int begin, int end, double& inertia) {
  Correction correction;
  Inertia sum;
  for (int s = begin; s < end; ++s) {
    const Quad d = quads(d_)[s];
    correction.include(d);
    const Quad w = quads(w_)[s] - d;
    quads(w_)[s] = w;
    quads(z_)[s] = quads(z0_)[s] + gamma * w;
    quads(d_)[s] = quads(mass_)[s] * w;
    sum.include(quads(d_)[s], w);
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
      const Quad d = quads(d_)[s];
      correction.include(d);
      quads(residuals_[place])[s] = d;
      quads(steps_[place])[s] = quads(w_)[s] - static_cast<float>(Anderson::kBeta) * d;
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
    Quad w{};
    for (int j = 0; j < count; ++j) w += weight[j] * quads(steps_[j])[s];
    quads(w_)[s] = w;
    quads(z_)[s] = quads(z0_)[s] + gamma * w;
    quads(d_)[s] = quads(mass_)[s] * w;
    sum.include(quads(d_)[s], w);
  }
  inertia += sum.half();
}

void FloatLocalGlobal::read(Workers& workers, Points& x) {
  each_range(workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s) {
      const int v = plan_.order()[s];
      for (int k = 0; k < 3; ++k) x(v, k) = y_(s, k) + static_cast<double>(quads(w_)[s][k]);
    }
  });
}

void FloatLocalGlobal::set_acceleration(bool on) {
  accelerates_ = on;
  for (auto* ring : {&residuals_, &steps_})
    for (auto& array : *ring) array = AlignedBuffer<float>(on ? w_.size() : 0);
}

SolveReport FloatLocalGlobal::minimize(const StepObjective& g, int iterations, const StopRule& stop, Points& x) {
  Workers& workers = g.work().workers;
  SolveReport report;
  FloatSystem* system = systems_.find(g.scheme().stiffness_factor(g.h()), workers);
  if (system == nullptr) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  start(g, x);
  const double energy_scale = g.scheme().c * g.h() * g.h();
  const auto gamma = static_cast<float>(g.scheme().gamma);
  const auto gradient_scale = static_cast<float>(energy_scale * g.scheme().gamma);
  const auto rounding = static_cast<float>(kFloatRounding * model_.extent);
  anderson_.restart();
  PerPart<double> inertia{};
  double objective_before = INFINITY;
  bool combined = false;
  int place = 0;
  while (true) {
    double E = add_handles(gradient_scale);
    PerPart<double> E_part;
    workers.run(kParts, [&](int part) { E_part[part] = local_and_forward(gradient_scale, *system, part); });
    for (const double part : E_part) E += part;

    // A step of one iterate never raises the objective; where a combination does, it is taken back.
    const double objective = energy_scale * E + inertia[0] + inertia[1];
    const double noise = kObjectiveRounding * (std::abs(energy_scale * E) + inertia[0] + inertia[1]);
    if (combined && !(objective <= objective_before + noise)) {
      combined = false;
      Anderson::Numbers latest{};
      latest[place] = 1;
      inertia = {};
      each_range(workers, [&](int begin, int end, int part) { combine(latest, gamma, begin, end, inertia[part]); });
      anderson_.restart();
      continue;
    }
    objective_before = objective;
    if (stop) {
      if (report.iterations > 0) read(workers, x);
      for (const Energy* energy : constant_) E += energy->value(x, g.work());
      if (stop(x, E)) return report;
    }

    system->inverse().solve_top(d_.data(), workers);
    workers.run(kParts, [&](int part) { system->inverse().backward(part, d_.data()); });
    system->weigh_held(d_.data());
    ++report.iterations;
    // The last step is plain: nobody would see a combination that went wrong.
    combined = accelerates_ && report.iterations < iterations;
    inertia = {};
    PerPart<float> sizes{};
    PerPart<Anderson::Numbers> products{};
    place = anderson_.next_place();
    each_range(workers, [&](int begin, int end, int part) {
      system->subtract_held(begin, end, d_.data());
      const float size =
          combined ? keep(place, begin, end, products[part]) : step_plainly(gamma, begin, end, inertia[part]);
      sizes[part] = std::max(sizes[part], size);
    });
    const float size = std::max(sizes[0], sizes[1]);
    if (!std::isfinite(size)) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    if (report.iterations >= iterations) break;
    if (combined) {
      for (int j = 0; j < Anderson::kKept; ++j) products[0][j] += products[1][j];
      const Anderson::Numbers weights = anderson_.add(products[0]);
      each_range(workers, [&](int begin, int end, int part) { combine(weights, gamma, begin, end, inertia[part]); });
    }
    if (size <= rounding) {
      if (iterations - report.iterations <= kFewIterations) break;
      read(workers, x);
      return refine(g, *system, iterations, stop, report, x);
    }
  }
  read(workers, x);
  return report;
}

// The same iteration with x and dg in double precision.
SolveReport FloatLocalGlobal::refine(const StepObjective& g, FloatSystem& system, int iterations, const StopRule& stop,
                                     SolveReport report, Points& x) {
  Workers& workers = g.work().workers;
  const int n = plan_.vertices();
  while (true) {
    const double E = g.gradient(x, gradient_);
    if (stop && stop(x, E)) return report;
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
    if (report.iterations >= iterations || size <= kNegligible * x.cwiseAbs().maxCoeff()) return report;
  }
}

void FloatLocalGlobal::prepare(const Points& from, const Points& to, double E_from, Workspace& work) {
  choose_middles(from);
  if (from_.size() == 0)
    for (auto* array : {&from_, &to_}) *array = AlignedBuffer<float>(w_.size());
  each_range(work.workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s) {
      const int v = plan_.order()[s];
      const Vec3 o = middle(s);
      for (int k = 0; k < 3; ++k) {
        quads(from_)[s][k] = static_cast<float>(from(v, k) - o[k]);
        quads(to_)[s][k] = static_cast<float>(to(v, k) - o[k]);
      }
    }
  });
  work.workers.run(kParts, [&](int part) {
    for (const auto& batch : batches_) batch->prepare_line(part, from_.data(), to_.data());
  });
  // What is left is a quadratic in alpha: three values give all.
  const auto others = [&](const Points& x) {
    double E = model_.attachments.value(x, work) + model_.grabs.value(x, work);
    for (const Energy* energy : constant_) E += energy->value(x, work);
    return E;
  };
  gradient_.noalias() = 0.5 * (from + to);
  const double E0 = others(from), E1 = others(to), E_half = others(gradient_);
  others_ = {E0, 4 * E_half - 3 * E0 - E1, 2 * (E0 + E1 - 2 * E_half)};
  others_[0] += E_from - value(0, work);
}

double FloatLocalGlobal::value(double alpha, Workspace& work) {
  double E_part[kParts] = {};
  work.workers.run(kParts, [&](int part) {
    for (const auto& batch : batches_) E_part[part] += batch->line_value(part, alpha);
  });
  double E = others_[0] + alpha * (others_[1] + alpha * others_[2]);
  for (const double part : E_part) E += part;
  return E;
}

}  // namespace rebound::sim
