// A session put aside and put back, to the last byte of every frame that follows.
#include <atomic>
#include <tuple>

#include "scene/build_obstacles.hpp"
#include "session/saved_state.hpp"
#include "sim/step/modes.hpp"

namespace rebound::session {
namespace {

/// Do the two differ in what is set by numbers alone, so that one model and one minimizer serve both?
bool same_elements(const scene::Description& a, const scene::Description& b) {
  if (a.solver.type != b.solver.type) return false;
  scene::Description like_b = a;
  like_b.timeStep = b.timeStep;
  like_b.substeps = b.substeps;
  like_b.gravity = b.gravity;
  like_b.integrator = b.integrator;
  like_b.solver = b.solver;
  like_b.damping = b.damping;
  like_b.obstacles = b.obstacles;
  like_b.contact = b.contact;
  like_b.energy = b.energy;
  like_b.runaway = b.runaway;
  return like_b == b;
}

bool same(const sim::State& a, const sim::State& b) {
  return a.x.rows() == b.x.rows() && a.a.rows() == b.a.rows() && a.x == b.x && a.v == b.v && a.a == b.a;
}

}  // namespace

Session::Session(const Session& from)
    : world_(from.world_),
      work_(std::make_unique<sim::Workspace>(from.threads())),
      model_(std::make_unique<sim::Model>(*from.model_)),
      stepper_(std::make_unique<sim::Stepper>(
          *model_, *work_,
          sim::find_solver(description().solver.type)->make(*model_, from.stepper_->factors().analysis()))),
      rest_(from.rest_),
      handles_(from.handles_) {
  stepper_->set_integrator(description().integrator.type);
  stepper_->set_damping(description().damping.type);
  restore(from.save());
}

std::uint64_t Session::first_revision() {
  static std::atomic<std::uint64_t> sessions{0};
  return (++sessions << 32) + 1;
}

std::unique_ptr<Session> Session::twin() const { return std::unique_ptr<Session>(new Session(*this)); }

SavedState Session::save() const {
  SavedState saved;
  sim::RoundingState rounding_state = stepper_->factors().rounding_state();
  if (!saved_setup_ || saved_revision_ != revision_ || !(saved_setup_->rounding_state == rounding_state)) {
    saved_setup_ =
        std::make_shared<const SavedSetup>(SavedSetup{description(), world_.bodies, world_.contact_shapes,
                                                      model_->fixed, std::move(rounding_state), stiffest_, rest_});
    saved_revision_ = revision_;
    saved.bytes += 2 * model_->fixed.size();
  }
  saved.setup = saved_setup_;

  // What was `now` a frame ago is looked back on in this one.
  const auto shared = [&](const sim::State& state) {
    if (saved_now_ && same(*saved_now_, state)) return saved_now_;
    return std::make_shared<const sim::State>(state);
  };
  if (history_.has_before) saved.before = shared(history_.before);
  saved.now = shared(history_.now);
  saved_now_ = saved.now;

  for (const sim::Attachment& attachment : model_->attachments.items) saved.targets.push_back(attachment.target);
  for (const sim::Obstacle& obstacle : model_->obstacles)
    saved.poses.push_back({obstacle.before, obstacle.pose, obstacle.fresh});
  saved.led = led_;
  saved.bytes += saved.poses.size() * (sizeof(SavedPose) + 1);
  const auto memory = std::make_shared<const sim::Stepper::Memory>(stepper_->memory());
  saved.memory = memory;
  saved.bytes += sizeof *memory + memory->contacts.contacts.size() * sizeof(sim::Contact);
  if (const auto& factored = memory->method.factor.factored)
    saved.bytes += sizeof(double) * static_cast<std::size_t>(factored->at.size());
  if (const auto& modes = memory->method.modes)
    saved.bytes +=
        sizeof(double) * static_cast<std::size_t>(modes->X.size() + modes->lambda.size() + modes->rest.turns.size());
  for (const auto& [collider, sides] : memory->contacts.bodies.sides)
    saved.bytes += sizeof(collider) + sizeof(sides) + sides.size() * sizeof(sides.front());
  saved.contact_knowledge = stepper_->factors().contact_knowledge();
  for (const auto& [coefficient, vertices] : saved.contact_knowledge) saved.bytes += vertices.size() * sizeof(int);
  saved.grab = grab_;
  if (grab_) saved.bytes += grab_->springs.size() * (sizeof(sim::Attachment) + sizeof(int));
  saved.ledger = ledger_;
  saved.record = record_;
  saved.traces = traces_;
  saved.left = left_;
  saved.left_by = left_by_;
  saved.failure = failure_;
  saved.outcome = outcome_;
  saved.failure_site = failure_site_;
  saved.full_backward_frames = full_backward_frames_;
  saved.grew = grew_;
  saved.time_origin = time_origin_;
  saved.frame_origin = frame_origin_;
  saved.bytes += sizeof(SavedState) + saved.targets.size() * sizeof(sim::Vec3);
  for (const TracePath& path : saved.traces.paths()) saved.bytes += path.points.size() * sizeof(sim::Vec3);
  return saved;
}

// Of a body's two forms the one that it had then; each is the same in every session of a scene.
bool Session::take_forms(const SavedSetup& setup) {
  bool any = false;
  for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
    if (world_.bodies[b].is_affine() == setup.bodies[b].is_affine()) continue;
    world_.bodies.replace(b, setup.bodies.shared(b));
    any = true;
  }
  if (!any) return false;
  world_.contact_shapes.bodies = setup.contact_shapes.bodies;
  skin_.clear();
  return true;
}

void Session::restore(const SavedState& saved) {
  const scene::Description& wanted = saved.setup->description;
  const bool reformed = take_forms(*saved.setup);
  const bool anew = std::exchange(damaged_, true) || reformed;
  if (anew || !same_elements(description(), wanted)) {
    auto model = std::make_unique<sim::Model>(scene::build_model({wanted, world_}));
    if (reformed) handles_ = scene::moving_handles({wanted, world_}, *model);
    // Of other vertices, nothing that is known of the old ones holds.
    auto solver =
        sim::find_solver(wanted.solver.type)->make(*model, reformed ? sim::Analysis() : stepper_->factors().analysis());
    if (anew) {
      auto stepper = std::make_unique<sim::Stepper>(*model, *work_, std::move(solver));
      stepper->set_integrator(wanted.integrator.type);
      stepper->set_damping(wanted.damping.type);
      stepper_ = std::move(stepper);
    } else {
      stepper_->exchange(*model, solver);
    }
    // What was made for the old model goes before it.
    solver.reset();
    model_ = std::move(model);
  }
  if (wanted.integrator.type != description().integrator.type) stepper_->set_integrator(wanted.integrator.type);
  if (wanted.damping.type != description().damping.type) stepper_->set_damping(wanted.damping.type);
  if (!(wanted == description())) {
    world_.description = wanted;
    ++revision_;
  }
  scene::ContactShapes& shapes = world_.contact_shapes;
  const scene::ContactShapes& saved_shapes = saved.setup->contact_shapes;
  shapes.obstacles.insert(saved_shapes.obstacles.begin(), saved_shapes.obstacles.end());
  if (shapes.bodies.empty()) shapes.bodies = saved_shapes.bodies;
  model_->contact_bodies = shapes.bodies;
  model_->body_contact = scene::contact_law(wanted.contact, shapes.bodies);
  model_->obstacles = scene::build_obstacles(wanted, shapes.obstacles);
  place_obstacles(saved.record.time);
  for (std::size_t o = 0; o < saved.poses.size(); ++o)
    std::tie(model_->obstacles[o].before, model_->obstacles[o].pose, model_->obstacles[o].fresh) =
        std::tie(saved.poses[o].before, saved.poses[o].pose, saved.poses[o].fresh);
  led_ = saved.led;
  stepper_->recall(*saved.memory);
  solves_.clear();
  stiffest_ = saved.setup->stiffest;
  rest_ = saved.setup->rest;

  const sim::Vec3 g(wanted.gravity[0], wanted.gravity[1], wanted.gravity[2]);
  if (model_->g != g) model_->set_gravity(g);
  model_->fixed = saved.setup->fixed;
  for (std::size_t i = 0; i < saved.targets.size(); ++i) model_->attachments.items[i].target = saved.targets[i];
  grab_ = saved.grab;
  model_->grabs.items.clear();
  if (grab_) model_->grabs.items = grab_->springs;
  stepper_->factors().restore_rounding(saved.setup->rounding_state, work_->workers);
  stepper_->factors().recall(saved.contact_knowledge);

  history_.now = *saved.now;
  history_.has_before = saved.before != nullptr;
  if (saved.before) history_.before = *saved.before;
  ledger_ = saved.ledger;
  record_ = saved.record;
  traces_ = saved.traces;
  visible_motion_.forget();
  left_ = saved.left;
  left_by_ = saved.left_by;
  failure_ = saved.failure;
  outcome_ = saved.outcome;
  failure_site_ = saved.failure_site;
  full_backward_frames_ = saved.full_backward_frames;
  grew_ = saved.grew;
  time_origin_ = saved.time_origin;
  frame_origin_ = saved.frame_origin;
  saved_setup_ = saved.setup;
  saved_revision_ = revision_;
  saved_now_ = saved.now;
  damaged_ = false;
}

}  // namespace rebound::session
