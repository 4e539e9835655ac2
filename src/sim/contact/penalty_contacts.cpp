#include "sim/contact/penalty_contacts.hpp"

#include <utility>

#include "sim/contact/detect.hpp"

namespace rebound::sim {

std::optional<BodyContactSearch>& PenaltyContacts::search_of(const Model& model) {
  if (!model.bodies_may_meet() || model.body_contact.cubic) {
    search_.reset();
  } else if (!search_) {
    search_.emplace(model);
  }
  law_ = model.body_contact;
  return search_;
}

void PenaltyContacts::place_cubic(Model& model, const State& now, double h, Workers& workers) {
  model.touching.clear();
  if (!has_cubic_contacts(model)) {
    if (std::exchange(cubic_, nullptr)) model.step_energies.clear();
    return;
  }
  if (!cubic_) cubic_ = std::make_shared<const CubicContacts>(model, workers);
  model.step_energies = {cubic_};
  Points end = now.x + h * now.v;
  end.rowwise() += h * h * model.g.transpose();
  // The present is asked for last: the pattern is that of what was.
  for (const Points* x : {&std::as_const(end), &now.x}) cubic_->find_touching(*x, model.touching);
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
  place_cubic(model, history.now, h, work.workers);
  return {};
}

void PenaltyContacts::abandon_step(Model& model) {
  if (!std::exchange(begun_, false)) return;
  std::swap(model.contacts.items, last_);
  if (search_) search_->recall(before_);
}

void PenaltyContacts::rub(double impulse, double h, const Points& x, Points& v, ConstraintFriction& rubbed) {
  if (cubic_) cubic_->rub(impulse, h, x, v, rubbed);
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
  if (std::exchange(cubic_, nullptr)) model.step_energies.clear();
  model.touching.clear();
}

void PenaltyContacts::law_changed(Model& model, const History& history, double h, double arm, Workspace& work) {
  std::vector<Contact>& contacts = model.contacts.items;
  std::erase_if(contacts, [](const Contact& contact) { return contact.obstacle < 0; });
  // Who meets whom now begins with what there is now.
  const bool others_meet = model.body_contact.bodies != law_.bodies || model.body_contact.self != law_.self;
  if (search_ && others_meet) search_->forget();
  if (search_of(model)) search_->find(model, history.now, h, arm, work.workers, contacts);
  if (cubic_) cubic_ = std::make_shared<const CubicContacts>(model, work.workers);
  place_cubic(model, history.now, h, work.workers);
}

ContactMemory PenaltyContacts::memory(const Model& model) const {
  return {model.contacts.items, search_ ? search_->memory() : BodyContactMemory(), {}};
}

void PenaltyContacts::recall(const ContactMemory& memory, Model& model) {
  model.contacts.items = memory.contacts;
  if (search_of(model)) search_->recall(memory.bodies);
}

}  // namespace rebound::sim
