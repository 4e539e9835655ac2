#include "sim/integrate/rebound.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/row_passes.hpp"
#include "sim/integrate/friction_step.hpp"
#include "sim/model/rigid_motion.hpp"

namespace rebound::sim {
namespace {

// What becomes of the energy that H lacks. Multiples are of the motion's K, shares are a second's.
struct Rates {
  double most, most_when_pressed;  ///< share by which the motion may grow; the second on springs
  double stays;                    ///< multiple that is left in ripples, of sheets, nets and ropes
  double from_ripples;             ///< share of what is beyond that that comes back
  double in_ripples;               ///< multiple that ripples may hold
  double forgotten;                ///< share of what is beyond that that is given up
};

Rates rates(Unresolved unresolved) {
  switch (unresolved) {
    case Unresolved::heat:
      return {0, 0, 0, 0, 0, 3};
    case Unresolved::held:
      return {1.5, 1.5, 0, INFINITY, INFINITY, 0};
    default:
      return {0.2, 1.5, 0.15, 1.5, 2, 3};
  }
}

// TR-BDF2 takes .0074 (2 - 2 cos w h)^2 of the energy of a swing of w a step, down to periods of four steps. A motion
// of many w loses more than one of their mean, so four times that counts as known.
constexpr double kTaken = 0.03;

template <class Visit>
void each_vertex(Workers& workers, const BodyRange& body, const Visit& visit) {
  each_rows(workers, body.count, [&](Eigen::Index first, Eigen::Index rows) {
    for (Eigen::Index i = body.first + first; i < body.first + first + rows; ++i) visit(i);
  });
}

// Turns a body about its centre of mass.
void turn(const BodyRange& body, const Vec3& by, Moments& of, State& state, Workers& workers) {
  if (by.isZero(0)) return;
  const Eigen::Matrix3d R = rotation(by);
  each_vertex(workers, body, [&](Eigen::Index i) {
    const Vec3 r = state.x.row(i).transpose() - of.x_cm, v = state.v.row(i).transpose() - of.v_cm;
    state.x.row(i) = (of.x_cm + R * r).transpose();
    state.v.row(i) = (of.v_cm + R * v).transpose();
  });
  of.inertia = R * of.inertia * R.transpose();
  of.L = R * of.L;
}

StepInput with_ledger(const StepInput& of, const Ledger& ledger) {
  return {of.model,      of.minimizer, of.work, of.history, ledger,    of.h,       of.solver, of.blend,
          of.unresolved, of.alpha,     of.rho,  of.modes,   of.memory, of.damping, of.moving, of.push};
}

// So many solves are pushed by friction of their own step, where e is more than that share of K, and friction is
// another by more than that share.
constexpr int kMostFrictionSolves = 3;
constexpr double kMadeByFriction = 0.1, kOtherFriction = 0.02;
// What is pressed by no more than so many weights, and loses more than that share of its K in a second by friction, all
// but lies.
constexpr double kOwnWeights = 4, kRubs = 1;

// Of what a step with a contact has lost. The rest has gone into waves, as it does in small steps.
constexpr double kComesBack = 0.9;
// How much of d goes at most where a barrier presses and H is above its target.
constexpr double kMostTakenBehindBarrier = 0.1;

// Of a vertex, where `kept` is its group's.
Vec3 d(const RigidMotion& kept, const State& state, Eigen::Index i) {
  return state.v.row(i).transpose() - kept.at(state.x.row(i));
}

double sum(const EnergyByKind& E) { return std::accumulate(E.begin(), E.end(), 0.0); }

}  // namespace

StepReport Rebound::step(const StepInput& whole, State& next) {
  // What is in ripples comes back as the return lets it. A solve that makes as much has not found it there.
  allowed_ = whole.ledger;
  allowed_.dissipate(Dissipated::unresolved, whole.memory.in_ripples);
  const StepInput input = with_ledger(whole, allowed_);
  rubbed_by_ = last_impulses(input.model);
  StepReport report = solves_.solve(input, solved_, push(input));
  if (report.outcome != Outcome::done && report.outcome != Outcome::not_finite) return report;
  const bool solved = report.outcome == Outcome::done;  // if not, its stages say nothing of hands
  const StepForces forces = report.forces;
  const auto e_of = [&](const State& state, const FrictionWork& friction, const StepForces& by) {
    if (solved) report.jumps = solves_.jumps(input, state.x);
    report.energy = solves_.known_forces().energy_by_kind(input.model, state.x, input.work);
    return sum(*report.energy) + input.model.kinetic(state.v) - input.ledger.target() -
           outside_work(input, state.x, by, report.movers) - friction.added() + report.jumps.sum();
  };

  friction_ = {};
  double e = INFINITY;
  const auto finish = [&] {
    friction_ = friction_step(input, forces, solved_, {nullptr, rubbed_by_}, &solves_.known_forces());
    restore(input, solved_);
    rubs_ = rubs(input, friction_, solved_);
    e = e_of(solved_, friction_, forces);
  };
  const auto is_good = [&] { return std::isfinite(e) && (e <= 0 || e <= tolerated(input)); };
  if (solved) finish();
  // What has made energy is solved on before it is braked. A solve that ended by need may have ended too early: stiff
  // sheets converge slowly, and were braked for that until nothing moved. Or its friction was another.
  for (int solves = 0; std::isfinite(e) && !is_good(); ++solves) {
    const bool by_friction = solves < kMostFrictionSolves && shakes_by_friction(input, e);
    const bool too_early = solves == 0 && input.solver.ending == Ending::by_need;
    if (!by_friction && !too_early) break;
    if (by_friction) rubbed_by_ = friction_.impulses;
    const StepReport more = solves_.go_on(input, solved_, push(input));
    report.iterations += more.iterations;
    report.converged = more.converged;
    report.movers = more.movers;
    more.outcome == Outcome::done ? finish() : void(e = INFINITY);
  }
  report.blend = 0;
  report.friction = friction_;
  bool balanced = false;  // the brake had found e = 0, or nothing better
  if (is_good()) {
    std::swap(next, solved_);
  } else {
    brake(input, e, report, next);
    if (report.outcome != Outcome::done) return report;
    balanced = report.blend < 1;
    restore(input, next);
    rubs_ = rubs(input, *report.friction, next);
    e = e_of(next, *report.friction, report.forces);
  }

  if (e < 0 && behind_barrier(input) && rates(input.unresolved).most > 0)
    e += throw_off(input, -kComesBack * e, next, report.movers);
  e -= whole.memory.in_ripples;
  const double carried = carried_momentum(input, next);
  const Returned returned = return_energy(input, e, balanced, next);
  report.movers.by_return += carried_momentum(input, next) - carried;
  const double missing = std::max(0.0, -e - returned.energy);
  const double E = (*report.energy)[static_cast<std::size_t>(EnergyKind::elastic)];
  report.unresolved = given_up(input, missing, returned.K, E);
  report.in_ripples = missing - report.unresolved;
  return report;
}

const Points* Rebound::push(const StepInput& input) {
  if (std::ranges::all_of(rubbed_by_, [](const Vec3& impulse) { return impulse.isZero(0); })) rubbed_by_.clear();
  if (rubbed_by_.empty()) return input.push;
  friction_push(input.model, rubbed_by_, input.h, push_);
  if (input.push != nullptr) push_ += *input.push;
  return &push_;
}

// A block on a slope that is pushed by the friction of the step before, and not by its own, shakes for ever, and creeps
// down: as a point is pressed less, its friction is another.
bool Rebound::shakes_by_friction(const StepInput& input, double e) const {
  if (friction_.impulses.empty() || !(e > kMadeByFriction * input.model.kinetic(solved_.v))) return false;
  double all = 0, other = 0;
  for (std::size_t c = 0; c < friction_.impulses.size(); ++c) {
    all += friction_.impulses[c].norm();
    other += (friction_.impulses[c] - (rubbed_by_.empty() ? Vec3(0, 0, 0) : rubbed_by_[c])).norm();
  }
  return other > kOtherFriction * all;
}

// Its return would keep it shaking, and what shakes creeps down a slope.
bool Rebound::rubs(const StepInput& input, const FrictionWork& friction, const State& next) const {
  const Model& model = input.model;
  if (behind_barrier(input) || !(friction.taken > kRubs * input.h * model.kinetic(next.v))) return false;
  if (std::ranges::any_of(model.contacts.items, [](const Contact& c) { return c.obstacle < 0; })) return false;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const auto& [first, count] = model.bodies[b];
    if (groups_.push_on(b).norm() > kOwnWeights * model.g.norm() * model.M.segment(first, count).sum()) return false;
  }
  return true;
}

// E: elastic, J.
double Rebound::given_up(const StepInput& input, double missing, double K, double E) const {
  const Rates rate = rates(input.unresolved);
  if (rate.forgotten == 0) return 0;
  // Affine bodies have no ripples: what they lose behind a barrier is lost. A hand's spring may give some of it back.
  if (!groups_.any_in_hand() && behind_barrier(input) && input.model.affine.size() == input.model.bodies.size())
    return missing;
  if (!groups_.any_in_hand() && !groups_.pressed_at_end()) {
    // All wobble of what nothing touches is in K + E, twice its mean K, wherever in a swing it is: nothing comes and
    // goes, and there is nothing to wait for. H is within the tolerance of its target then.
    const double wobble = 0.5 * rate.in_ripples * (K + E);
    return std::max(0.0, missing - std::min(wobble, input.blend.tolerance * input.ledger.scale()));
  }
  return std::min(1.0, rate.forgotten * input.h) * std::max(0.0, missing - rate.in_ripples * K);
}

void Rebound::brake(const StepInput& input, double e, StepReport& report, State& next) {
  if (!std::isfinite(e)) {
    friction_ = {};
    brake_.begin(input, input.history.now.x, friction_);
    brake_.step_from_start(input, report, next);
    return;
  }
  brake_.begin(input, solved_.x, friction_);
  brake_.iterate(input, nullptr, report);
  if (report.outcome != Outcome::done) return;
  // What friction has made within the tolerance stays where backward Euler is no better.
  const double tolerated = friction_.made > 0 ? input.blend.tolerance * input.ledger.scale() : 0;
  if (!brake_.blend(input, {solved_, friction_, report.forces, report.movers}, e, tolerated, report, next))
    std::swap(next, solved_);
}

void Rebound::restore(const StepInput& input, State& state) {
  groups_.find(input, solves_.forces(input.h), state.x);
  const auto restore_all = [&](bool turns) {
    for (TouchingBodies& group : groups_.all())
      if (group.free)
        restore(input, group, turns, state);
      else
        find_slide(input, group, state);
  };
  if (input.model.step_energies.empty()) return restore_all(true);
  // What others have been pushed towards in the step may leave it no room to turn.
  unturned_ = state;
  restore_all(true);
  way_.noalias() = state.x - unturned_.x;
  if (input.model.step_largest_step(unturned_.x, way_, input.work) >= 1) return;
  state = unturned_;
  restore_all(false);
}

// Momenta of what nothing else touches are kept to the last digit: impulses act on the way, not where it ends.
double Rebound::throw_off(const StepInput& input, double most, State& next, WorkOfMovers& movers) {
  const double K = input.model.kinetic(next.v), before = carried_momentum(input, next);
  if (!sim::throw_off(input.model, input.h, groups_.all(), groups_.dE_of_terms(), input.history.now, most, next,
                      input.work.workers))
    return 0;
  for (TouchingBodies& group : groups_.all())
    if (group.free) restore(input, group, false, next);
  const double work = carried_momentum(input, next) - before;
  movers.by_return += work;
  return input.model.kinetic(next.v) - K - work;
}

// Of momenta, what goes along with the obstacles that push, times how fast these go, J: its change is their work.
double Rebound::carried_momentum(const StepInput& input, const State& state) const {
  double sum = 0;
  for (const TouchingBodies& group : groups_.all()) {
    if (group.carried.isZero(0)) continue;
    for (const auto& [first, count] : group.bodies) {
      const Vec3 momentum = state.v.middleRows(first, count).transpose() * input.model.M.segment(first, count);
      sum += group.carried.dot(momentum);
    }
  }
  return sum;
}

// What StepInput::push gives a body by itself, on its straight way: momentum, and angular momentum about its centre,
// kg m/s and kg m^2/s.
Rebound::Impulse Rebound::given(const StepInput& input, const BodyRange& body, const Vec3& centre_before,
                                const Vec3& centre, const Points& x) {
  Impulse impulse;
  if (input.push == nullptr) return impulse;
  const Vec3 middle = 0.5 * (centre_before + centre);
  for (int i = body.first; i < body.first + body.count; ++i) {
    const Vec3 J = input.h * input.push->row(i).transpose();
    impulse.linear += J;
    impulse.angular += (0.5 * (input.history.now.x.row(i) + x.row(i)).transpose() - middle).cross(J);
  }
  return impulse;
}

void Rebound::restore(const StepInput& input, TouchingBodies& group, bool turns, State& next) {
  const Model& model = input.model;
  const State& now = input.history.now;
  Workers& workers = input.work.workers;
  const Moments before = moments(model, group.bodies, now, workers);
  Moments after = moments(model, group.bodies, next, workers);
  Impulse impulse;
  for (const BodyRange& body : group.bodies) {
    const Impulse own = given(input, body, before.x_cm, after.x_cm, next.x);
    impulse.linear += own.linear;
    impulse.angular += own.angular;
  }
  // A turn is known of what nothing pushes.
  if (turns && group.bodies.size() == 1 && impulse.linear.isZero(0)) {
    const BodyRange& body = group.bodies.front();
    turn(body, missing_turn(model, body, now, before, next, after, input.h, workers), after, next, workers);
  }
  const RigidMotion is = fit_rigid_motion(after);
  group.kept_before = fit_rigid_motion(before);
  group.kept = {after.x_cm, before.v_cm + input.h * model.g + impulse.linear / after.mass,
                angular_velocity(after.inertia, before.L + impulse.angular), after.mass};
  const RigidMotion lost{after.x_cm, group.kept.v_cm - is.v_cm, group.kept.omega - is.omega, after.mass};
  for (const BodyRange& body : group.bodies) add_rigid_motion(model, body, 1, lost, next, workers);
}

void Rebound::find_slide(const StepInput& input, TouchingBodies& group, const State& next) {
  const bool by_obstacles_only =
      std::none_of(group.in_hand.begin(), group.in_hand.end(), [](auto in_hand) { return in_hand != 0; });
  const double push = group.pushed.norm();
  if (!by_obstacles_only || !(push > 0)) return;
  const Vec3 n = group.pushed / push;
  const auto along = [&](const State& state) {
    const Moments of = moments(input.model, group.bodies, state, input.work.workers);
    return RigidMotion{of.x_cm, of.v_cm - of.v_cm.dot(n) * n + group.carried, Vec3::Zero(), of.mass};
  };
  group.kept_before = along(input.history.now);
  group.kept = along(next);
}

// By how much solved_ may be above the target: the tolerance, but no more than 5 can take out of it: where all but
// nothing moves, the rest would stay. A tenth of the tolerance may. Behind a barrier all that 5 can take may be:
// between two states that a barrier presses most blends have no energy that is finite, and what the last of them have
// is far below the target.
double Rebound::tolerated(const StepInput& input) const {
  const double enough = input.blend.tolerance * input.ledger.scale(), little = kRootTolerance * enough;
  if (friction_.made > 0) return little;
  const double beta = most_taken(input), can_go = beta * (2 - beta) * motion(input, solved_).K;
  return behind_barrier(input) ? std::max(can_go, little) : std::clamp(can_go, little, enough);
}

double Rebound::most_beta(const StepInput& input) const {
  const Rates rate = rates(input.unresolved);
  return std::min(
      1.0, (groups_.pressed() && !rubs_ && !behind_barrier(input) ? rate.most_when_pressed : rate.most) * input.h);
}

bool Rebound::behind_barrier(const StepInput& input) const {
  const auto& terms = input.model.step_energies;
  return !input.model.touching.empty() &&
         std::any_of(terms.begin(), terms.end(), [](const auto& e) { return e->has_barrier(); });
}

double Rebound::most_taken(const StepInput& input) const {
  return behind_barrier(input) ? kMostTakenBehindBarrier : most_beta(input);
}

Rebound::Motion Rebound::motion(const StepInput& input, const State& next) const {
  const Model& model = input.model;
  const State& now = input.history.now;
  Motion all;
  for (const TouchingBodies& group : groups_.all())
    for (const BodyRange& body : group.bodies) {
      Workers& workers = input.work.workers;
      const auto twice = sum_rows<3>(workers, body.count, [&](Eigen::Index first, Eigen::Index rows, auto& sum) {
        for (Eigen::Index i = body.first + first; i < body.first + first + rows; ++i) {
          if (model.fixed[static_cast<std::size_t>(i)]) continue;
          const Vec3 d_n = d(group.kept_before, now, i), d_i = d(group.kept, next, i);
          sum[0] += model.M[i] * d_i.squaredNorm();
          sum[1] += model.M[i] * d_n.squaredNorm();
          sum[2] += model.M[i] * (d_i - d_n).squaredNorm();
        }
      });
      all.K += 0.5 * twice[0];
      const auto same = [&](const BodyRange& other) { return other.first == body.first; };
      if (std::any_of(model.thin.begin(), model.thin.end(), same)) all.K_of_thin += 0.5 * twice[0];
      all.K_before += 0.5 * twice[1];
      all.change += 0.5 * twice[2];
    }
  return all;
}

// v += beta d.
Rebound::Returned Rebound::return_energy(const StepInput& input, double e, bool balanced, State& next) const {
  const Model& model = input.model;
  Workers& workers = input.work.workers;
  const auto [a, a_n, change, a_of_thin] = motion(input, next);
  if (a <= 0) return {};

  const Rates rate = rates(input.unresolved);
  double most = most_beta(input);
  if ((!groups_.pressed() || rubs_) && e < 0) {
    // (2 - 2 cos w h)^2 times the energy of a swing, twice its mean K.
    const double taken = kTaken * change * change / (0.5 * (a + a_n)) * 2;
    // Waves of a sheet are many, and have their share in small steps too.
    const double from_ripples = rate.from_ripples * input.h * std::max(0.0, -e - rate.stays * a_of_thin);
    most = std::min(most, std::sqrt(1 + (taken + from_ripples) / a) - 1);
  }
  const double wanted = e < a ? std::sqrt(1 - e / a) - 1 : -1;
  const double beta = std::clamp(wanted, balanced ? -1 : -std::max(most, most_taken(input)), most);
  if (beta == 0) return {0, a};
  for (const TouchingBodies& group : groups_.all())
    for (const BodyRange& body : group.bodies)
      each_vertex(workers, body, [&](Eigen::Index i) {
        if (!model.fixed[static_cast<std::size_t>(i)]) next.v.row(i) += beta * d(group.kept, next, i).transpose();
      });
  return {a * beta * (2 + beta), a * (1 + beta) * (1 + beta)};
}

}  // namespace rebound::sim
