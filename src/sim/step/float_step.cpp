#include "sim/step/float_step.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/float_quads.hpp"
#include "sim/energy/float_kernel.hpp"

namespace rebound::sim {
namespace {

// How many vertices ahead their rows are fetched.
constexpr int kAhead = 12;

}  // namespace

Partition partition_of(const EliminationPlan& plan) {
  Partition partition;
  partition.size = plan.vertices();
  partition.slots = plan.slots();
  for (const EliminationPlan::Part& from : plan.parts())
    partition.parts.push_back({from.begin, from.end, from.above, from.area});
  partition.parts.push_back({plan.top().begin, plan.top().end});
  return partition;
}

bool FloatStep::supports(const Model& model) {
  return std::all_of(model.energies.begin(), model.energies.end(),
                     [&](const auto& energy) { return energy->has_constant_gradient() || energy->has_float_batch(); });
}

FloatStep::FloatStep(const Model& model, const Analysis& known)
    : model_(model),
      systems_(model, known.plan, known.L, known.cache),
      plan_(*systems_.analysis()),
      partition_(partition_of(plan_)) {
  for (const auto& energy : model.energies)
    if (!energy->has_constant_gradient())
      batches_.push_back(energy->float_batch(plan_.position(), partition_, float_kernel()));

  const auto n = static_cast<std::size_t>(plan_.vertices());
  body_.resize(n);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (int v = model.bodies[b].first; v < model.bodies[b].first + model.bodies[b].count; ++v)
      body_[static_cast<std::size_t>(plan_.position()[v])] = static_cast<int>(b);
  middles_.resize(model.bodies.size(), Vec3::Zero());
  const auto slots = static_cast<std::size_t>(plan_.slots());
  for (auto* array : {&mass_, &w_, &z_, &z0_, &d_}) *array = AlignedBuffer<float>(4 * slots);
  read_numbers();
}

void FloatStep::read_numbers() {
  const int n = plan_.vertices();
  for (int s = 0; s < n; ++s) {
    const int v = plan_.order()[s];
    const float m = model_.fixed[v] ? 0.0f : static_cast<float>(model_.M[v]);
    quads(mass_)[s] = Quad{m, m, m, 0};
  }
  fixed_.assign(static_cast<std::size_t>(part_count()) + 1, {});
  for (int p = 0; p <= part_count(); ++p) {
    const EliminationPlan::Part& part = part_or_top(p);
    for (int s = part.begin; s < part.end; ++s)
      if (model_.fixed[plan_.order()[s]]) fixed_[p].push_back(s);
    for (int i = 0; i < part.area_size(); ++i)
      if (model_.fixed[plan_.order()[part.above[i]]]) fixed_[p].push_back(part.area + i);
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

void FloatStep::pins_changed(Workers& workers) {
  systems_.held_changed(workers);
  read_numbers();
}

void FloatStep::restore_rounding(const std::vector<std::uint8_t>& factored, Workers& workers) {
  systems_.restore_rounding(factored, workers);
  read_numbers();
}

void FloatStep::adopt(SystemCache<FloatSystem>::Missing& made, Workers& workers) {
  systems_.adopt(made, workers);
  read_numbers();
}

void FloatStep::choose_middles(const Points& x) {
  for (std::size_t b = 0; b < middles_.size(); ++b)
    middles_[b] = x.middleRows(model_.bodies[b].first, model_.bodies[b].count).colwise().mean();
}

void FloatStep::find_springs() {
  springs_.resize(static_cast<std::size_t>(part_count()) + 2);
  for (PartSprings& springs : springs_) {
    springs.handles.clear();
    springs.contacts.clear();
  }
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
      springs_[find_slots(handle.slots, handle.weights)].handles.push_back(static_cast<int>(handles_.size()));
      handles_.push_back(handle);
    }
  contacts_.resize(model_.contacts.items.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& c = model_.contacts.items[i];
    Repulsion& repulsion = contacts_[i];
    repulsion.count = c.point.count;
    repulsion.stiffness = static_cast<float>(c.stiffness);
    Vec3 from_middles = c.x_s;
    for (int j = 0; j < c.point.count; ++j) {
      repulsion.slots[j] = plan_.position()[c.point.vertices[j]];
      repulsion.weights[j] = static_cast<float>(c.point.weights[j]);
      from_middles -= c.point.weights[j] * middle(repulsion.slots[j]);
    }
    for (int k = 0; k < 3; ++k) repulsion.n[k] = static_cast<float>(c.n[k]);
    repulsion.offset = static_cast<float>(from_middles.dot(c.n));
    const auto count = static_cast<std::size_t>(c.point.count);
    const int part = find_slots(std::span(repulsion.slots).first(count), std::span(repulsion.weights).first(count));
    springs_[part].contacts.push_back(static_cast<int>(i));
  }
  heights_.resize(contacts_.size());
}

int FloatStep::find_slots(std::span<int> slots, std::span<const float> weights) const {
  // Of vertices that elements join, the lowest one's part has them all.
  int lowest = plan_.vertices();
  for (std::size_t j = 0; j < slots.size(); ++j)
    if (weights[j] != 0) lowest = std::min(lowest, slots[j]);
  const int part = partition_.part_of(std::min(lowest, plan_.vertices() - 1));
  std::array<int, BodyRow::kMost> own;
  for (std::size_t j = 0; j < slots.size(); ++j) {
    own[j] = weights[j] != 0 ? partition_.parts[part].slot(slots[j]) : lowest;
    if (own[j] < 0) return part_count() + 1;
  }
  std::copy_n(own.begin(), slots.size(), slots.begin());
  return part;
}

// w, z and M w of the first guess x. Returns the inertia at x_n, 1/2 |x_n - y|^2_M.
double FloatStep::start(const StepObjective& g, const Points& x) {
  choose_middles(g.now().x);
  find_springs();
  const double gamma = gamma_ = g.scheme().gamma, c = g.scheme().c;
  const double fall = fall_ = c * gamma * g.h() * g.h();
  is_at_end_ = false;
  y_.resize(x.rows(), 3);
  PerPart<double> inertia{};
  each_range(g.work().workers, [&](int begin, int end, int part) {
    double of_part = 0;
    for (int s = begin; s < end; ++s) {
      const int v = plan_.order()[s];
      // Vertices of the model lie in another order: their rows are far apart in memory.
      const int soon = plan_.order()[std::min(s + kAhead, end - 1)];
      for (const Points* rows : {&g.y(), &g.now().x, &x}) __builtin_prefetch(rows->data() + 3 * soon);
      const double* o = middle(s).data();
      Quad w{}, z0{};
      double squared = 0;
      for (int k = 0; k < 3; ++k) {
        const double y = g.y()(v, k) + fall * acceleration_(s, k);
        y_(s, k) = y;
        squared += (g.now().x(v, k) - y) * (g.now().x(v, k) - y);
        w[k] = static_cast<float>(x(v, k) - y);
        z0[k] = static_cast<float>(gamma * y + (1 - gamma) * g.now().x(v, k) - o[k]);
      }
      const Quad m = quads(mass_)[s];
      of_part += 0.5 * static_cast<double>(m[0]) * squared;
      quads(w_)[s] = w;
      quads(z0_)[s] = z0;
      quads(z_)[s] = z0 + static_cast<float>(gamma) * w;
      quads(d_)[s] = m * w;
    }
    inertia[part] = of_part;
  });
  return total(inertia);
}

// Only the constant forces have another share in y; with gamma = 1, z has nothing of x_n.
bool FloatStep::start_at_end(const StepObjective& g) {
  if (!is_at_end_ || g.scheme().gamma != 1) return false;
  is_at_end_ = false;
  find_springs();
  gamma_ = 1;
  const double fall = g.scheme().c * g.h() * g.h(), more = fall - fall_;
  fall_ = fall;
  each_range(g.work().workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s) {
      const double* o = middle(s).data();
      Quad w = quads(w_)[s], z0{};
      for (int k = 0; k < 3; ++k) {
        const double moved = more * acceleration_(s, k), y = y_(s, k) + moved;
        y_(s, k) = y;
        w[k] -= static_cast<float>(moved);
        z0[k] = static_cast<float>(y - o[k]);
      }
      quads(w_)[s] = w;
      quads(z0_)[s] = z0;
      quads(z_)[s] = z0 + w;
      quads(d_)[s] = quads(mass_)[s] * w;
    }
  });
  return true;
}

double FloatStep::local(float scale, int part) {
  const EliminationPlan::Part& of = part_or_top(part);
  std::fill_n(quads(d_) + of.area, of.area_size(), Quad{});
  partition_.fill_area(part, z_.data());
  double E = 0;
  E += add_springs(scale, springs_[part]);
  for (const auto& batch : batches_) E += batch->add_gradient(part, z_.data(), scale, d_.data());
  for (const int slot : fixed_[part]) quads(d_)[slot] = Quad{};
  return E;
}

double FloatStep::local_energy(int part) {
  partition_.fill_area(part, z_.data());
  // Whatever d_ is, it is not wanted here.
  double E = add_springs(0, springs_[part]);
  for (const auto& batch : batches_) E += batch->value(part, z_.data());
  return E;
}

double FloatStep::add_springs(float scale, const PartSprings& springs) {
  double E = 0;
  for (const int handle : springs.handles) E += add_handle(scale, handles_[static_cast<std::size_t>(handle)]);
  for (const int contact : springs.contacts) E += add_contact(scale, contact);
  return E;
}

double FloatStep::add_handle(float scale, const Handle& handle) {
  Quad off{-handle.target[0], -handle.target[1], -handle.target[2], 0};
  for (int j = 0; j < 4; ++j) off += handle.weights[j] * quads(z_)[handle.slots[j]];
  for (int j = 0; j < 4; ++j) quads(d_)[handle.slots[j]] += (scale * handle.stiffness * handle.weights[j]) * off;
  return 0.5 * handle.stiffness * (off[0] * off[0] + off[1] * off[1] + off[2] * off[2]);
}

double FloatStep::add_contact(float scale, int contact) {
  const Repulsion& c = contacts_[static_cast<std::size_t>(contact)];
  const Quad n{c.n[0], c.n[1], c.n[2], 0};
  Quad at{};
  for (int j = 0; j < c.count; ++j) at += c.weights[j] * quads(z_)[c.slots[j]];
  const Quad along = n * at;
  const float height = along[0] + along[1] + along[2] - c.offset;
  heights_[static_cast<std::size_t>(contact)] = height / gamma_;
  if (height >= 0) return 0;
  for (int j = 0; j < c.count; ++j) quads(d_)[c.slots[j]] += (scale * c.stiffness * c.weights[j] * height) * n;
  return 0.5 * c.stiffness * height * height;
}

void FloatStep::gradient(const Points& x, Points& gradient, Workspace& work) {
  choose_middles(x);
  find_springs();
  gamma_ = 1;
  each_range(work.workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s) {
      const int v = plan_.order()[s];
      for (int k = 0; k < 3; ++k) quads(z_)[s][k] = static_cast<float>(x(v, k) - middle(s)[k]);
      quads(d_)[s] = Quad{};
    }
  });
  add_springs_between(1);
  each_part(work.workers, [&](int part) { local(1, part); });
  // A part comes before those above it.
  for (const EliminationPlan::Part& part : plan_.parts())
    for (int i = 0; i < part.area_size(); ++i) quads(d_)[part.up[i]] += quads(d_)[part.area + i];
  gradient.resize(x.rows(), 3);
  each_range(work.workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s) {
      const int v = plan_.order()[s];
      for (int k = 0; k < 3; ++k)
        gradient(v, k) = static_cast<double>(quads(d_)[s][k]) - model_.M[v] * acceleration_(s, k);
    }
  });
}

void FloatStep::read(Workers& workers, Points& x) {
  is_at_end_ = true;
  each_range(workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s) {
      const int v = plan_.order()[s];
      for (int k = 0; k < 3; ++k) x(v, k) = y_(s, k) + static_cast<double>(quads(w_)[s][k]);
    }
  });
}

void FloatStep::solve(FloatSystem& system, Points& d, std::span<const double> heights, Workers& workers) {
  each_range(workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s)
      for (int k = 0; k < 3; ++k) quads(d_)[s][k] = static_cast<float>(d(plan_.order()[s], k));
  });
  system.solve(d_.data(), heights, workers);
  each_range(workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s)
      for (int k = 0; k < 3; ++k) d(plan_.order()[s], k) = quads(d_)[s][k];
  });
}

double FloatStep::constant_energy(const Points& x, Workspace& work) const {
  double E = 0;
  for (const Energy* energy : constant_) E += energy->value(x, work);
  return E;
}

EnergyLine::Place FloatStep::look(const Points& from, const Points& to, double alpha, Workspace& work) {
  find_springs();  // from the middles of the solves before, which are near
  gamma_ = 1;
  if (along_.size() == 0) along_ = AlignedBuffer<float>(w_.size());
  PerPart<double> by_constants{}, slopes{}, E_part{};
  each_range(work.workers, [&](int begin, int end, int part) {
    double by_constant = 0;
    for (int s = begin; s < end; ++s) {
      const int v = plan_.order()[s], soon = plan_.order()[std::min(s + kAhead, end - 1)];
      for (const Points* rows : {&from, &to}) __builtin_prefetch(rows->data() + 3 * soon);
      const double* o = middle(s).data();
      Quad z{}, along{};
      double fall = 0;
      for (int k = 0; k < 3; ++k) {
        const double way = to(v, k) - from(v, k);
        z[k] = static_cast<float>(from(v, k) - o[k] + alpha * way);
        along[k] = static_cast<float>(way);
        fall += acceleration_(s, k) * way;
      }
      quads(z_)[s] = z;
      quads(along_)[s] = along;
      quads(d_)[s] = Quad{};
      by_constant -= static_cast<double>(quads(mass_)[s][0]) * fall;
    }
    by_constants[part] = by_constant;
  });
  const double of_constants = total(by_constants);
  const double E = constant_energy(from, work) + alpha * of_constants + add_springs_between(1);
  each_part(work.workers, [&](int part) {
    E_part[part] = local(1, part);
    slopes[part] = slope(part);
  });
  return {E + total(E_part), of_constants + total(slopes)};
}

double FloatStep::slope(int part) {
  const EliminationPlan::Part& of = part_or_top(part);
  const auto at = [&](int slot, int along) {
    const Quad product = quads(d_)[slot] * quads(along_)[along];
    return static_cast<double>(product[0]) + product[1] + product[2];
  };
  double sum = 0;
  for (int s = of.begin; s < of.end; ++s) sum += at(s, s);
  for (int i = 0; i < of.area_size(); ++i) sum += at(of.area + i, of.above[i]);
  return sum;
}

}  // namespace rebound::sim
