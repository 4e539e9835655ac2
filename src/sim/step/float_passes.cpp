// The passes of FloatLocalGlobal over its vertices and elements.
#include <algorithm>

#include "sim/step/float_local_global.hpp"
#include "sim/base/float_quads.hpp"

namespace rebound::sim {
namespace {

// How many vertices ahead their rows are fetched.
constexpr int kAhead = 12;

}  // namespace

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

// d := dg at the present z, where it was M w. Returns E of the part's elements.
double FloatLocalGlobal::local(float scale, int part) {
  const int top = plan_.top().begin, n = plan_.vertices();
  if (part == 1) std::fill(quads(d_) + n, quads(d_) + n + plan_.top().size(), Quad{});
  float* top_gradient = d_.data() + 4 * static_cast<std::size_t>(part == 0 ? top : n);
  double E = 0;
  for (const auto& batch : batches_) E += batch->add_gradient(part, z_.data(), scale, d_.data(), top_gradient);
  for (const int slot : fixed_[part]) quads(d_)[slot] = Quad{};
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

double FloatLocalGlobal::add_contacts(float scale) {
  double E = 0;
  for (const Repulsion& c : contacts_) {
    const Quad n{c.n[0], c.n[1], c.n[2], 0};
    Quad at{};
    for (int j = 0; j < c.count; ++j) at += c.weights[j] * quads(z_)[c.slots[j]];
    const Quad along = n * at;
    const float height = along[0] + along[1] + along[2] - c.offset;
    if (height >= 0) continue;
    for (int j = 0; j < c.count; ++j) quads(d_)[c.slots[j]] += (scale * c.stiffness * c.weights[j] * height) * n;
    E += 0.5 * c.stiffness * height * height;
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
  contacts_on_line_.clear();
  for (const Contact& c : model_.contacts.items)
    contacts_on_line_.push_back({c.height(from), c.height(to), c.stiffness});
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
  for (const RepulsionOnLine& c : contacts_on_line_) {
    const double height = std::min(0.0, c.from + alpha * (c.to - c.from));
    E += 0.5 * c.stiffness * height * height;
  }
  return E;
}

}  // namespace rebound::sim
