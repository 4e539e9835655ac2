#include "session/session.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "mesh/error.hpp"
#include "scene/identifiers.hpp"
#include "scene/material.hpp"
#include "scene/ranges.hpp"
#include "sim/integrate/friction_step.hpp"

namespace rebound::session {
namespace {

constexpr double kDoubtfulConditioning = 1e10;
// A frame that is all backward Euler and all but still, for this long, has a target that it cannot reach.
constexpr int kSunkenFrames = 30;
constexpr double kStill = 1e-6;
// An energy error is resolved down to this share of the energy of lifting the bodies by their own size.
constexpr double kFloorShare = 1e-3;

template <class Registry>
std::string known_ids(const Registry& registry) {
  std::string known;
  for (const auto& info : registry) known += (known.empty() ? "" : ", ") + std::string(info.id);
  return known;
}

const sim::IntegratorInfo& known_integrator(std::string_view id) {
  const sim::IntegratorInfo* info = sim::find_integrator(id);
  if (info == nullptr)
    throw InputError("integrator '" + std::string(id) + "' is not known; one of: " + known_ids(sim::integrators()));
  return *info;
}

// What L is multiplied by in the matrices of steps of h seconds, s^2.
std::vector<double> coefficients(std::string_view integrator, double h) {
  std::vector<double> result;
  for (const sim::Scheme& scheme : known_integrator(integrator).schemes) result.push_back(scheme.stiffness_factor(h));
  return result;
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double energy_floor(const sim::Model& model, const sim::Measurement& start) {
  const double lift = model.M.sum() * model.g.norm() * model.extent;
  // A world without gravity, at rest: any positive number, far below what anything there will ever hold.
  return std::max({kFloorShare * lift, 1e-9 * std::abs(start.kinetic + start.elastic), 1e-12 * model.M.sum()});
}

}  // namespace

double FrameRecord::added_total() const { return std::accumulate(added.begin(), added.end(), 0.0); }
double FrameRecord::dissipated_total() const { return std::accumulate(dissipated.begin(), dissipated.end(), 0.0); }

Session::Session(scene::World world, int threads, sim::FactorCache* cache)
    : world_(std::move(world)), work_(std::make_unique<sim::Workspace>(threads)) {
  choose_integrator(description().integrator.type);
  choose_damping(description().damping);
  const auto made = with_solver(description());
  made->geometry_ = &world_;
  made->known_.cache = cache;
  made->run(work_->workers);
  take_over(*made);
  if (scene::bodies_may_meet(description())) body_contacts_.emplace(*model_);
  handles_ = scene::moving_handles(world_, *model_);
  restart();
}

void Session::choose_integrator(const std::string& id) {
  integrator_ = known_integrator(id).make();
  world_.description.integrator.type = id;
}

void Session::choose_damping(const scene::Damping& damping) {
  const sim::DampingInfo* info = sim::find_damping(damping.type);
  if (info == nullptr)
    throw InputError("damping '" + damping.type + "' is not known; one of: " + known_ids(sim::dampings()));
  scene::checked(scene::damping_range(damping.type), damping.coefficient, "damping");
  if (!damping_ || damping.type != description().damping.type) damping_ = info->make();
  world_.description.damping = damping;
}

// ---- what takes long ----

std::unique_ptr<Preparation> Session::with_pins(std::vector<std::uint8_t> fixed) const {
  auto made = std::make_unique<Preparation>();
  made->model_ = std::make_unique<sim::Model>(*model_);
  made->model_->fixed = std::move(fixed);
  made->factors_ = minimizer_->missing(*made->model_, coefficients(description().integrator.type, step_size()));
  return made->factors_ ? std::move(made) : nullptr;
}

std::unique_ptr<Preparation> Session::with_factors(std::string_view integrator, double h) const {
  auto made = std::make_unique<Preparation>();
  made->factors_ = minimizer_->missing(*model_, coefficients(integrator, h));
  return made->factors_ ? std::move(made) : nullptr;
}

// Another minimizer, with everything it keeps from step to step; for another model if the caller says so.
std::unique_ptr<Preparation> Session::with_solver(const scene::Description& d) const {
  auto made = std::make_unique<Preparation>();
  made->solver_ = sim::find_solver(d.solver.type);
  if (made->solver_ == nullptr)
    throw InputError("solver '" + d.solver.type + "' is not known; one of: " + known_ids(sim::solvers()));
  for (std::size_t b = 0; b < d.bodies.size(); ++b)
    scene::check_material(d.bodies[b], d.solver.type, "/bodies/" + std::to_string(b));
  made->description_ = d;
  made->coefficients_ = coefficients(d.integrator.type, d.timeStep / d.substeps);
  if (minimizer_) made->known_ = minimizer_->analysis();
  if (model_) made->model_ = std::make_unique<sim::Model>(*model_);
  return made;
}

void Session::take_over(Preparation& made) {
  if (made.minimizer_) {
    // What the hand and the handles have done since.
    if (model_) {
      made.model_->grabs = model_->grabs;
      for (std::size_t i = 0; i < model_->attachments.items.size(); ++i)
        made.model_->attachments.items[i].target = model_->attachments.items[i].target;
      made.model_->obstacles = model_->obstacles;
      made.model_->contacts = model_->contacts;
    }
    std::swap(model_, made.model_);
    std::swap(minimizer_, made.minimizer_);
    minimizer_->grabs_changed(work_->workers);
  } else if (made.factors_) {
    minimizer_->adopt(*made.factors_, work_->workers);
  }
  if (made.stiffest_) stiffest_ = *made.stiffest_;
  if (made.contact_bodies_.empty()) return;
  world_.contact_shapes.bodies = made.contact_bodies_;
  model_->contact_bodies = std::move(made.contact_bodies_);
}

void Session::restart() {
  history_ = {};
  history_.now = scene::starting_state(world_, *model_);
  model_->clear_fixed(history_.now.v);
  traces_.restart(description().bodies, *model_, history_.now);
  record_ = {};
  time_origin_ = 0;
  frame_origin_ = 0;
  failure_.clear();
  full_backward_frames_ = 0;
  held_ = false;
  set_grab(std::nullopt);
  for (const auto& handle : handles_) model_->attachments.items[handle.attachment].target = handle.at(0);
  place_obstacles(0);
  if (body_contacts_) body_contacts_->forget();
  model_->contacts.items.clear();
  find_contacts();
  const sim::Measurement m = sim::measure(*model_, history_.now, *work_);
  ledger_ = sim::Ledger(m, energy_floor(*model_, m));
  remember(m);
}

void Session::remember(const sim::Measurement& m) {
  record_.measured = m;
  record_.target = ledger_.target();
  record_.initial = ledger_.initial();
  record_.scale = ledger_.scale();
  for (int c = 0; c < sim::kAddedCauses; ++c) record_.added[c] = ledger_.added(static_cast<sim::Added>(c));
  for (int c = 0; c < sim::kDissipatedCauses; ++c)
    record_.dissipated[c] = ledger_.dissipated(static_cast<sim::Dissipated>(c));
}

// ---- Algorithm 1 ----

bool Session::step() {
  if (!failure_.empty()) return false;
  const auto began = std::chrono::steady_clock::now();
  const double h = description().timeStep;
  const int substeps = description().substeps;
  const sim::Ledger ledger_at_start = ledger_;
  const std::vector<sim::Obstacle> obstacles_at_start = model_->obstacles;
  const std::vector<std::uint8_t> led_at_start = led_;
  if (substeps > 1) frame_start_ = history_;

  // To the last bit what the record will say, so that what moves by the clock is found again from there.
  const double end = time_origin_ + static_cast<double>(record_.frame + 1 - frame_origin_) * h;

  sim::StepReport frame;
  sim::Measurement m;
  for (int i = 1; i <= substeps; ++i) {
    const sim::StepReport report = advance(i == substeps ? end : record_.time + h * i / substeps, m);
    if (i == 1) std::swap(contacts_at_start_, last_contacts_);
    if (report.outcome != sim::Outcome::done) {
      failure_site_ = find_failure_site(world_, *model_, history_.now, next_);
      failure_ = explain(report.outcome);
      ledger_ = ledger_at_start;
      if (substeps > 1) std::swap(history_, frame_start_);
      for (const auto& handle : handles_) model_->attachments.items[handle.attachment].target = handle.at(record_.time);
      model_->obstacles = obstacles_at_start;
      led_ = led_at_start;
      std::swap(model_->contacts.items, contacts_at_start_);
      return false;
    }
    frame.iterations += report.iterations;
    // Of several steps, the strongest blend is shown.
    if (report.blend && std::abs(*report.blend) >= std::abs(frame.blend.value_or(0))) frame.blend = report.blend;
  }

  record_.blend = frame.blend;
  record_.measured = m;
  watch_for_a_sunken_target(frame);
  ++record_.frame;
  record_.time = end;
  record_.iterations = frame.iterations;
  remember(m);
  traces_.append(history_.now.x);
  record_.step_ms = milliseconds_since(began);
  return true;
}

// One step, to the given time. If it is not done, the state is what it was; the handles and the ledger are not.
sim::StepReport Session::advance(double time, sim::Measurement& m) {
  // Lines 5-8: the user's commands are booked when they are applied; here the scene's own hands move.
  move_handles(time);
  move_obstacles(time);
  find_contacts();

  // Lines 9-16.
  const auto& d = description();
  const sim::StepInput input{*model_,
                             *minimizer_,
                             *work_,
                             history_,
                             ledger_,
                             step_size(),
                             {d.solver.iterations, d.solver.stabilizerIterations},
                             {d.integrator.tolerance, d.integrator.forwardBlend},
                             held_};
  sim::StepReport report = integrator_->step(input, next_);
  if (report.outcome != sim::Outcome::done) return report;

  // Lines 17-21.
  if (!report.friction) {
    const auto schemes = sim::find_integrator(d.integrator.type)->schemes;
    report.friction =
        sim::friction_step(input, schemes.empty() ? 0 : schemes.front().stiffness_factor(input.h), report.gamma, next_);
    if (report.friction->E) report.energy = report.friction->E;
  }
  const double taken = damp(next_);
  m = report.energy ? sim::measure(*model_, next_, *report.energy, *work_) : sim::measure(*model_, next_, *work_);
  if (!std::isfinite(taken)) report.outcome = sim::Outcome::damping_failed;
  // Finite coordinates may have an energy that is not.
  if (!std::isfinite(m.total()))
    report.outcome = sim::Outcome::not_finite;
  else if (m.total() - ledger_.target() > energy_limit())
    report.outcome = sim::Outcome::ran_away;
  if (report.outcome != sim::Outcome::done) return report;

  book_surfaces(report.gamma, *report.friction);
  keep_impulses(*report.friction);
  ledger_.dissipate(sim::Dissipated::friction, report.friction->taken);
  ledger_.dissipate(sim::Dissipated::damping, taken);

  std::swap(history_.before, history_.now);
  std::swap(history_.now, next_);
  history_.has_before = true;
  held_ = report.blend == 0.0;
  ledger_.observe(m);
  return report;
}

std::string Session::explain(sim::Outcome outcome) const {
  const std::string frame = "frame " + std::to_string(record_.frame + 1) + ": ";
  if (outcome == sim::Outcome::factor_failed)
    return frame + "the system matrix could not be factored; change the material, masses or time step";
  if (outcome == sim::Outcome::damping_failed)
    return frame + description().damping.type + " damping could not be solved; take a smaller coefficient";
  const char* what = outcome == sim::Outcome::ran_away ? "its energy is over a million times what it should be"
                                                       : "a position, velocity or energy is no longer a finite number";
  return frame + description().integrator.type + " blew up: " + what + "; " + wording(*failure_site_, world_) +
         "; go back or reset, or take a smaller time step, more iterations or another integrator";
}

// Where an explosion has long been seen, and the numbers that it is to be looked into with are still good. What damping
// took of made-up energy must not bring the limit down, and a world that began all but still is measured by what it
// takes to lift it.
double Session::energy_limit() const {
  constexpr double kRunaway = 1e6, kEarth = 9.81;
  return kRunaway * std::max(ledger_.undamped_scale(), kFloorShare * model_->M.sum() * kEarth * model_->extent);
}

void Session::move_handles(double time) {
  if (handles_.empty()) return;
  const double before = model_->attachments.value(history_.now.x, *work_);
  for (const auto& handle : handles_) model_->attachments.items[handle.attachment].target = handle.at(time);
  ledger_.add(sim::Added::motion, model_->attachments.value(history_.now.x, *work_) - before);
}

double Session::damp(sim::State& state) {
  const auto& damping = description().damping;
  const double time = damping.per == "second" ? step_size() : 1.0 / description().substeps;
  return damping_->damp(*model_, damping.coefficient, time, state);
}

// Damping may take energy that an unconverged solve had put in; the target then lies below anything the bodies can
// reach, and every frame would be full backward Euler for ever. The target is raised to what is there, and booked.
void Session::watch_for_a_sunken_target(const sim::StepReport& report) {
  const bool stuck = report.blend == 1.0 && record_.measured.kinetic < kStill * ledger_.scale();
  full_backward_frames_ = stuck ? full_backward_frames_ + 1 : 0;
  if (full_backward_frames_ < kSunkenFrames) return;
  ledger_.add(sim::Added::guard, record_.measured.total() - ledger_.target());
  full_backward_frames_ = 0;
}

// ---- what the window asks ----

mesh::Points Session::surface(int body) const {
  const auto [first, count] = model_->bodies[static_cast<std::size_t>(body)];
  return world_.bodies[static_cast<std::size_t>(body)].embedding.apply(history_.now.x.middleRows(first, count));
}

std::string Session::warning() const {
  if (1 + stiffness_number() <= kDoubtfulConditioning) return {};
  return "h^2 k/m = " + std::to_string(stiffness_number()) +
         " leaves few digits to the solver: take a smaller time step, a softer material or heavier vertices";
}

double Session::step_size() const { return description().timeStep / description().substeps; }

double Session::stiffness_number() const {
  const double h = step_size();
  return h * h * stiffest_;
}

bool Session::is_pinned(const SurfacePoint& point) const {
  const auto vertices = carriers({point});
  return std::all_of(vertices.begin(), vertices.end(),
                     [this](int v) { return model_->fixed[static_cast<std::size_t>(v)] != 0; });
}

}  // namespace rebound::session
