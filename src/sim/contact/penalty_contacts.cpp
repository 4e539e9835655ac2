#include "sim/contact/penalty_contacts.hpp"

#include <utility>

#include "sim/contact/detect.hpp"

namespace rebound::sim {

std::optional<BodyContactSearch>& PenaltyContacts::search_of(const Model& model) {
  if (!model.bodies_may_meet()) {
    search_.reset();
  } else if (!search_) {
    search_.emplace(model);
  }
  law_ = model.body_contact;
  return search_;
}

ContactStart PenaltyContacts::begin_step(Model& model, const History& history, double h, double arm, Workspace& work) {
  begun_ = false;
  if (const auto& search = search_of(model)) before_ = search->memory();
  std::vector<Contact>& contacts = model.contacts.items;
  std::swap(contacts, last_);
  begun_ = true;
  const LastContacts last(last_);
  contacts = find_contacts(model, history.now, h, last, work.workers, history.has_before ? &history.before : nullptr);
  if (search_) search_->find(model, history.now, h, arm, work.workers, contacts);
  last.hand_on(contacts);
  return {};
}

void PenaltyContacts::abandon_step(Model& model) {
  if (!std::exchange(begun_, false)) return;
  std::swap(model.contacts.items, last_);
  if (search_) search_->recall(before_);
}

// The impulses are where the search for the next ones begins.
double PenaltyContacts::end_step(Model& model, const State&, const State&, const FrictionWork& friction) {
  begun_ = false;
  for (std::size_t c = 0; c < model.contacts.items.size(); ++c)
    model.contacts.items[c].friction_impulse = friction.impulses.empty() ? Vec3(0, 0, 0) : friction.impulses[c];
  return 0;
}

void PenaltyContacts::forget(Model& model) {
  model.contacts.items.clear();
  if (search_) search_->forget();
}

void PenaltyContacts::law_changed(Model& model, const History& history, double h, double arm, Workspace& work) {
  std::vector<Contact>& contacts = model.contacts.items;
  std::erase_if(contacts, [](const Contact& contact) { return contact.obstacle < 0; });
  // Who meets whom now begins with what there is now.
  const bool others_meet = model.body_contact.bodies != law_.bodies || model.body_contact.self != law_.self;
  if (search_ && others_meet) search_->forget();
  if (search_of(model)) search_->find(model, history.now, h, arm, work.workers, contacts);
}

ContactMemory PenaltyContacts::memory(const Model& model) const {
  return {model.contacts.items, search_ ? search_->memory() : BodyContactMemory(), {}};
}

void PenaltyContacts::recall(const ContactMemory& memory, Model& model) {
  model.contacts.items = memory.contacts;
  if (search_of(model)) search_->recall(memory.bodies);
}

}  // namespace rebound::sim
