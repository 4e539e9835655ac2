// What bodies bump into, in the session's step: obstacles go their way, contacts are found, and what is pressed rubs.
#include "scene/build_obstacles.hpp"
#include "session/session.hpp"
#include "sim/collide/detect.hpp"
#include "sim/damp/friction.hpp"

namespace rebound::session {

void Session::place_obstacles(double time) {
  for (std::size_t o = 0; o < model_->obstacles.size(); ++o) {
    sim::Obstacle& obstacle = model_->obstacles[o];
    obstacle.pose = obstacle.before = scene::obstacle_pose(description().obstacles[o], time);
  }
}

void Session::move_obstacles(double time) {
  for (std::size_t o = 0; o < model_->obstacles.size(); ++o) {
    sim::Obstacle& obstacle = model_->obstacles[o];
    obstacle.before = obstacle.pose;
    obstacle.pose = scene::obstacle_pose(description().obstacles[o], time);
  }
}

// Their springs hold energy that was nowhere before: it is there for as long as bodies sink in, and not booked
// [Dinev18 Sec. 4.3].
void Session::find_contacts() {
  model_->contacts.items = sim::find_contacts(*model_, history_.now, step_size(), work_->workers);
  if (body_contacts_) find_body_contacts();
}

void Session::find_body_contacts() {
  const auto schemes = sim::find_integrator(description().integrator.type)->schemes;
  double arm = 0;
  if (!schemes.empty()) {
    // Where x goes on by h v_{n+1}, moments are about x_n; by the mean of both velocities, about the middle.
    const sim::Scheme& scheme = schemes.front();
    arm = scheme.two_steps() ? 1 : 1 - 1 / scheme.r;
  }
  body_contacts_->find(*model_, history_.now, step_size(), arm, work_->workers, model_->contacts.items);
}

// Another law of the contacts of bodies, from now on.
void Session::contact_changed() {
  model_->body_contact = scene::contact_law(description().contact);
  auto& contacts = model_->contacts.items;
  std::erase_if(contacts, [](const sim::Contact& contact) { return contact.obstacle < 0; });
  if (!scene::bodies_may_meet(description())) return body_contacts_.reset();
  if (!body_contacts_) body_contacts_.emplace(*model_);
  find_body_contacts();
}

// What friction takes is what is missing afterwards; the impulses' own work is another number where the bodies answer as
// an implicit step does. Where a squeezed body gains by it, nothing is booked, and the next step takes that out again.
Session::Friction Session::rub(sim::StepReport& report, sim::State& next) {
  const sim::Model& model = *model_;
  if (!sim::rubs(model, history_.now, report.gamma, next)) return {};
  const auto schemes = sim::find_integrator(description().integrator.type)->schemes;
  const double coefficient = schemes.empty() ? 0 : schemes.front().stiffness_factor(step_size());
  sim::ContactResponse* response = minimizer_->contact_response(coefficient, work_->workers);
  // The step has solved with that matrix; without one it has none, and M can always be factored.
  if (response == nullptr) return {};
  const double H = sim::measure(model, next, *work_).total();
  report.energy.reset();
  const double by_surfaces = sim::apply_friction(model, history_.now, step_size(), report.gamma, *response,
                                                 work_->workers, next);
  return {H, by_surfaces};
}

}  // namespace rebound::session
