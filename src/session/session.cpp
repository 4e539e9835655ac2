#include "session/session.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "mesh/error.hpp"
#include "scene/admitted.hpp"
#include "scene/build_constraints.hpp"
#include "scene/build_obstacles.hpp"
#include "scene/method_settings.hpp"
#include "session/hands.hpp"
#include "session/methods.hpp"
#include "session/saved_state.hpp"
#include "sim/base/memory.hpp"
#include "sim/base/stop_request.hpp"
#include "sim/constraint/constraint_space.hpp"

namespace rebound::session {
namespace {

constexpr double kDoubtfulConditioning = 1e10;
// A frame that is all backward Euler and all but still, for this long, has a target that it cannot reach.
constexpr int kSunkenFrames = 30;
constexpr double kStill = 1e-6;
// A world that began all but still runs away beyond so much of the energy of lifting it by its own size.
constexpr double kLeastLift = 1e-2, kEarth = 9.81;

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

double FrameRecord::added_total() const { return std::accumulate(added.begin(), added.end(), left); }
double FrameRecord::dissipated_total() const { return std::accumulate(dissipated.begin(), dissipated.end(), 0.0); }

double FrameRecord::times_its_target() const {
  if (!(reference > 0)) return 1;
  const double off = measured.total() - target;
  // A wish may ask for less than a body can give up at once, as it falls: what it has taken from the target so far is
  // no energy that has come from nowhere.
  const double wished_away = std::max(0.0, -added[static_cast<std::size_t>(sim::Added::wish)]);
  return 1 + (off > 0 ? std::max(0.0, off - wished_away) : off) / reference;
}

Session::Session(scene::World world, int threads, sim::FactorCache* cache)
    : world_(std::move(world)), work_(std::make_unique<sim::Workspace>(threads)) {
  (void)known_integrator(description().integrator.type);
  scene::check_contact(description());
  (void)known_damping(description().damping);
  const auto made = Preparation::of_world(world_, cache);
  made->run(work_->workers);
  take_over(*made);
  handles_ = scene::moving_handles(world_, *model_);
  restart();
}

void Session::restart() {
  history_ = {};
  history_.now = scene::starting_state(world_, *model_);
  scene::check_admitted(world_, history_.now.x, "start");
  model_->clear_fixed(history_.now.v);
  traces_.restart(world_, *model_, history_.now);
  record_ = {};
  time_origin_ = 0;
  frame_origin_ = 0;
  failure_.clear();
  left_ = 0;
  left_by_.clear();
  full_backward_frames_ = 0;
  grew_ = false;
  visible_motion_.forget();
  stepper_->forget();
  solves_.clear();
  set_grab(std::nullopt);
  for (const auto& handle : handles_) model_->attachments.items[handle.attachment].target = handle.at(0);
  place_obstacles(0);
  ledger_ = stepper_->ledger(history_.now, step_size());
  remember(stepper_->measured());
}

void Session::remember_modes(const std::optional<sim::ModalShare>& now, double h) {
  constexpr double kMemory = 0.5;  // s
  const double kept = record_.modal && now ? std::exp(-h / kMemory) : 0;
  const sim::ModalShare before = record_.modal.value_or(sim::ModalShare{});
  record_.modal = now;
  if (!now) return;
  record_.modal = sim::ModalShare{kept * before.whole + now->whole, kept * before.beyond + now->beyond};
  const auto held = [this](const sim::BodyRange& body) {
    const auto [first, count] = body;
    for (const auto& item : model_->attachments.items)
      for (const int v : item.point.vertices)
        if (v >= first && v < first + count) return true;
    return std::any_of(model_->fixed.begin() + first, model_->fixed.begin() + first + count,
                       [](std::uint8_t fixed) { return fixed != 0; });
  };
  record_.free_bodies = static_cast<int>(
      std::count_if(model_->bodies.begin(), model_->bodies.end(), [&](const auto& b) { return !held(b); }));
}

void Session::remember(const sim::Measurement& m) {
  record_.measured = m;
  record_.target = ledger_.target();
  record_.initial = ledger_.initial();
  record_.scale = ledger_.scale();
  record_.reference = std::max(ledger_.undamped_scale(), kLeastLift * model_->M.sum() * kEarth * model_->extent);
  for (int c = 0; c < sim::kAddedCauses; ++c) record_.added[c] = ledger_.added(static_cast<sim::Added>(c));
  record_.added[static_cast<std::size_t>(sim::Added::guard)] -= left_;
  record_.left = left_;
  for (int c = 0; c < sim::kDissipatedCauses; ++c)
    record_.dissipated[c] = ledger_.dissipated(static_cast<sim::Dissipated>(c));
}

// ---- Algorithm 1 ----

bool Session::step() {
  if (!failure_.empty()) return false;
  if (has_run_away()) return false;
  const auto began = std::chrono::steady_clock::now();
  const double h = description().timeStep;
  const int substeps = description().substeps;
  // Where a later step fails, the earlier ones have not happened either.
  std::optional<SavedState> start;
  if (substeps > 1) start = save();

  // To the last bit what the record will say, so that what moves by the clock is found again from there.
  const double end = time_origin_ + static_cast<double>(record_.frame + 1 - frame_origin_) * h;

  if (description().wind && skin_.empty()) skin_ = skin_of(world_, *model_);
  const double rest = rest_ ? rest_->energy : 0;
  stepper_->settings = scene::step_settings(description());
  solves_.clear();
  stepper_->solver().write_trace(&solves_);
  sim::StepReport frame;
  for (int i = 1; i <= substeps; ++i) {
    Hands hands(description(), handles_, led_, skin_, i == substeps ? end : record_.time + h * i / substeps,
                step_size(), *work_);
    stepper_->settings.wish =
        scene::wish(description().energy, record_.time + h * (i - 1) / substeps, step_size(), rest);
    sim::StepReport report;
    try {
      report = stepper_->step(history_, ledger_, step_size(), hands);
    } catch (const sim::StepAbandoned&) {
      if (i > 1) restore(*start);
      throw;
    }
    if (report.outcome != sim::Outcome::done) {
      const bool no_memory = report.outcome == sim::Outcome::out_of_memory;
      std::optional<FailureSite> site;
      const bool no_site =
          no_memory || report.outcome == sim::Outcome::crossing || report.outcome == sim::Outcome::constraints;
      if (!no_site) site = find_failure_site(world_, *model_, history_.now, stepper_->attempted());
      if (i > 1) restore(*start);
      failure_site_ = site;
      crossing_ = report.crossing;
      cannot_begin_ = record_.frame == 0 && report.crossed_at_start;
      failure_ = explain(report);
      outcome_ = report.outcome;
      return false;
    }
    led_ = hands.led();
    if (grab_) grab_->springs = model_->grabs.items;
    frame.in_ripples = report.in_ripples;
    frame.iterations += report.iterations;
    frame.converged = frame.converged && report.converged;
    frame.residual = std::max(frame.residual, report.residual);
    frame.last_correction = std::max(frame.last_correction, report.last_correction);
    if (report.alpha) frame.alpha = report.alpha;
    if (report.modal) frame.modal = report.modal;
    frame.constraint_work += report.constraint_work;
    // Of several steps, the strongest blend is shown.
    if (report.blend && std::abs(*report.blend) >= std::abs(frame.blend.value_or(0))) frame.blend = report.blend;
  }

  record_.blend = frame.blend;
  record_.alpha = frame.alpha;
  remember_modes(frame.modal, h);
  const double off_before = record_.times_its_target();
  record_.measured = stepper_->measured();
  watch_for_a_sunken_target(frame);
  ++record_.frame;
  record_.time = end;
  record_.iterations = frame.iterations;
  record_.converged = frame.converged;
  record_.residual = frame.residual;
  record_.last_correction = frame.last_correction;
  record_.constraint_work += frame.constraint_work;
  record_.in_ripples = frame.in_ripples;
  look_at_constraints();
  remember(record_.measured);
  grew_ = record_.times_its_target() > off_before;
  traces_.append(world_.bodies, *model_, history_.now.x);
  visible_motion_.add(*model_, history_.now.v, h);
  record_.seen = visible_motion_.seen();
  record_.step_ms = milliseconds_since(began);
  return true;
}

// What was switched to since may bring it down again, so it is given the chance until it grows.
bool Session::has_run_away() {
  const double times = record_.times_its_target();
  if (!description().runaway || !grew_ || !(times > *description().runaway)) return false;
  failure_site_ = find_failure_site(world_, *model_, history_.now, history_.now);
  outcome_ = sim::Outcome::ran_away;
  failure_ = "frame " + std::to_string(record_.frame + 1) + ": " + description().integrator.type +
             " ran away: its energy is " + three_digits(times) + " times its target; " +
             wording(*failure_site_, world_) + remedy();
  return true;
}

std::string Session::remedy() const {
  return "; go back or reset, or take a smaller time step, " +
         std::string(sim::find_integrator(description().integrator.type)->remedy) + " or another integrator";
}

std::string Session::explain(const sim::StepReport& report) const {
  const std::string frame = "frame " + std::to_string(record_.frame + 1) + ": ";
  switch (report.outcome) {
    case sim::Outcome::factor_failed:
      return frame + std::string(in_words(report.outcome)) + "; change the material, masses or time step";
    case sim::Outcome::crossing:
      if (report.too_wide) return wording(*report.too_wide, world_);
      return (record_.frame == 0 && report.crossed_at_start ? "" : frame) +
             wording(*report.crossing, report.crossed_at_start, world_);
    case sim::Outcome::constraints:
      return frame + explain_constraint(report.constraint.value_or(0));
    case sim::Outcome::damping_failed:
      return frame + description().damping.type + " damping could not be solved; take a smaller coefficient";
    case sim::Outcome::out_of_memory:
      if (report.lacking) return frame + report.lacking->what();
      return frame + "out of memory in " + std::string(report.too_large) + ", with " +
             std::to_string(model_->vertices()) + " vertices, " + std::to_string(model_->contacts.items.size()) +
             " contacts and factors of " + std::to_string(std::llround(factor_nonzeros())) +
             " entries; close other programs, or take a coarser body";
    default:
      break;
  }
  const std::string what(in_words(report.outcome));
  const std::string site = wording(*failure_site_, world_);
  return frame + description().integrator.type + " blew up: " + what + (site.empty() ? "" : "; " + site) + remedy();
}

// Which one, and why: where it stands, constraints may be too many, or else too far from what a step asks of them.
std::string Session::explain_constraint(int worst) const {
  sim::ConstraintSpace space(model_->constraints, model_->M, model_->fixed);
  const auto twice = space.look(history_.now.x);
  const std::string name = scene::wording_of_constraint(description(), *model_, twice.value_or(worst));
  if (twice)
    return name + " repeats what the others hold already, so its force has no one value; unpin a vertex, or go back";
  return name + " cannot hold beside the others in this step; go back, unpin a vertex, or take a smaller time step";
}

std::vector<Session::ConstraintForce> Session::constraint_forces() const {
  std::vector<ConstraintForce> all;
  const auto& multipliers = stepper_->method_memory().constraint_forces;
  std::vector<sim::ConstraintRow> rows(sim::kMostConstraintEquations);
  int first = 0;
  for (const auto& constraint : model_->constraints) {
    const int count = constraint->equations();
    constraint->evaluate(history_.now.x, rows);
    ConstraintForce force;
    force.on_first.setZero();
    for (int e = 0; e < count; ++e) {
      const sim::ConstraintRow& row = rows[static_cast<std::size_t>(e)];
      force.error = std::max(force.error, std::abs(row.c));
      if (multipliers && first + count <= multipliers->size())
        force.on_first -= (*multipliers)[first + e] * row.gradient[0];
    }
    force.force = force.on_first.norm();
    if (count == 1 && multipliers && first < multipliers->size() && (*multipliers)[first] < 0)
      force.force = -force.force;
    all.push_back(force);
    first += count;
  }
  return all;
}

void Session::look_at_constraints() {
  if (model_->constraints.empty()) return;
  record_.constraint_force = 0;
  record_.constraint_drift = 0;
  for (const ConstraintForce& force : constraint_forces()) {
    record_.constraint_force = std::max(*record_.constraint_force, std::abs(force.force));
    record_.constraint_drift = std::max(record_.constraint_drift, force.error);
  }
}

// Damping may take energy that an unconverged solve had put in; the target then lies below anything the bodies can
// reach, and every frame would be full backward Euler for ever. The target is raised to what is there, and booked.
void Session::watch_for_a_sunken_target(const sim::StepReport& report) {
  // Where a wish has asked for less than there can be, that is what it gets.
  const bool stuck =
      description().energy.empty() && report.blend == 1.0 && record_.measured.kinetic < kStill * ledger_.scale();
  full_backward_frames_ = stuck ? full_backward_frames_ + 1 : 0;
  if (full_backward_frames_ < kSunkenFrames) return;
  ledger_.add(sim::Added::guard, record_.measured.total() - ledger_.target());
  full_backward_frames_ = 0;
}

// ---- obstacles follow the clock, or a hand ----

sim::Pose Session::obstacle_goal(int obstacle) const {
  return scene::obstacle_pose(description().obstacles[static_cast<std::size_t>(obstacle)], record_.time);
}

void Session::place_obstacles(double time) {
  const std::size_t count = model_->obstacles.size();
  led_.assign(count, 0);
  for (std::size_t o = 0; o < count; ++o) {
    sim::Obstacle& obstacle = model_->obstacles[o];
    obstacle.pose = obstacle.before = scene::obstacle_pose(description().obstacles[o], time);
    obstacle.fresh = true;
  }
}

// ---- what the window asks ----

mesh::Points Session::surface(int body, const sim::Points& x) const {
  const auto [first, count] = model_->bodies[static_cast<std::size_t>(body)];
  return world_.bodies[static_cast<std::size_t>(body)].embedding.apply(x.middleRows(first, count));
}

std::string Session::warning() const {
  if (1 + stiffness_number() <= kDoubtfulConditioning) return {};
  return "h^2 k/m = " + std::to_string(stiffness_number()) +
         " leaves few digits to the solver: take a smaller time step, a softer material or heavier vertices";
}

double Session::left_at_a_switch() const {
  const double off = record_.measured.total() - ledger_.target();
  const bool is_left = std::abs(off) > description().integrator.tolerance * ledger_.scale();
  return is_left && record_.times_its_target() <= kRunsAway ? off : 0;
}

double Session::step_size() const { return description().timeStep / description().substeps; }

double Session::stiffness_number() const {
  const double h = step_size();
  return h * h * stiffest_;
}

void require_a_motion(const Session& session) {
  if (session.outcome() == sim::Outcome::out_of_memory) throw sim::OutOfMemory(session.failure());
  if (session.cannot_begin()) throw InputError(session.failure());
}

}  // namespace rebound::session
