#include "sim/step/float_step.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/float_quads.hpp"
#include "sim/energy/float_kernel.hpp"

namespace rebound::sim {
namespace {

// How many vertices ahead their rows are fetched.
constexpr int kAhead = 12;
// So many times the energy at the other end of a line.
constexpr double kWild = 100;

}  // namespace

bool FloatStep::supports(const Model& model) {
  return std::all_of(model.energies.begin(), model.energies.end(),
                     [&](const auto& energy) { return energy->has_constant_gradient() || energy->has_float_batch(); });
}

FloatStep::FloatStep(const Model& model, std::shared_ptr<const EliminationPlan> plan, FactorCache* cache)
    : model_(model), systems_(model, std::move(plan), cache), plan_(*systems_.analysis()), tree_(plan_.tree()) {
  for (const auto& energy : model.energies)
    if (!energy->has_constant_gradient()) batches_.push_back(energy->float_batch(plan_.position(), tree_, float_kernel()));

  const auto n = static_cast<std::size_t>(plan_.vertices());
  body_.resize(n);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (int v = model.bodies[b].first; v < model.bodies[b].first + model.bodies[b].count; ++v)
      body_[static_cast<std::size_t>(plan_.position()[v])] = static_cast<int>(b);
  middles_.resize(model.bodies.size());
  const auto parts = static_cast<std::size_t>(tree_.count());
  fixed_.resize(parts);
  held_.resize(parts);
  shares_.resize(parts);
  line_energy_.resize(parts);
  for (auto* array : {&mass_, &w_, &z0_}) *array = AlignedBuffer<float>(4 * n);
  for (auto* array : {&z_, &d_}) *array = AlignedBuffer<float>(4 * static_cast<std::size_t>(tree_.slots()));
  read_numbers();
}

void FloatStep::read_numbers() {
  for (auto& slots : fixed_) slots.clear();
  const int n = plan_.vertices();
  for (int s = 0; s < n; ++s) {
    const int v = plan_.order()[s];
    const float m = model_.fixed[v] ? 0.0f : static_cast<float>(model_.M[v]);
    quads(mass_)[s] = Quad{m, m, m, 0};
    if (model_.fixed[v]) fixed_[static_cast<std::size_t>(tree_.owner(s))].push_back(s);
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

// To the part that sees all its vertices, or to those that cross.
template <class Spring>
void FloatStep::place(Spring spring, std::vector<Spring> Held::*list) {
  const auto slots = std::span(spring.point.slots).first(static_cast<std::size_t>(spring.point.count));
  const int part = tree_.owner(*std::min_element(slots.begin(), slots.end()));
  if (std::all_of(slots.begin(), slots.end(), [&](int v) { return tree_.sees(part, v); })) {
    for (int& slot : slots) slot = tree_.slot(part, slot);
    (held_[static_cast<std::size_t>(part)].*list).push_back(spring);
    return;
  }
  for (int j = 0; j < spring.point.count; ++j)
    shares_[static_cast<std::size_t>(tree_.owner(slots[static_cast<std::size_t>(j)]))].push_back(
        {static_cast<int>(crossing_.size()), spring.point.slots[j], spring.point.weights[j]});
  crossing_.push_back({spring});
}

void FloatStep::find_held() {
  for (Held& held : held_) {
    held.handles.clear();
    held.contacts.clear();
  }
  for (auto& shares : shares_) shares.clear();
  crossing_.clear();
  const auto point_of = [&](const BodyRow& row) {
    Place point{};
    point.count = row.count;
    for (int j = 0; j < row.count; ++j) {
      point.slots[j] = plan_.position()[row.vertices[j]];
      point.weights[j] = static_cast<float>(row.weights[j]);
    }
    return point;
  };
  const auto in_floats = [](const Vec3& a) {
    return Quad{static_cast<float>(a[0]), static_cast<float>(a[1]), static_cast<float>(a[2]), 0};
  };
  for (const Attachments* attachments : {&model_.attachments, &model_.grabs})
    for (const Attachment& a : attachments->items) {
      Handle handle{point_of(a.point), static_cast<float>(a.stiffness), {}};
      handle.target = in_floats(a.target - middle(handle.point.slots[0]));
      place(handle, &Held::handles);
    }
  for (const Contact& c : model_.contacts.items) {
    Repulsion spring{point_of(c.point), in_floats(c.n), 0, static_cast<float>(c.stiffness)};
    Vec3 from_middles = c.x_s;
    for (int j = 0; j < c.point.count; ++j) from_middles -= c.point.weights[j] * middle(spring.point.slots[j]);
    spring.offset = static_cast<float>(from_middles.dot(c.n));
    place(spring, &Held::contacts);
  }
}

// w and z of the first guess x.
void FloatStep::start(const StepObjective& g, const Points& x) {
  choose_middles(g.now().x);
  find_held();
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
    }
  });
}

Quad FloatStep::Place::of(const Quad* vector) const {
  Quad sum{};
  for (int j = 0; j < count; ++j) sum += weights[j] * vector[slots[j]];
  return sum;
}

void FloatStep::Place::add(Quad what, Quad* vector) const {
  for (int j = 0; j < count; ++j) vector[slots[j]] += weights[j] * what;
}

Quad FloatStep::Handle::pull(const Quad* z, double& E) const {
  const Quad off = point.of(z) - target;
  E += 0.5 * stiffness * (off[0] * off[0] + off[1] * off[1] + off[2] * off[2]);
  return stiffness * off;
}

Quad FloatStep::Repulsion::pull(const Quad* z, double& E) const {
  const Quad along = n * point.of(z);
  const float height = along[0] + along[1] + along[2] - offset;
  if (height >= 0) return Quad{};
  E += 0.5 * stiffness * height * height;
  return (stiffness * height) * n;
}

FloatStep::Sums FloatStep::local(float scale, int part) {
  const PartTree::Part& own = tree_.part(part);
  Quad *d = quads(d_), *z = quads(z_);
  tree_.take(part, z_.data());
  tree_.clear_halo(part, d_.data());
  Inertia inertia;
  for (int s = own.begin; s < own.end; ++s) {
    d[s] = quads(mass_)[s] * quads(w_)[s];
    inertia.include(d[s], quads(w_)[s]);
  }
  Sums sums{0, inertia.half()};
  for (const auto& batch : batches_) sums.E += batch->add_gradient(part, z_.data(), scale, d_.data());
  const Held& held = held_[static_cast<std::size_t>(part)];
  for (const Handle& handle : held.handles) handle.point.add(scale * handle.pull(z, sums.E), d);
  for (const Repulsion& contact : held.contacts) contact.point.add(scale * contact.pull(z, sums.E), d);
  return sums;
}

void FloatStep::gather(int part) {
  tree_.collect(part, d_.data());
  for (const Share& share : shares_[static_cast<std::size_t>(part)])
    quads(d_)[share.slot] += share.weight * crossing_[static_cast<std::size_t>(share.crossing)].force;
  for (const int slot : fixed_[static_cast<std::size_t>(part)]) quads(d_)[slot] = Quad{};
}

double FloatStep::pull_crossing(float scale) {
  double E = 0;
  for (Crossing& crossing : crossing_)
    crossing.force = std::visit([&](const auto& spring) { return scale * spring.pull(quads(z_), E); }, crossing.spring);
  return E;
}

void FloatStep::read(Workers& workers, Points& x) {
  each_range(workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s) {
      const int v = plan_.order()[s];
      for (int k = 0; k < 3; ++k) x(v, k) = y_(s, k) + static_cast<double>(quads(w_)[s][k]);
    }
  });
}

void FloatStep::solve(FloatSystem& system, Points& d, Workers& workers) {
  each_range(workers, [&](int begin, int end, int) {
    for (int s = begin; s < end; ++s)
      for (int k = 0; k < 3; ++k) quads(d_)[s][k] = static_cast<float>(d(plan_.order()[s], k));
  });
  system.solve(d_.data(), workers);
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

void FloatStep::prepare(const Points& from, const Points& to, double E_from, Workspace& work) {
  choose_middles(from);
  if (from_.size() == 0)
    for (auto* array : {&from_, &to_}) *array = AlignedBuffer<float>(z_.size());
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
  work.workers.run(tree_.count(), [&](int part) {
    for (auto* array : {&from_, &to_}) tree_.take(part, array->data());
    for (const auto& batch : batches_) batch->prepare_line(part, from_.data(), to_.data());
  });
  contacts_on_line_.clear();
  for (const Contact& c : model_.contacts.items)
    contacts_on_line_.push_back({c.height(from), c.height(to), c.stiffness});
  // What is left is a quadratic in alpha: three values give all.
  const auto others = [&](const Points& x) {
    return model_.attachments.value(x, work) + model_.grabs.value(x, work) + constant_energy(x, work);
  };
  gradient_.noalias() = 0.5 * (from + to);
  const double E0 = others(from), E1 = others(to), E_half = others(gradient_);
  others_ = {E0, 4 * E_half - 3 * E0 - E1, 2 * (E0 + E1 - 2 * E_half)};
  // From a wild state the rounding of its own energy would be no small thing where the line is calm.
  if (std::abs(E_from) <= kWild * std::abs(value(1, work))) others_[0] += E_from - value(0, work);
}

double FloatStep::value(double alpha, Workspace& work) {
  work.workers.run(tree_.count(), [&](int part) {
    double& E = line_energy_[static_cast<std::size_t>(part)] = 0;
    for (const auto& batch : batches_) E += batch->line_value(part, alpha);
  });
  double E = others_[0] + alpha * (others_[1] + alpha * others_[2]);
  for (const double part : line_energy_) E += part;
  for (const RepulsionOnLine& c : contacts_on_line_) {
    const double height = std::min(0.0, c.from + alpha * (c.to - c.from));
    E += 0.5 * c.stiffness * height * height;
  }
  return E;
}

}  // namespace rebound::sim
