#include "sim/solve/float_local_global.hpp"

#include <algorithm>
#include <cmath>

#include "sim/solve/factors.hpp"

namespace rebound::sim {
namespace {

using Quad = float __attribute__((vector_size(16), may_alias));

constexpr std::size_t kMostSystems = 6;
// Corrections below this share of the largest coordinate are of the size of a float's rounding.
constexpr float kFloatRounding = 3e-7f;

Quad* quads(AlignedBuffer<float>& array) { return reinterpret_cast<Quad*>(array.data()); }

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

FloatLocalGlobal::FloatLocalGlobal(const Model& model) : model_(model), L_(model.laplacian()), plan_(L_) {
  const Partition partition = partition_of(plan_);
  for (const auto& energy : model.energies) {
    if (energy->has_constant_gradient()) {
      constant_.push_back(energy.get());
    } else {
      batches_.push_back(energy->float_batch(plan_.position(), partition));
    }
  }

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
  constant_gradient_.setZero(n, 3);
  Workspace alone(1);
  const Points anywhere = Points::Zero(n, 3);
  for (const Energy* energy : constant_) energy->add_gradient(anywhere, constant_gradient_, alone);
  model_.clear_fixed(constant_gradient_);
}

void FloatLocalGlobal::model_changed() {
  L_ = model_.laplacian();
  systems_.clear();
  read_numbers();
}

void FloatLocalGlobal::grabs_changed(Workers& workers) {
  for (auto& [coefficient, system] : systems_)
    if (system.ok()) system.set_grabs(model_, workers);
}

double FloatLocalGlobal::nonzeros() const {
  double total = 0;
  for (const auto& [coefficient, system] : systems_) total += static_cast<double>(system.inverse().nonzeros());
  return total;
}

FloatSystem* FloatLocalGlobal::find(double coefficient, Workers& workers) {
  auto it = systems_.find(coefficient);
  if (it == systems_.end()) {
    // Other coefficients come from other time steps; a slider that is dragged must not pile them up.
    if (systems_.size() >= kMostSystems) systems_.clear();
    const SparseMatrix A = system_matrix(model_, L_, coefficient);
    it = systems_.try_emplace(coefficient, plan_, A, coefficient, workers).first;
    if (it->second.ok()) it->second.set_grabs(model_, workers);
  }
  return it->second.ok() ? &it->second : nullptr;
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
  y_.resize(x.rows(), 3);
  each_range(g.work().workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s) {
      const int v = plan_.order()[s];
      y_.row(v) = g.y().row(v) - (c * gamma * g.h() * g.h() / model_.M[v]) * constant_gradient_.row(v);
      const Eigen::RowVector3d w = x.row(v) - y_.row(v);
      const Eigen::RowVector3d z0 = gamma * y_.row(v) + (1 - gamma) * g.now().x.row(v) - middle(s).transpose();
      for (int k = 0; k < 3; ++k) {
        quads(w_)[s][k] = static_cast<float>(w[k]);
        quads(z0_)[s][k] = static_cast<float>(z0[k]);
      }
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

// w -= d, and z and M w anew. Returns the largest coordinate of d, infinite if one is not finite.
float FloatLocalGlobal::update(float gamma, const FloatSystem& system, int begin, int end) {
  system.subtract_grabs(begin, end, d_.data());
  Correction correction;
  for (int s = begin; s < end; ++s) {
    const Quad d = quads(d_)[s];
    correction.include(d);
    const Quad w = quads(w_)[s] - d;
    quads(w_)[s] = w;
    quads(z_)[s] = quads(z0_)[s] + gamma * w;
    quads(d_)[s] = quads(mass_)[s] * w;
  }
  return correction.size();
}

void FloatLocalGlobal::read(Workers& workers, Points& x) {
  each_range(workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s) {
      const int v = plan_.order()[s];
      for (int k = 0; k < 3; ++k) x(v, k) = y_(v, k) + static_cast<double>(quads(w_)[s][k]);
    }
  });
}

SolveReport FloatLocalGlobal::minimize(const StepObjective& g, int iterations, const StopRule& stop, Points& x) {
  Workers& workers = g.work().workers;
  SolveReport report;
  FloatSystem* system = find(g.scheme().stiffness_factor(g.h()), workers);
  if (system == nullptr) {
    report.outcome = Outcome::factor_failed;
    return report;
  }
  start(g, x);
  const auto gamma = static_cast<float>(g.scheme().gamma);
  const auto scale = static_cast<float>(g.scheme().c * g.scheme().gamma * g.h() * g.h());
  const auto rounding = static_cast<float>(kFloatRounding * model_.extent);
  while (true) {
    double E = add_handles(scale);
    double E_part[kParts];
    workers.run(kParts, [&](int part) { E_part[part] = local_and_forward(scale, *system, part); });
    for (const double part : E_part) E += part;
    if (stop && report.iterations > 0) {
      read(workers, x);
      for (const Energy* energy : constant_) E += energy->value(x, g.work());
      if (stop(x, E)) return report;
    }

    system->inverse().solve_top(d_.data(), workers);
    workers.run(kParts, [&](int part) { system->inverse().backward(part, d_.data()); });
    system->weigh_grabs(d_.data());
    float sizes[kParts] = {};
    each_range(workers, [&](int begin, int end, int part) {
      sizes[part] = std::max(sizes[part], update(gamma, *system, begin, end));
    });
    ++report.iterations;
    const float size = std::max(sizes[0], sizes[1]);
    if (!std::isfinite(size)) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    if (report.iterations >= iterations) break;
    if (size <= rounding) {
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
  y_.noalias() = 0.5 * (from + to);
  const double E0 = others(from), E1 = others(to), E_half = others(y_);
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
