#include "sim/integrate/rebound.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/integrate/friction_step.hpp"
#include "sim/model/rigid_motion.hpp"

namespace rebound::sim {
namespace {

// Per second: how fast lost energy may come back, and how fast it is forgotten.
struct Rates {
  double back, back_when_pressed, forgotten;
};

Rates rates(Unresolved unresolved) {
  switch (unresolved) {
    case Unresolved::heat:
      return {0, 0, 3};
    case Unresolved::held:
      return {1.5, 1.5, 0};
    default:
      return {0.3, 1.5, 3};
  }
}

double sum(const EnergyByKind& E) { return std::accumulate(E.begin(), E.end(), 0.0); }

}  // namespace

StepReport Rebound::step(const StepInput& input, State& next) {
  StepReport report = solves_.step(input, solved_);
  if (report.outcome != Outcome::done && report.outcome != Outcome::not_finite) return report;
  const StepForces forces = report.forces;
  const bool usable = report.outcome == Outcome::done;
  friction_ = usable ? friction_step(input, forces, solved_) : FrictionWork{};

  // e of the solved state, and what the brake has to take out of it.
  EnergyByKind E{};
  if (usable) E = friction_.E ? *friction_.E : input.model.energy_by_kind(solved_.x, input.work);
  const auto target = [&](const Points& x, const FrictionWork& friction, const StepForces& by) {
    return input.ledger.target() + surface_work(input, x, by) + friction.added();
  };
  double e = sum(E) + input.model.kinetic(solved_.v) - target(solved_.x, friction_, forces);
  const double enough = input.blend.tolerance * input.ledger.scale();
  report.blend = 0;
  if (!usable || !std::isfinite(e)) {
    brake_.begin(input.history.now.x, friction_);
    brake_.step_from_start(input, report, next);
  } else if (e > (friction_.made > 0 ? kRootTolerance * enough : enough)) {
    brake_.begin(solved_.x, friction_);
    brake_.iterate(input, input.solver.stabilizer_iterations.value_or(1), nullptr, report);
    if (report.outcome == Outcome::done && !brake_.blend(input, {solved_, friction_, forces}, e, report, next))
      next = solved_;
  } else {
    std::swap(next, solved_);
  }
  if (report.outcome != Outcome::done) return report;
  if (report.blend != 0.0) E = input.model.energy_by_kind(next.x, input.work);
  if (!report.friction) report.friction = friction_;

  find_free_bodies(input, next.x);
  restore_momenta(input, next);
  e = sum(E) + input.model.kinetic(next.v) - target(next.x, *report.friction, report.forces);
  const double left = e + return_energy(input, e, next);
  if (left < 0 && !pressed_) report.unresolved = -left * std::min(1.0, rates(input.unresolved).forgotten * input.h);
  report.energy = E;
  return report;
}

void Rebound::find_free_bodies(const StepInput& input, const Points& x) {
  const Model& model = input.model;
  std::vector<int> body_of(static_cast<std::size_t>(model.vertices()));
  is_free_.assign(model.bodies.size(), 1);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyRange& body = model.bodies[b];
    for (int i = body.first; i < body.first + body.count; ++i) {
      body_of[static_cast<std::size_t>(i)] = static_cast<int>(b);
      if (model.fixed[static_cast<std::size_t>(i)]) is_free_[b] = 0;
    }
  }
  const auto hold = [&](int vertex) {
    is_free_[static_cast<std::size_t>(body_of[static_cast<std::size_t>(vertex)])] = 0;
  };
  for (const Attachments* held : {&model.attachments, &model.grabs})
    for (const Attachment& a : held->items) hold(a.point.vertices[0]);
  pressed_ = false;
  for (const Contact& c : model.contacts.items) {
    if (c.height(x) >= 0 && c.height(input.history.now.x) >= 0) continue;
    pressed_ = true;
    for (int j = 0; j < c.point.count; ++j) hold(c.point.vertices[j]);
  }
}

void Rebound::restore_momenta(const StepInput& input, State& next) const {
  const Model& model = input.model;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (!is_free_[b]) continue;
    const BodyRange& body = model.bodies[b];
    const RigidMotion wanted = carried_on(model, body, input.history.now, next, input.h);
    const RigidMotion u = fit_rigid_motion(model, body, next);
    const RigidMotion lost{u.x_cm, wanted.v_cm - u.v_cm, wanted.omega - u.omega, u.mass};
    for (int i = body.first; i < body.first + body.count; ++i)
      next.v.row(i) += lost.at(next.x.row(i)).transpose();
  }
}

// v += beta d. Returns what that adds to K, J.
double Rebound::return_energy(const StepInput& input, double e, State& next) const {
  const Model& model = input.model;
  std::vector<RigidMotion> rigid(model.bodies.size());
  double a = 0;
  const auto each_free = [&](const auto& visit) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      for (int i = model.bodies[b].first; i < model.bodies[b].first + model.bodies[b].count; ++i)
        if (!model.fixed[static_cast<std::size_t>(i)]) visit(b, i);
  };
  const auto d = [&](std::size_t b, int i) -> Vec3 {
    const Vec3 v = next.v.row(i);
    return is_free_[b] ? Vec3(v - rigid[b].at(next.x.row(i))) : v;
  };
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (is_free_[b]) rigid[b] = fit_rigid_motion(model, model.bodies[b], next);
  each_free([&](std::size_t b, int i) { a += 0.5 * model.M[i] * d(b, i).squaredNorm(); });
  const Rates rate = rates(input.unresolved);
  const double most = std::min(1.0, (pressed_ ? rate.back_when_pressed : rate.back) * input.h);
  if (a <= 0 || most == 0) return 0;
  const double wanted = e < a ? std::sqrt(1 - e / a) - 1 : -1;
  const double beta = std::clamp(wanted, -most, most);
  each_free([&](std::size_t b, int i) { next.v.row(i) += beta * d(b, i).transpose(); });
  return a * beta * (2 + beta);
}

}  // namespace rebound::sim
