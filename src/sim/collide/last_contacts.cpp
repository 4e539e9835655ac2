#include "sim/collide/last_contacts.hpp"

#include <algorithm>

namespace rebound::sim {
namespace {

std::pair<int, int> key_of(const Contact* contact) { return {contact->collider, contact->obstacle}; }

}  // namespace

LastContacts::LastContacts(const std::vector<Contact>& contacts) {
  for (const Contact& contact : contacts) sorted_.push_back(&contact);
  std::ranges::stable_sort(sorted_, {}, key_of);
}

const Contact* LastContacts::find(int collider, int obstacle) const {
  const std::pair wanted(collider, obstacle);
  const auto at = std::ranges::lower_bound(sorted_, wanted, {}, key_of);
  return at != sorted_.end() && key_of(*at) == wanted ? *at : nullptr;
}

void LastContacts::put_in_order(std::vector<Contact>& contacts) const {
  std::vector<std::pair<const Contact*, Contact>> known;
  std::vector<Contact> fresh;
  for (Contact& contact : contacts) {
    if (const Contact* last = find(contact.collider, contact.obstacle)) {
      known.emplace_back(last, contact);
    } else {
      fresh.push_back(contact);
    }
  }
  std::ranges::stable_sort(known, {}, [](const auto& pair) { return pair.first; });
  contacts.clear();
  for (const auto& [last, contact] : known) contacts.push_back(contact);
  contacts.insert(contacts.end(), fresh.begin(), fresh.end());
}

}  // namespace rebound::sim
