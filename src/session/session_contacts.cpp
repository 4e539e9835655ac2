// What bodies bump into, in the session's step: contacts are found, and what is pressed has_friction.
#include <algorithm>

#include "session/session.hpp"
#include "sim/contact/detect.hpp"

namespace rebound::session {

// Their springs hold energy that was nowhere before: it is there for as long as bodies sink in, and not booked
// [Dinev18 Sec. 4.3].
void Session::find_contacts() {
  auto& contacts = model_->contacts.items;
  std::swap(contacts, last_contacts_);
  const sim::LastContacts last(last_contacts_);
  contacts = sim::find_contacts(*model_, history_.now, step_size(), last, work_->workers);
  if (body_contacts_) find_body_contacts();
  last.hand_on(contacts);
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

// What moving obstacles did in the step that has made next_: the hand's work or the scene's.
void Session::book_surfaces(double gamma, const sim::FrictionWork& friction) {
  double by_hand = 0, by_scene = 0;
  for (std::size_t c = 0; c < model_->contacts.items.size(); ++c) {
    const sim::Contact& contact = model_->contacts.items[c];
    if (contact.obstacle < 0) continue;
    double work = sim::surface_work(contact, history_.now.x, next_.x, gamma);
    if (!friction.by_surfaces.empty()) work += friction.by_surfaces[c];
    (moved_by_hand_[static_cast<std::size_t>(contact.obstacle)] ? by_hand : by_scene) += work;
  }
  ledger_.add(sim::Added::user, by_hand);
  ledger_.add(sim::Added::motion, by_scene);
}

// For the next step to begin with.
void Session::keep_impulses(const sim::FrictionWork& friction) {
  for (std::size_t c = 0; c < model_->contacts.items.size(); ++c)
    model_->contacts.items[c].friction_impulse = friction.impulses.empty() ? sim::Vec3(0, 0, 0) : friction.impulses[c];
}

}  // namespace rebound::session
