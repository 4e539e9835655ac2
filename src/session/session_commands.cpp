// What a user can do, one function a command: checked, done, and booked.
#include <algorithm>

#include "mesh/error.hpp"
#include "scene/ranges.hpp"
#include "session/session.hpp"
#include "sim/solve/stiffness.hpp"

namespace rebound::session {

void Session::apply(const Command& command) {
  const bool moves_the_hand = std::holds_alternative<Grab>(command) || std::holds_alternative<MoveGrab>(command) ||
                              std::holds_alternative<Release>(command);
  if (!moves_the_hand) ++revision_;
  std::visit([this](const auto& c) { do_command(c); }, command);
  remember(sim::measure(*model_, history_.now, *work_));
}

// Throws InputError if there is no such point.
sim::BodyPoint Session::body_point(const SurfacePoint& point) const {
  if (point.body < 0 || point.body >= static_cast<int>(world_.bodies.size()))
    throw InputError("there is no body " + std::to_string(point.body) + "; the scene has " +
                     std::to_string(world_.bodies.size()));
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

// Only the grab's own energy changes, so only that is measured.
void Session::set_grab(std::optional<sim::Attachment> grab) {
  const double before = model_->grabs.value(history_.now.x, *work_);
  grab_ = std::move(grab);
  model_->grabs.items.clear();
  if (grab_) model_->grabs.items.push_back(*grab_);
  minimizer_->grabs_changed(work_->workers);
  ledger_.add(sim::Added::user, model_->grabs.value(history_.now.x, *work_) - before);
}

void Session::do_command(const Grab& grab) {
  const sim::BodyPoint point = body_point(grab.point);
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

void Session::pins_changed() {
  model_->clear_fixed(history_.now.v);
  history_.has_before = false;
  stiffest_ = sim::stiffest(*model_);
  minimizer_->pins_changed(work_->workers);
  failure_.clear();
}

void Session::do_command(const Pin& pin) {
  const std::vector<int> vertices = carriers(pin.points);
  const double before = total_energy();
  for (const int v : vertices) model_->fixed[static_cast<std::size_t>(v)] = 1;
  // What the pinned vertices had of kinetic energy is gone, by the user's hand.
  ledger_.add(sim::Added::edit, total_energy() - before);
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

void Session::do_command(const SetIntegrator& set) {
  choose_integrator(set.id);
  failure_.clear();
}

void Session::do_command(const SetBlend& set) {
  world_.description.integrator.tolerance = scene::checked("integrator.tolerance", set.tolerance, "tolerance");
  world_.description.integrator.forwardBlend = set.forward_blend;
}

void Session::do_command(const SetSolver& set) {
  scene::checked("solver.iterations", set.solver.iterations, "iterations");
  if (set.solver.stabilizerIterations)
    scene::checked("solver.stabilizerIterations", *set.solver.stabilizerIterations, "stabilizerIterations");
  if (set.solver.type != description().solver.type) choose_solver(set.solver.type);
  minimizer_->set_acceleration(set.solver.acceleration);
  world_.description.solver = set.solver;
  failure_.clear();
}

void Session::do_command(const SetTimeStep& set) {
  const double before = description().timeStep;
  world_.description.timeStep = scene::checked("timeStep", set.h, "time step");
  try {
    check_conditioning();
  } catch (const InputError&) {
    world_.description.timeStep = before;
    throw;
  }
  time_origin_ = record_.time;
  frame_origin_ = record_.frame;
  history_.has_before = false;
  failure_.clear();
}

void Session::do_command(const SetSubsteps& set) {
  world_.description.substeps = static_cast<int>(scene::checked("substeps", set.substeps, "substeps"));
  history_.has_before = false;
  failure_.clear();
}

void Session::do_command(const SetMaterial& set) {
  const scene::Material& m = set.material;
  scene::checked("material.young", m.young, "young");
  scene::checked("material.poisson", m.poisson, "poisson");
  scene::checked("material.density", m.density, "density");
  scene::checked("material.stiffness", m.stiffness, "stiffness");
  scene::Material& current = world_.description.bodies.at(static_cast<std::size_t>(set.body)).material;
  const scene::Material old = current;
  const double before = total_energy();
  try {
    current = m;
    rebuild_model();
  } catch (const InputError&) {
    current = old;
    rebuild_model();
    throw;
  }
  ledger_.add(sim::Added::edit, total_energy() - before);
  failure_.clear();
}

void Session::do_command(const SetDamping& set) { choose_damping(set.damping); }

void Session::do_command(const SetGravity& set) {
  for (int c = 0; c < 3; ++c) scene::checked("gravity", set.g[c], "gravity");
  const double before = total_energy();
  world_.description.gravity = {set.g[0], set.g[1], set.g[2]};
  rebuild_model();
  ledger_.add(sim::Added::edit, total_energy() - before);
}

void Session::do_command(const Reset&) { restart(); }

}  // namespace rebound::session
