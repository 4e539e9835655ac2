#include "session/session.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "mesh/error.hpp"
#include "scene/identifiers.hpp"
#include "scene/ranges.hpp"
#include "session/hands.hpp"
#include "session/saved_state.hpp"
#include "sim/registry.hpp"

namespace rebound::session {
namespace {

constexpr double kDoubtfulConditioning = 1e10;
// A frame that is all backward Euler and all but still, for this long, has a target that it cannot reach.
constexpr int kSunkenFrames = 30;
constexpr double kStill = 1e-6;
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

void check_damping(const scene::Damping& damping) {
  if (sim::find_damping(damping.type) == nullptr)
    throw InputError("damping '" + damping.type + "' is not known; one of: " + known_ids(sim::dampings()));
  scene::checked(scene::damping_range(damping.type), damping.coefficient, "damping");
}

void check_methods(const scene::Description& description) {
  (void)known_integrator(description.integrator.type);
  check_damping(description.damping);
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

double FrameRecord::added_total() const { return std::accumulate(added.begin(), added.end(), 0.0); }
double FrameRecord::dissipated_total() const { return std::accumulate(dissipated.begin(), dissipated.end(), 0.0); }

Session::Session(scene::World world, int threads, sim::FactorCache* cache)
    : world_(std::move(world)), work_(std::make_unique<sim::Workspace>(threads)) {
  check_methods(description());
  const auto made = with_solver(description());
  made->geometry_ = &world_;
  made->known_.cache = cache;
  made->run(work_->workers);
  take_over(*made);
  handles_ = scene::moving_handles(world_, *model_);
  restart();
}

void Session::choose_integrator(const std::string& id) {
  (void)known_integrator(id);
  stepper_->set_integrator(id);
  world_.description.integrator.type = id;
}

void Session::choose_damping(const scene::Damping& damping) {
  check_damping(damping);
  if (damping.type != description().damping.type) stepper_->set_damping(damping.type);
  world_.description.damping = damping;
}

// ---- what takes long ----

std::unique_ptr<Preparation> Session::with_pins(std::vector<std::uint8_t> fixed) const {
  auto made = std::make_unique<Preparation>();
  made->model_ = std::make_unique<sim::Model>(*model_);
  made->model_->fixed = std::move(fixed);
  made->factors_ = stepper_->factors().missing(*made->model_, coefficients(description().integrator.type, step_size()));
  return made->factors_ ? std::move(made) : nullptr;
}

std::unique_ptr<Preparation> Session::with_factors(std::string_view integrator, double h) const {
  auto made = std::make_unique<Preparation>();
  made->factors_ = stepper_->factors().missing(*model_, coefficients(integrator, h));
  return made->factors_ ? std::move(made) : nullptr;
}

// Another minimizer, with everything it keeps from step to step; for another model if the caller says so.
std::unique_ptr<Preparation> Session::with_solver(const scene::Description& d) const {
  auto made = std::make_unique<Preparation>();
  made->solver_ = sim::find_solver(d.solver.type);
  if (made->solver_ == nullptr)
    throw InputError("solver '" + d.solver.type + "' is not known; one of: " + known_ids(sim::solvers()));
  for (const scene::Body& body : d.bodies)
    if (d.solver.type != "newton" && scene::needs_newton(body.material.model, body.material.law))
      throw InputError("solver '" + d.solver.type + "' cannot minimise " + body.material.model + " with law '" +
                       body.material.law + "': its energy is no squared distance; use solver 'newton'");
  made->description_ = d;
  made->coefficients_ = coefficients(d.integrator.type, d.timeStep / d.substeps);
  if (stepper_) made->known_ = stepper_->factors().analysis();
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
    if (stepper_) {
      stepper_->exchange(*model_, made.minimizer_);
    } else {
      stepper_ = std::make_unique<sim::Stepper>(*model_, *work_, std::move(made.minimizer_));
      stepper_->set_integrator(description().integrator.type);
      stepper_->set_damping(description().damping.type);
    }
    stepper_->factors().grabs_changed(work_->workers);
  } else if (made.factors_) {
    stepper_->factors().adopt(*made.factors_, work_->workers);
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
  stepper_->forget();
  set_grab(std::nullopt);
  for (const auto& handle : handles_) model_->attachments.items[handle.attachment].target = handle.at(0);
  place_obstacles(0);
  stepper_->find_contacts(history_, step_size());
  ledger_ = stepper_->ledger(history_.now);
  remember(stepper_->measured());
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
  // Where a later step fails, the earlier ones have not happened either.
  std::optional<SavedState> start;
  if (substeps > 1) start = save();

  // To the last bit what the record will say, so that what moves by the clock is found again from there.
  const double end = time_origin_ + static_cast<double>(record_.frame + 1 - frame_origin_) * h;

  stepper_->settings = step_settings();
  sim::StepReport frame;
  for (int i = 1; i <= substeps; ++i) {
    Hands hands(description(), handles_, led_, i == substeps ? end : record_.time + h * i / substeps, step_size());
    const sim::StepReport report = stepper_->step(history_, ledger_, step_size(), hands);
    if (report.outcome != sim::Outcome::done) {
      const FailureSite site = find_failure_site(world_, *model_, history_.now, stepper_->attempted());
      if (i > 1) restore(*start);
      failure_site_ = site;
      failure_ = explain(report);
      return false;
    }
    led_ = hands.led();
    frame.iterations += report.iterations;
    frame.converged = frame.converged && report.converged;
    // Of several steps, the strongest blend is shown.
    if (report.blend && std::abs(*report.blend) >= std::abs(frame.blend.value_or(0))) frame.blend = report.blend;
  }

  record_.blend = frame.blend;
  record_.measured = stepper_->measured();
  watch_for_a_sunken_target(frame);
  ++record_.frame;
  record_.time = end;
  record_.iterations = frame.iterations;
  record_.converged = frame.converged;
  remember(record_.measured);
  traces_.append(history_.now.x);
  record_.step_ms = milliseconds_since(began);
  return true;
}

sim::StepSettings Session::step_settings() const {
  const scene::Description& d = description();
  sim::StepSettings settings{{scene::iterations(d.solver), d.solver.stabilizerIterations},
                             {d.integrator.tolerance, d.integrator.forwardBlend},
                             d.damping.coefficient,
                             {}};
  if (d.damping.per == "frame") settings.frames_per_step = 1.0 / d.substeps;
  return settings;
}

std::string Session::explain(const sim::StepReport& report) const {
  const std::string frame = "frame " + std::to_string(record_.frame + 1) + ": ";
  switch (report.outcome) {
    case sim::Outcome::factor_failed:
      return frame + "the system matrix could not be factored; change the material, masses or time step";
    case sim::Outcome::damping_failed:
      return frame + description().damping.type + " damping could not be solved; take a smaller coefficient";
    case sim::Outcome::out_of_memory:
      return frame + "out of memory in " + std::string(report.too_large) + ", with " +
             std::to_string(model_->vertices()) + " vertices, " + std::to_string(model_->contacts.items.size()) +
             " contacts and factors of " + std::to_string(std::llround(factor_nonzeros())) +
             " entries; close other programs, or take a coarser body";
    default:
      break;
  }
  const char* what = report.outcome == sim::Outcome::ran_away
                         ? "its energy is over a million times what it should be"
                         : "a position, velocity or energy is no longer a finite number";
  return frame + description().integrator.type + " blew up: " + what + "; " + wording(*failure_site_, world_) +
         "; go back or reset, or take a smaller time step, more iterations or another integrator";
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
