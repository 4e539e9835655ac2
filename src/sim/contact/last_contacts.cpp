#include "sim/contact/last_contacts.hpp"

#include <algorithm>
#include <utility>

namespace rebound::sim {

LastContacts::LastContacts(const std::vector<Contact>& contacts) : contacts_(contacts), next_(contacts.size()) {
  int most = -1;
  for (const Contact& contact : contacts) most = std::max(most, contact.collider);
  first_.assign(static_cast<std::size_t>(most + 1), -1);
  for (std::size_t c = contacts.size(); c-- > 0;)
    if (contacts[c].collider >= 0)
      next_[c] = std::exchange(first_[static_cast<std::size_t>(contacts[c].collider)], static_cast<int>(c));
}

const Contact* LastContacts::find(int collider, int obstacle) const {
  if (collider < 0 || static_cast<std::size_t>(collider) >= first_.size()) return nullptr;
  for (int c = first_[static_cast<std::size_t>(collider)]; c >= 0; c = next_[static_cast<std::size_t>(c)])
    if (const Contact& contact = contacts_[static_cast<std::size_t>(c)]; contact.obstacle == obstacle) return &contact;
  return nullptr;
}

void LastContacts::hand_on(std::vector<Contact>& contacts) const {
  std::vector<std::pair<const Contact*, Contact*>> known;
  std::vector<Contact*> fresh;
  for (Contact& contact : contacts) {
    if (const Contact* last = find(contact.collider, contact.obstacle)) {
      contact.friction_impulse = last->friction_impulse;
      known.emplace_back(last, &contact);
    } else {
      fresh.push_back(&contact);
    }
  }
  std::ranges::stable_sort(known, {}, [](const auto& pair) { return pair.first; });
  std::vector<Contact> ordered;
  ordered.reserve(contacts.size());
  for (const auto& [last, contact] : known) ordered.push_back(*contact);
  for (const Contact* contact : fresh) ordered.push_back(*contact);
  contacts = std::move(ordered);
}

}  // namespace rebound::sim
