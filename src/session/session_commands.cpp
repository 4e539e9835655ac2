// What a user can do, one function a command: checked, done, and booked.
#include <algorithm>

#include "mesh/error.hpp"
#include "scene/ranges.hpp"
#include "session/session.hpp"

namespace rebound::session {
namespace {

bool changes_pins(const Command& command) {
  return std::holds_alternative<Pin>(command) || std::holds_alternative<Unpin>(command) ||
         std::holds_alternative<UnpinAll>(command) || std::holds_alternative<SetPins>(command);
}

bool changes_energy(const Command& command) {
  return std::holds_alternative<Pin>(command) || std::holds_alternative<SetPins>(command) ||
         std::holds_alternative<SetMaterial>(command) || std::holds_alternative<SetGravity>(command) ||
         std::holds_alternative<SetContact>(command) || std::holds_alternative<RemoveObstacle>(command) ||
         std::holds_alternative<SetObstacle>(command);
}

}  // namespace

// ---- what a command needs ----

std::unique_ptr<Preparation> Session::preparation(const Command& command) const {
  return std::visit([this](const auto& c) { return prepare(c); }, command);
}

std::unique_ptr<Preparation> Session::prepare(const Pin& pin) const {
  auto fixed = model_->fixed;
  for (const int v : carriers(pin.points)) fixed[static_cast<std::size_t>(v)] = 1;
  return with_pins(std::move(fixed));
}

std::unique_ptr<Preparation> Session::prepare(const Unpin& unpin) const {
  auto fixed = model_->fixed;
  for (const int v : carriers(unpin.points)) fixed[static_cast<std::size_t>(v)] = 0;
  return with_pins(std::move(fixed));
}

std::unique_ptr<Preparation> Session::prepare(const UnpinAll&) const {
  return with_pins(std::vector<std::uint8_t>(model_->fixed.size(), 0));
}

std::unique_ptr<Preparation> Session::prepare(const SetPins& set) const { return with_pins(fixed_at(set.vertices)); }

std::unique_ptr<Preparation> Session::prepare(const SetIntegrator& set) const {
  return with_factors(set.id, step_size());
}

std::unique_ptr<Preparation> Session::prepare(const SetSolver& set) const {
  scene::checked("solver.iterations", set.solver.iterations, "iterations");
  if (set.solver.stabilizerIterations)
    scene::checked("solver.stabilizerIterations", *set.solver.stabilizerIterations, "stabilizerIterations");
  if (set.solver.type == description().solver.type) return nullptr;
  scene::Description d = description();
  describe(set, d);
  return with_solver(d);
}

std::unique_ptr<Preparation> Session::prepare(const SetTimeStep& set) const {
  const double h = scene::checked("timeStep", set.h, "time step") / description().substeps;
  check_conditioning(h, stiffest_);
  return with_factors(description().integrator.type, h);
}

std::unique_ptr<Preparation> Session::prepare(const SetSubsteps& set) const {
  const double substeps = scene::checked("substeps", set.substeps, "substeps");
  return with_factors(description().integrator.type, description().timeStep / substeps);
}

std::unique_ptr<Preparation> Session::prepare(const SetMaterial& set) const {
  require_body(set.body);
  scene::Description d = description();
  describe(set, d);
  auto made = with_solver(d);
  made->geometry_ = &world_;
  return made;
}

std::unique_ptr<Preparation> Session::prepare(const SetContact& set) const {
  scene::checked("contact.stiffness", set.contact.stiffness, "stiffness");
  scene::checked("contact.friction", set.contact.friction, "friction");
  if (set.contact.thickness) scene::checked("contact.thickness", *set.contact.thickness, "thickness");
  scene::Description d = description();
  describe(set, d);
  if (!scene::bodies_may_meet(d) || !model_->contact_bodies.empty()) return nullptr;
  auto made = std::make_unique<Preparation>();
  made->meeting_ = &world_;
  return made;
}

// ---- how it is applied ----

void Session::apply(const Command& command) {
  const auto made = preparation(command);
  if (made) made->run(work_->workers);
  apply(command, made.get());
}

void Session::apply(const Command& command, Preparation* made) {
  const double before = record_.measured.total();
  if (made != nullptr) world_.contact_shapes.obstacles.merge(made->surfaces_);
  std::visit([this](const auto& c) { do_command(c); }, command);
  if (!moves_the_hand(command)) ++revision_;
  describe(command, world_.description);
  if (made != nullptr) {
    take_over(*made);
  } else if (changes_pins(command)) {
    minimizer_->pins_changed(work_->workers);
  }
  if (std::holds_alternative<SetContact>(command)) contact_changed();
  if (changes_energy(command)) {
    record_.measured = sim::measure(*model_, history_.now, *work_);
    ledger_.add(sim::Added::edit, record_.measured.total() - before);
  }
  remember(record_.measured);
}

void Session::require_body(int body) const {
  if (body < 0 || body >= static_cast<int>(world_.bodies.size()))
    throw InputError("there is no body " + std::to_string(body) + "; the scene has " +
                     std::to_string(world_.bodies.size()));
}

// Throws InputError if there is no such point.
sim::BodyPoint Session::body_point(const SurfacePoint& point) const {
  require_body(point.body);
  const auto body = static_cast<std::size_t>(point.body);
  const auto& embedding = world_.bodies[body].embedding;
  if (point.vertex < 0 || point.vertex >= static_cast<int>(embedding.vertices.size()))
    throw InputError("body " + std::to_string(point.body) + " has no surface vertex " + std::to_string(point.vertex));
  const auto vertex = static_cast<std::size_t>(point.vertex);
  sim::BodyPoint result{embedding.vertices[vertex], embedding.weights[vertex]};
  for (int& v : result.vertices) v += model_->bodies[body].first;
  return result;
}

// The vertices that carry these points.
std::vector<int> Session::carriers(const std::vector<SurfacePoint>& points) const {
  std::vector<int> vertices;
  for (const SurfacePoint& point : points) {
    const sim::BodyPoint p = body_point(point);
    for (int j = 0; j < 4; ++j)
      if (p.weights[j] > 0) vertices.push_back(p.vertices[j]);
  }
  return vertices;
}

// A vertex each: is it one of these? Throws InputError if there is no such vertex.
std::vector<std::uint8_t> Session::fixed_at(const std::vector<int>& vertices) const {
  std::vector<std::uint8_t> fixed(model_->fixed.size(), 0);
  for (const int v : vertices) {
    if (v < 0 || v >= model_->vertices()) throw InputError("there is no vertex " + std::to_string(v) + " to be pinned");
    fixed[static_cast<std::size_t>(v)] = 1;
  }
  return fixed;
}

// Only the grab's own energy changes, so only that is measured.
void Session::set_grab(std::optional<sim::Attachment> grab) {
  const double before = model_->grabs.value(history_.now.x, *work_);
  grab_ = std::move(grab);
  model_->grabs.items.clear();
  if (grab_) model_->grabs.items.push_back(*grab_);
  minimizer_->grabs_changed(work_->workers);
  const double after = model_->grabs.value(history_.now.x, *work_);
  ledger_.add(sim::Added::user, after - before);
  record_.measured.attachment = model_->attachments.value(history_.now.x, *work_) + after;
}

void Session::do_command(const Grab& grab) {
  const sim::BodyPoint point = body_point(grab.point);
  if (!grab.target.allFinite()) throw InputError("grab: the hand is nowhere; give it a place");
  const auto [first, count] = model_->bodies[static_cast<std::size_t>(grab.point.body)];
  const double strength = scene::checked("grab.strength", grab.strength, "grab");
  // k = (2 pi 2 Hz)^2 m: the body swings about twice a second on the hand, whatever it weighs.
  const double k = 158 * strength * model_->M.segment(first, count).sum();
  set_grab(sim::Attachment{point, k, grab.target});
  grabbed_ = grab.point;
  do_command(MoveGrab{grab.target});
}

void Session::do_command(const MoveGrab& move) {
  if (!grab_ || !move.target.allFinite()) return;
  // A hand can be flung out of the window: its reach is ten body sizes, its pull a hundred body weights.
  const sim::Vec3 at = grab_->point.of(history_.now.x);
  const double reach = std::min(10 * model_->extent, 100 * 9.81 * model_->M.sum() / grab_->stiffness);
  sim::Attachment moved = *grab_;
  const sim::Vec3 pull = move.target - at;
  moved.target = pull.norm() > reach ? sim::Vec3(at + pull * (reach / pull.norm())) : move.target;
  set_grab(moved);
}

void Session::do_command(const Release&) { set_grab(std::nullopt); }

// What pinned vertices had of kinetic energy is gone, by the user's hand.
void Session::pins_changed() {
  model_->clear_fixed(history_.now.v);
  history_.has_before = false;
  failure_.clear();
}

void Session::do_command(const Pin& pin) {
  for (const int v : carriers(pin.points)) model_->fixed[static_cast<std::size_t>(v)] = 1;
  pins_changed();
}

void Session::do_command(const Unpin& unpin) {
  for (const int v : carriers(unpin.points)) model_->fixed[static_cast<std::size_t>(v)] = 0;
  pins_changed();
}

void Session::do_command(const UnpinAll&) {
  std::fill(model_->fixed.begin(), model_->fixed.end(), std::uint8_t{0});
  pins_changed();
}

void Session::do_command(const SetPins& set) {
  model_->fixed = fixed_at(set.vertices);
  pins_changed();
}

void Session::do_command(const SetIntegrator& set) {
  choose_integrator(set.id);
  failure_.clear();
}

void Session::do_command(const SetBlend& set) { scene::checked("integrator.tolerance", set.tolerance, "tolerance"); }

void Session::do_command(const SetSolver& set) {
  minimizer_->set_acceleration(set.solver.acceleration);
  failure_.clear();
}

void Session::do_command(const SetTimeStep&) {
  time_origin_ = record_.time;
  frame_origin_ = record_.frame;
  history_.has_before = false;
  failure_.clear();
}

void Session::do_command(const SetSubsteps&) {
  history_.has_before = false;
  failure_.clear();
}

void Session::do_command(const SetMaterial&) { failure_.clear(); }

void Session::do_command(const SetDamping& set) { choose_damping(set.damping); }

void Session::do_command(const SetGravity& set) {
  for (int c = 0; c < 3; ++c) scene::checked("gravity", set.g[c], "gravity");
  model_->set_gravity(set.g);
  minimizer_->gravity_changed();
}

void Session::do_command(const SetContact& set) {
  const scene::BodyContact& before = description().contact;
  // What is wanted now begins with what there is now.
  if (body_contacts_ && (set.contact.bodies != before.bodies || set.contact.self != before.self))
    body_contacts_->forget();
}

void Session::do_command(const Reset&) { restart(); }

}  // namespace rebound::session
