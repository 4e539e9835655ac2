#include "sim/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>
#include <string>

#include "sim/base/stop_request.hpp"
#include "sim/constraint/constraint_space.hpp"
#include "sim/contact/constraint_friction.hpp"
#include "sim/contact/force_in_step.hpp"
#include "sim/damp/wished_loss.hpp"
#include "sim/integrate/blend.hpp"
#include "sim/integrate/friction_step.hpp"
#include "sim/model/constrained_motion.hpp"
#include "sim/stepper_checks.hpp"

namespace rebound::sim {
namespace {

// An energy error is resolved down to this share of the energy of lifting the bodies by their own size.
constexpr double kFloorShare = 1e-3;

std::unique_ptr<Minimizer> made(const SolverInfo& solver, const Model& model) {
  check_model(model);
  return solver.make(model);
}

}  // namespace

Stepper::Stepper(Model& model, Workspace& work, std::string_view integrator, std::string_view solver,
                 std::string_view damping)
    : Stepper(model, work, made(known_solver(solver), model)) {
  solver_info_ = find_solver(solver);
  set_integrator(integrator);
  set_damping(damping);
}

Stepper::Stepper(Model& model, Workspace& work, std::unique_ptr<Minimizer> solver)
    : model_(&model),
      work_(work),
      solver_(std::move(solver)),
      contacts_(make_contact_model(model)),
      barrier_(model.body_contact.barrier.has_value()) {
  if (solver_ == nullptr) throw std::invalid_argument("a solver that is null");
  check_model(model);
  set_integrator("stabilized");
  set_damping("rigid-preserving");
}

void Stepper::set_integrator(std::string_view id) {
  const IntegratorInfo& info = known_integrator(id);
  integrator_info_ = &info;
  integrator_ = info.make();
  if (solver_info_ != nullptr) settings.solver = solver_info_->settings(info);
  const Scheme* scheme = integrator_->scheme({.now = {}, .before = {}, .has_before = true});
  looks_back_ = scheme != nullptr && scheme->two_steps();
}

void Stepper::set_integrator(std::unique_ptr<Integrator> integrator) {
  if (integrator == nullptr) throw std::invalid_argument("an integrator that is null");
  integrator_ = std::move(integrator);
  integrator_info_ = nullptr;
  looks_back_ = true;
}

void Stepper::set_damping(std::string_view id) { damping_ = known_damping(id).make(); }

void Stepper::exchange(Model& model, std::unique_ptr<Minimizer>& solver) {
  if (solver == nullptr) throw std::invalid_argument("a solver that is null");
  check_model(model);
  model_ = &model;
  std::swap(solver_, solver);
  solver_info_ = nullptr;
  integrator_->model_changed();
  contacts_->model_replaced();
  choose_contacts();
}

void Stepper::choose_contacts() {
  if (barrier_ == model_->body_contact.barrier.has_value()) return;
  contacts_->forget(*model_);
  contacts_ = make_contact_model(*model_);
  barrier_ = !barrier_;
}

Ledger Stepper::ledger(const State& start, double h) {
  check_model(*model_);
  check_size("start.x", start.x, model_->vertices());
  check_size("start.v", start.v, model_->vertices());
  check_length(h);
  const History history{start, {}, false};
  find_contacts(history, h);
  measured_ = measure(*model_, start, work_);
  const double lift = model_->M.sum() * model_->g.norm() * model_->extent;
  // A world without gravity, at rest: any positive number, far below what anything there will ever hold.
  const double floor =
      std::max({kFloorShare * lift, 1e-9 * std::abs(measured_.kinetic + measured_.elastic), 1e-12 * model_->M.sum()});
  return {measured_, floor};
}

// ---- one step ----

StepReport Stepper::step(History& history, Ledger& ledger, double h) {
  Motion nobody;
  return step(history, ledger, h, nobody);
}

StepReport Stepper::step(History& history, Ledger& ledger, double h, Motion& motion) {
  check_length(h);
  check_model(*model_, known_colliders_);
  known_colliders_ = model_->colliders;
  check_methods(*model_, integrator_info_, solver_info_);
  check_settings(settings);
  check_history(*model_, history);
  if (last_h_ != 0 && last_h_ != h) history.has_before = false;
  stop_fixed(history, ledger);
  const Ledger ledger_before = ledger;
  std::vector<Attachment> attachments_before = model_->attachments.items;
  std::vector<Obstacle> obstacles_before = model_->obstacles;
  const RoundingState rounding_before = factors().rounding_state();
  const ContactKnowledge known_before = factors().contact_knowledge();
  const auto undo = [&](bool no_memory) {
    contacts_->abandon_step(*model_);
    ledger = ledger_before;
    std::swap(model_->attachments.items, attachments_before);
    std::swap(model_->obstacles, obstacles_before);
    try {
      if (!no_memory || !(factors().rounding_state() == rounding_before))
        factors().restore_rounding(rounding_before, work_.workers);
      factors().recall(known_before);
    } catch (const std::bad_alloc&) {
      // Then the next solve makes anew what it wants.
    }
  };
  StepReport report;
  try {
    report = attempt(history, ledger, h, motion);
  } catch (const std::bad_alloc& e) {
    report.outcome = Outcome::out_of_memory;
    report.too_large = stage_;
    if (const auto* lacking = dynamic_cast<const OutOfMemory*>(&e)) report.lacking = *lacking;
    factors().let_go();
  } catch (...) {  // a step that is abandoned, or what an energy throws
    undo(false);
    throw;
  }
  if (report.outcome != Outcome::done) {
    undo(report.outcome == Outcome::out_of_memory);
    return report;
  }
  model_->attachments.forget_moves();
  model_->grabs.forget_moves();
  std::swap(history.before, history.now);
  std::swap(history.now, next_);
  history.has_before = true;
  last_h_ = h;
  if (looks_back_) changed_after_step(history, damped_);
  method_memory_ = {report.blend == 0.0,      report.blend == 1.0 && settings.wish.keep != 1,
                    report.one_sided,         report.modes,
                    report.constraint_forces, report.directions,
                    solver_->carried(),       report.in_ripples};
  ledger.observe(measured_);
  return report;
}

// What has been fixed in mid-motion stands still from now on.
void Stepper::stop_fixed(History& history, Ledger& ledger) const {
  Points& v = history.now.v;
  bool moved = false;
  double taken = 0;
  for (int i = 0; i < model_->vertices(); ++i) {
    if (model_->fixed[static_cast<std::size_t>(i)] == 0 || v.row(i).isZero(0)) continue;
    taken += 0.5 * model_->M[i] * v.row(i).squaredNorm();
    moved = true;
  }
  if (!moved) return;
  model_->clear_fixed(v);
  history.has_before = false;
  ledger.add(Added::edit, -taken);
}

void changed_after_step(History& history, const Points& dv) {
  if (history.has_before) history.before.v += dv;
}

// Writes next_ and measured_, moves handles, obstacles and contacts, and books. May run out of memory.
StepReport Stepper::attempt(const History& history, Ledger& ledger, double h, Motion& motion) {
  const double wished = settings.wish.change(ledger.target());
  ledger.add(Added::wish, wished);
  const Points* push = motion.push(*model_, history.now, h, push_) ? &push_ : nullptr;
  if (push != nullptr) check_size("the force of Motion::push", push_, model_->vertices());
  // Lines 5-8: what a user does is booked when it is done; here the scene's own hands move.
  const State& now = history.now;
  const double before = model_->attachments.value(now.x, work_);
  if (motion.move_handles(*model_)) ledger.add(Added::motion, model_->attachments.value(now.x, work_) - before);
  motion.move_obstacles(*model_);
  stage_ = "the search for contacts";
  const ContactStart start =
      contacts_->begin_step(*model_, on_its_way(history, push, h), h, moment_arm(history), work_);
  if (start.crossing || start.too_wide) {
    StepReport report;
    report.outcome = Outcome::crossing;
    report.crossing = start.crossing;
    report.too_wide = start.too_wide;
    report.crossed_at_start = true;
    return report;
  }
  ledger.add(Added::guard, start.stiffened);

  // Lines 9-16.
  stage_ = "the solve";
  MovingThings moving(*model_);
  const StepInput input{*model_,
                        *solver_,
                        work_,
                        history,
                        ledger,
                        h,
                        settings.solver,
                        settings.blend,
                        settings.unresolved,
                        settings.alpha,
                        settings.rho,
                        settings.modes,
                        method_memory_,
                        damping_->force(settings.damping, settings.frames_per_step.value_or(h), h),
                        &moving,
                        push};
  if (!integrator_->carries_acceleration()) next_.a.resize(0, 3);
  solver_->carry(method_memory_.factor);
  StepReport report = integrator_->step(input, next_);
  if (report.outcome == Outcome::done) {
    check_size("what the integrator made of x", next_.x, model_->vertices());
    check_size("what the integrator made of v", next_.v, model_->vertices());
  }
  if (report.outcome == Outcome::done) {
    ledger.add(Added::motion, -report.jumps.handles);
    ledger.add(Added::user, -report.jumps.grabs);
  }

  // Lines 17-21.
  double damped = 0;
  if (report.outcome == Outcome::done) {
    rub_and_damp(input, motion, ledger, report, damped);
    if (push != nullptr) ledger.add(Added::wind, work_of_push(input, next_.x));
    measured_ = report.energy ? measure(*model_, next_, *report.energy, work_) : measure(*model_, next_, work_);
    if (!std::isfinite(damped) && report.outcome == Outcome::done) report.outcome = Outcome::damping_failed;
    // The net below the barrier: what it catches is never taken.
    if (barrier_) report.crossing = contacts_->crossing(*model_, next_.x, work_);
    if (report.crossing) report.outcome = Outcome::crossing;
    // Finite coordinates may have an energy that is not.
    if (!std::isfinite(measured_.total()))
      report.outcome = Outcome::not_finite;
    else if (measured_.total() - ledger.target() > energy_limit(*model_, ledger))
      report.outcome = Outcome::ran_away;
  }
  if (report.outcome != Outcome::done) return report;
  if (!report.movers.by_terms && moving.any_obstacles()) {
    const StepForces& by = report.forces;
    const double at_end = by.at == 0 ? 0 : 1 - by.of_now - by.of_middle;
    const double by_end = work_of_movers(*model_, next_.x);
    moving.put_obstacles(0);
    report.movers.by_terms = at_end * by_end + (1 - at_end) * work_of_movers(*model_, now.x);
    moving.put_obstacles(1);
  }
  book_surfaces(now, report, motion, ledger);
  const double rubbed_in_solve = contacts_->end_step(*model_, now, next_, *report.friction);
  ledger.dissipate(Dissipated::friction, report.friction->taken + rubbed_in_solve);
  // What the step could not resolve would have been damped as well: half of its energy is kinetic.
  const double time = settings.frames_per_step.value_or(h);
  const double unseen = 0.5 * report.in_ripples * damping_->share_of_unresolved(*model_, settings.damping, time);
  ledger.dissipate(Dissipated::damping, damped + unseen);
  report.in_ripples -= unseen;
  // What a wish has asked for and a method gives up has never been there: it is no heat.
  const double not_granted = std::min(report.unresolved, std::max(0.0, wished));
  ledger.add(Added::wish, -not_granted);
  ledger.dissipate(Dissipated::unresolved, report.unresolved - not_granted);
  if (wished < 0 && !settings.wish.by_method_alone) follow_wish(ledger, -wished);
  return report;
}

// What a method's own step leaves above the target that has fallen.
void Stepper::follow_wish(const Ledger& ledger, double fallen) {
  if (integrator_info_ == nullptr || !integrator_info_->reads("energy") || !model_->constraints.empty()) return;
  const double over = measured_.total() - ledger.target();
  if (!(over > settings.blend.tolerance * ledger.scale())) return;
  if (lose_as_wished(*model_, over, fallen, next_) == 0) return;
  EnergyByKind E{};
  E[static_cast<std::size_t>(EnergyKind::elastic)] = measured_.elastic;
  E[static_cast<std::size_t>(EnergyKind::gravity)] = measured_.gravity;
  E[static_cast<std::size_t>(EnergyKind::attachment)] = measured_.attachment;
  E[static_cast<std::size_t>(EnergyKind::contact)] = measured_.contact;
  measured_ = measure(*model_, next_, E, work_);
}

void Stepper::rub_and_damp(const StepInput& input, Motion& motion, Ledger& ledger, StepReport& report, double& damped) {
  const bool bound = !model_->constraints.empty();
  if (bound) {
    if (const Vector* forces = solver_->constraint_forces())
      report.constraint_forces = std::make_shared<Vector>(*forces);
    report.constraint_work = solver_->constraint_work();
    solved_ = next_;
  }
  if (!report.friction) {
    stage_ = "friction";
    report.friction = friction_step(input, report.forces, next_);
    if (report.friction->E) report.energy = report.friction->E;
    // Friction between bodies moves them, and knows nothing of obstacles that let nothing in.
    if (report.friction->E) {
      ObstacleConstraints obstacles(*model_);
      obstacles.begin();
      if (obstacles.any()) {
        obstacles.project(next_.x);
        report.energy.reset();
      }
    }
  }
  report.friction->taken += rub_after_solve(input, report.forces, motion, ledger);
  if (bound) {
    report.friction->taken = std::max(0.0, report.friction->taken + hold(solved_, report));
    solved_ = next_;
  }
  stage_ = "damping";
  if (looks_back_) damped_ = next_.v;
  damped = report.damped ? *report.damped
                         : damping_->damp(*model_, settings.damping, settings.frames_per_step.value_or(input.h), next_);
  if (bound) damped += hold(solved_, report);
  if (looks_back_) damped_ = next_.v - damped_;
}

// Brings what has acted on next_ since `before` back to what the hard constraints admit, by the shortest way. Returns
// what that takes, J.
double Stepper::hold(const State& before, StepReport& report) {
  const bool moved = next_.x != before.x;
  if (!moved && next_.v == before.v) return 0;
  const auto energy = [&] { return (moved ? model_->energy(next_.x, work_) : 0) + model_->kinetic(next_.v); };
  const double had = energy();
  ConstraintSpace space(model_->constraints, model_->M, model_->fixed);
  if (moved ? !space.restore(next_.x) : space.look(next_.x).has_value()) {
    report.outcome = Outcome::constraints;
    report.constraint = space.worst();
    return 0;
  }
  const Points change = next_.v - before.v;
  Points admitted = change, kept = before.v;
  space.make_tangential(admitted);
  // Velocities of midpoint's flutter about what constraints admit. What acts may take of that, and adds nothing to it.
  space.make_tangential(kept);
  const Points across = change - admitted, broken = before.v - kept;
  const auto product = [&](const Points& a, const Points& b) {
    return model_->M.dot(a.cwiseProduct(b).rowwise().sum());
  };
  const double size = product(across, across);
  const double share = size > 0 && !moved ? std::clamp(-product(broken, across) / size, 0.0, 1.0) : 0;
  next_.v = before.v + admitted + share * across;
  if (moved) report.energy.reset();
  return had - energy();
}

// Friction of constraints, and of energies that act where a step ends, J; and what obstacles that move did.
double Stepper::rub_after_solve(const StepInput& input, const StepForces& forces, const Motion& motion,
                                Ledger& ledger) {
  const double h = input.h;
  const Scheme* scheme = integrator_->scheme(input.history);
  const auto held = solver_->held();
  ConstraintFriction rubbed;
  if (scheme != nullptr && !held.empty()) {
    const double step = scheme->span * h, force = 1 / ((scheme->c * scheme->gamma + scheme->k) * step * step);
    rubbed = rub(*model_, held, scheme->r / step, forces.impulse * force, h, next_.x, next_.v);
  }
  double at_end = 1;
  // A step in two solves has pushed in three places.
  if (forces.middle != nullptr) {
    at_end -= forces.of_now + forces.of_middle;
    contacts_->rub(forces.of_now * forces.impulse * h, h, input.history.now.x, next_.v, rubbed);
    contacts_->rub(forces.of_middle * forces.impulse * h, h, *forces.middle, next_.v, rubbed);
  }
  contacts_->rub(at_end * forces.impulse * h, h, next_.x, next_.v, rubbed);
  // What a step adds at once of an impulse does as much less of its work: the steps after it do the rest.
  for (std::size_t o = 0; o < rubbed.by_surface.size(); ++o)
    if (rubbed.by_surface[o] != 0) ledger.add(motion.mover(static_cast<int>(o)), rubbed.by_surface[o] / forces.impulse);
  return rubbed.taken / forces.impulse;
}

// Contacts are looked for where a push takes what is light.
const History& Stepper::on_its_way(const History& history, const Points* push, double h) {
  if (push == nullptr) return history;
  pushed_ = history;
  for (Eigen::Index i = 0; i < push->rows(); ++i) pushed_.now.v.row(i) += (h / model_->M[i]) * push->row(i);
  return pushed_;
}

// What moving obstacles did in the step: the hand's work or the scene's.
void Stepper::book_surfaces(const State& now, const StepReport& report, const Motion& motion, Ledger& ledger) const {
  std::array<double, kAddedCauses> work{};
  const auto& contacts = model_->contacts.items;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (contacts[c].obstacle < 0) continue;
    double joules = report.movers.by_springs.empty() ? surface_work(contacts[c], now.x, next_.x, report.forces)
                                                     : report.movers.by_springs[c];
    if (!report.friction->by_surfaces.empty()) joules += report.friction->by_surfaces[c];
    work[static_cast<std::size_t>(motion.mover(contacts[c].obstacle))] += joules;
  }
  // A barrier tells no obstacles apart: all of its work is booked to whoever moves the last one that moves.
  Added by = Added::motion;
  for (std::size_t o = 0; o < model_->obstacles.size(); ++o)
    if (model_->obstacles[o].moves()) by = motion.mover(static_cast<int>(o));
  const auto& by_terms = report.movers.by_terms;
  work[static_cast<std::size_t>(by)] +=
      (by_terms ? *by_terms : work_of_movers(*model_, next_.x)) + report.movers.by_return;
  for (const Added cause : {Added::user, Added::motion}) ledger.add(cause, work[static_cast<std::size_t>(cause)]);
}

// ---- between steps ----

double Stepper::moment_arm(const History& history) const {
  const Scheme* scheme = integrator_->scheme(history);
  return scheme == nullptr ? 0 : scheme->moment_arm();
}

void Stepper::find_contacts(const History& history, double h) {
  check_history(*model_, history);
  choose_contacts();
  contacts_->begin_step(*model_, history, h, moment_arm(history), work_);
}

void Stepper::contact_law_changed(const History& history, double h) {
  choose_contacts();
  contacts_->law_changed(*model_, history, h, moment_arm(history), work_);
}

void Stepper::recall(const Memory& memory) {
  choose_contacts();
  contacts_->recall(memory.contacts, *model_);
  method_memory_ = memory.method;
  last_h_ = 0;
}

void Stepper::forget() {
  contacts_->forget(*model_);
  method_memory_ = {};
  last_h_ = 0;
}

std::string_view in_words(Outcome outcome) {
  switch (outcome) {
    case Outcome::done:
      return "done";
    case Outcome::not_finite:
      return "a position, velocity or energy is no longer a finite number";
    case Outcome::ran_away:
      return "its energy is over a million times what it should be";
    case Outcome::factor_failed:
      return "the system matrix could not be factored";
    case Outcome::damping_failed:
      return "damping could not be solved";
    case Outcome::out_of_memory:
      return "out of memory";
    case Outcome::crossing:
      return "surfaces that a barrier keeps apart pass through one another";
    case Outcome::constraints:
      return "a constraint cannot hold";
  }
  return "";
}

// What damping took of made-up energy must not bring the limit down, and a world that began all but still is measured
// by what it takes to lift it.
double energy_limit(const Model& model, const Ledger& ledger) {
  constexpr double kRunaway = 1e6, kEarth = 9.81;
  const double height = model.extent > 0 ? model.extent : 1;  // a single vertex has no size
  return kRunaway * std::max(ledger.undamped_scale(), kFloorShare * model.M.sum() * kEarth * height);
}

}  // namespace rebound::sim
